// asinh, acosh, atanh and log1p: logarithms of arguments that are pairs, so that nothing is lost
// near 1, where the logarithm is small.
#pragma once

#include "lang/primitives/elementary/hyperbolic.h"
#include "lang/primitives/elementary/logarithm_pair.h"
#include "lang/primitives/elementary/roots.h"

namespace sinter::elementary {

/// log(2^shift x) for a pair x >= 2^-60, with the logarithm's special values of `x.high`.
template <class M, class T>
Real<M, T> logarithm_of_pair(Pair<M, T> x, Real<M, T> shift) {
  const auto parts = decompose(x.high);
  // x.low / 2^e; of huge numbers the low part does not matter.
  const auto unit =
      from_bits((Format<T>::bias - parts.normal_exponent) << Format<T>::fraction_bits);
  const auto low = select(x.high < T(0x1p100), x.low * unit, T(0));
  const auto [high, rest] =
      logarithm(DecomposedPair<M, T>{parts.exponent + shift, parts.fraction, low});
  return with_logarithm_poles(x.high, high + rest);
}

/// x + square x² + cube x³ where |x| is so small that this is the function, else `result`.  (There,
/// a pair's low part may be all of the argument, and is not precise enough.)
template <class M, class T>
Real<M, T> near_zero(Real<M, T> x, T square, T cube, Real<M, T> result) {
  constexpr T small = sizeof(T) == 4 ? T(0x1p-10) : T(0x1p-20);
  return select(abs(x) < small, fma(x * x, fma(x, cube, square), x), result);
}

/// log(1 + x)
template <class M, class T>
Real<M, T> logarithm1p(Real<M, T> x) {
  const auto result = logarithm_of_pair(exact_sum(x.literal(1), x), x.literal(0));
  return near_zero(x, T(-0.5), T(1) / 3, result);
}

/// Above this, sqrt(x² ± 1) is x in the precision of `T` (a margin of 2^-5 ULP).
template <class T>
constexpr T square_root_bound = sizeof(T) == 4 ? T(0x1p14) : T(0x1p29);

/// log(x + sqrt(x² + sign)), for x >= 0.
template <class M, class T>
Real<M, T> area(Real<M, T> x, T sign) {
  const auto square = exact_product(x, x);
  auto radicand = exact_sum(square.high, x.literal(sign));
  radicand.low = radicand.low + square.low;
  const auto root = square_root(radicand);
  // The greater one first: that is x for acosh.
  auto sum = sign < 0 ? ordered_sum(x, root.high) : ordered_sum(root.high, x);
  sum.low = sum.low + root.low;
  // The square of a greater x might overflow; its logarithm is that of 2 x.
  const auto huge = x > square_root_bound<T>;
  const auto zero = x.literal(0);
  return logarithm_of_pair(Pair<M, T>{select(huge, x, sum.high), select(huge, zero, sum.low)},
                           select(huge, T(1), zero));
}
template <class M, class T>
Real<M, T> area_sine(Real<M, T> x) {
  const auto size = abs(x);
  return copysign(near_zero(size, T(0), T(-1) / 6, area(size, T(1))), x);
}
template <class M, class T>
Real<M, T> area_cosine(Real<M, T> x) {
  return select(x < T(1), Format<T>::nan, area(x, T(-1)));
}
/// log((1 + x) / (1 - x)) / 2
template <class M, class T>
Real<M, T> area_tangent(Real<M, T> x) {
  const auto size = abs(x);
  const auto one = x.literal(1);
  const auto ratio = quotient(ordered_sum(one, size), ordered_sum(one, -size));
  const auto result = T(0.5) * logarithm_of_pair(ratio, x.literal(0));
  return copysign(near_zero(size, T(0), T(1) / 3, result), x);
}

} // namespace sinter::elementary
