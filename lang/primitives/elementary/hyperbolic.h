// sinh, cosh, tanh from e^|x| = 2^k (1 + E), where E is a pair that is accurate near 0 too.
#pragma once

#include "lang/primitives/elementary/exponential.h"

namespace sinter::elementary {

/// 2^(1 - k) (e^x ± e^-x) / 2 as k and a pair, for 0 <= x.
template <class M, class T>
struct ScaledSum {
  Rounded<M, T> exponent;
  Pair<M, T> sum;
};
/// With D = E / (1 + E), e^-x = 2^-k (1 - D): so it is (1 ± 4^-k) + E ∓ 4^-k D.
template <class M, class T>
ScaledSum<M, T> hyperbolic_sum(Real<M, T> x, T sign) {
  // Beyond this the result is infinite; NaN remains.
  constexpr T greatest = ExponentialConstants<T>::greatest + 2;
  x = select(x > greatest, greatest, x);
  const auto [k, excess] = scaled_exponential(Pair<M, T>{x, x.literal(0)});
  auto whole = ordered_sum(x.literal(1), excess.high);
  whole.low = whole.low + excess.low;
  const auto part = quotient(excess, whole);
  // 4^-k, or a number that is as good as 0.
  constexpr integer_of<T> enough = Format<T>::fraction_bits;
  const auto small = select(k.integer < enough, k.integer, k.integer.literal(enough));
  const auto factor =
      from_bits((Format<T>::bias - (small + small)) << Format<T>::fraction_bits) * sign;
  const auto unit = ordered_sum(x.literal(1), factor);
  const auto first = ordered_sum(unit.high, excess.high);
  const auto second = ordered_sum(first.high, -factor * part.high);
  const auto low = (first.low + second.low + unit.low) + fma(-factor, part.low, excess.low);
  return {{k.number - T(1), k.integer - 1}, {second.high, low}};
}

template <class M, class T>
Real<M, T> hyperbolic_sine(Real<M, T> x) {
  const auto [exponent, sum] = hyperbolic_sum(abs(x), T(-1));
  return copysign(scale(sum.high + sum.low, exponent), x);
}
template <class M, class T>
Real<M, T> hyperbolic_cosine(Real<M, T> x) {
  const auto [exponent, sum] = hyperbolic_sum(abs(x), T(1));
  return scale(sum.high + sum.low, exponent);
}

/// With a = e^(2x) - 1 it is a / (a + 2).
template <class M, class T>
Real<M, T> hyperbolic_tangent(Real<M, T> x) {
  constexpr T greatest = sizeof(T) == 4 ? 10 : 22; // beyond, it is 1
  auto size = abs(x);
  size = select(size > greatest, greatest, size);
  const auto [k, excess] = scaled_exponential(Pair<M, T>{size + size, x.literal(0)});
  const auto power = from_bits((k.integer + Format<T>::bias) << Format<T>::fraction_bits);
  auto a = ordered_sum(power - T(1), power * excess.high);
  a.low = fma(power, excess.low, a.low);
  auto b = exact_sum(a.high, x.literal(2));
  b.low = b.low + a.low;
  const auto [high, low] = quotient(a, b);
  return copysign(high + low, x);
}

} // namespace sinter::elementary
