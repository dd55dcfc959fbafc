// fmod: what a division towards zero leaves, exactly, with the dividend's sign.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

/// r minus the nearest multiple of d (up to rounding), or that plus d if it is negative: exact, as
/// r is below 2^fraction_bits times d, and so the result below d with no bits that r and d lack.
template <class M, class T>
Real<M, T> reduced(Real<M, T> r, Real<M, T> d) {
  const auto rest = fma(-rint(r / d), d, r);
  return select(rest < T(0), rest + d, rest);
}

/// The remainder of any operands: while the dividend's magnitude is not below the divisor's, it is
/// reduced by the divisor times a power of two that takes about `fraction_bits` bits off it.
template <class M, class T>
Real<M, T> distant_remainder(Real<M, T> x, Real<M, T> y) {
  constexpr int fraction_bits = Format<T>::fraction_bits;
  constexpr auto one = std::bit_cast<integer_of<T>>(T(1));
  constexpr T normalising = T(4) * static_cast<T>(integer_of<T>{1} << (fraction_bits - 1));
  constexpr int most = 2 * Format<T>::bias / (fraction_bits - 1) + 4;
  const auto size = abs(x), d = abs(y);
  const auto valid = (size < Format<T>::infinity) & (d > T(0));
  // The divisor's biased exponent, as if there were no least one.
  const auto exponent = [](Real<M, T> a) { return bits(a) >> fraction_bits; };
  const auto d_exponent = select(d < Format<T>::smallest_normal,
                                 exponent(d * normalising) - (fraction_bits + 1), exponent(d));
  const auto [rest] = repeat(
      most, std::array{size}, [&](const auto& state) { return valid & (state[0] >= d); },
      [&](const auto& state) {
        const auto wanted = exponent(state[0]) - d_exponent - (fraction_bits - 1);
        const auto shift = select(wanted < 0, wanted.literal(0), wanted);
        const auto half = shift >> 1;
        const auto scaled = d * from_bits((half << fraction_bits) + one) *
                            from_bits(((shift - half) << fraction_bits) + one);
        return std::array{reduced(state[0], scaled)};
      });
  return select(valid, copysign(rest, x), Format<T>::nan);
}

template <class M, class T>
Real<M, T> remainder(Real<M, T> x, Real<M, T> y) {
  const auto size = abs(x), d = abs(y);
  const auto quotient = size / d;
  const auto near = quotient < static_cast<T>(integer_of<T>{1} << Format<T>::fraction_bits);
  const auto rest = select(size < d, size, reduced(size, d));
  return rare(
      !near, copysign(rest, x), "sinter_distant_remainder",
      []<class N>(Real<N, T> a, Real<N, T> b) { return distant_remainder(a, b); }, x, y);
}

} // namespace sinter::elementary
