// The layout of floats, as far as elementary functions take numbers apart and put them together.
#pragma once

#include "lang/primitives/elementary/arithmetic.h"

#include <bit>
#include <limits>

namespace sinter::elementary {

/// What the type `T` looks like.
template <std::floating_point T>
struct Format {
  using Integer = integer_of<T>;
  /// Bits of the significand after the leading one.
  static constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  static constexpr Integer bias = std::numeric_limits<T>::max_exponent - 1;
  static constexpr Integer fraction_mask = (Integer{1} << fraction_bits) - 1;
  static constexpr Integer sign_mask = std::numeric_limits<Integer>::min();
  /// Added to a small number, it leaves the nearest whole number in the lowest bits.
  static constexpr T shifter = T(1.5) * static_cast<T>(Integer{1} << fraction_bits);
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T smallest_normal = std::numeric_limits<T>::min();
};

/// A whole number, as a float and as an integer.
template <class M, class T>
struct Rounded {
  Real<M, T> number;
  Whole<M, T> integer;
};

/// The whole number nearest to x * factor (the even one of two), for results below
/// 2^(fraction_bits - 1) in magnitude.
template <class M, class T>
Rounded<M, T> round_product(Real<M, T> x, std::type_identity_t<T> factor) {
  constexpr T shifter = Format<T>::shifter;
  const auto shifted = fma(x, factor, shifter);
  return {shifted - shifter, bits(shifted) - std::bit_cast<integer_of<T>>(shifter)};
}

/// A whole number below 2^(fraction_bits - 1) in magnitude as a float.
template <class M, class T>
Real<M, T> to_real(Whole<M, T> n) {
  constexpr T shifter = Format<T>::shifter;
  return from_bits(n + std::bit_cast<integer_of<T>>(shifter)) - shifter;
}

/// x * 2^n, rounded once, for numbers x from 2^-10 to 4 (below that only where n is small) and 2^n
/// from below the least subnormal number to above the greatest number.
template <class M, class T>
Real<M, T> scale_in_two(Real<M, T> x, Whole<M, T> n) {
  constexpr int fraction_bits = Format<T>::fraction_bits;
  constexpr auto one = std::bit_cast<integer_of<T>>(T(1));
  // In two factors: 2^n itself may be no normal number.  The first product is exact.
  const auto half = (n >> 1) << fraction_bits;
  const auto rest = (n << fraction_bits) - half;
  return x * from_bits(half + one) * from_bits(rest + one);
}
template <class M, class T>
Real<M, T> scale(Real<M, T> x, Rounded<M, T> n) {
  return unless_single(
      x,
      [&](auto& m) {
        return Real<M, T>{&m, m.scale(x.value, n.number.value)};
      },
      [&] { return scale_in_two(x, n.integer); });
}

/// Whether 0 < x < infinity.  (By the bits, which is a difference and a comparison of integers;
/// compilers make seven instructions of the two comparisons of floats.)
template <class M, class T>
Truth<M> is_positive_and_finite(Real<M, T> x) {
  using Integer = integer_of<T>;
  const auto pattern = bits(x);
  return (Integer{0} < pattern) & (pattern < std::bit_cast<Integer>(Format<T>::infinity));
}

/// The number with its sign flipped where the sign bit of `flips` is set.
template <class M, class T>
Real<M, T> flip_sign(Real<M, T> x, Whole<M, T> flips) {
  return from_bits(bits(x) ^ (flips & Format<T>::sign_mask));
}

} // namespace sinter::elementary
