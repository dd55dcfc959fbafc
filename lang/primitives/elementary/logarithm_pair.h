// Logarithms with more than a number's precision, for the functions that are built on them.
#pragma once

#include "lang/primitives/elementary/logarithm.h"

namespace sinter::elementary {

/// In z = s², the P of log((1 + s) / (1 - s)) = 2 s + 2/3 s³ + s⁵ (`fifth` + z P(z)), for
/// |s| <= 0.1716; error relative to the logarithm: 2^-43.6 (float), 2^-73.5 (double).
template <class M>
Real<M, float> area_tangent_polynomial(Real<M, float> z) {
  return polynomial(z, 0x1.2493acp-2f, 0x1.c644a6p-3f, 0x1.8fedc6p-3f);
}
template <class M>
Real<M, double> area_tangent_polynomial(Real<M, double> z) {
  return polynomial(z, 0x1.2492492492f4bp-2, 0x1.c71c71c59798dp-3, 0x1.745d1828c53cap-3,
                    0x1.3b1364f2006afp-3, 0x1.112068fbaf807p-3, 0x1.de3e6a796a5ap-4,
                    0x1.eabdc0fc549ecp-4);
}

template <class T>
struct AreaTangentConstants;
template <>
struct AreaTangentConstants<float> {
  static constexpr float third_high = 0x1.555556p-1f, third_low = -0x1.555556p-26f;
  static constexpr float fifth = 0x1.999998p-2f;
};
template <>
struct AreaTangentConstants<double> {
  static constexpr double third_high = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
  static constexpr double fifth = 0x1.9999999999996p-2;
};

/// 2^exponent (1 + fraction + low), low far below 1 + fraction.
template <class M, class T>
struct DecomposedPair {
  Real<M, T> exponent, fraction, low;
};

/// The logarithm, for 1 + fraction in [sqrt(1/2), sqrt(2)]; relative error about
/// 2^-68 (double), 2^-38 (float).
template <class M, class T>
Pair<M, T> logarithm(DecomposedPair<M, T> x) {
  using C = LogarithmConstants<T>;
  using A = AreaTangentConstants<T>;
  const auto f = x.fraction;
  // s = f / (2 + f), a pair.
  const auto divisor = ordered_sum(f.literal(2), f);
  const auto inverse = T(1) / divisor.high;
  const auto s = f * inverse;
  const auto s_low = inverse * (fma(-s, divisor.high, f) + fma(-s, divisor.low + x.low, x.low));
  const auto s_twice = s + s;
  // z = s² and s³, pairs.
  auto z = exact_product(s, s);
  z.low = fma(s_twice, s_low, z.low);
  auto cube = exact_product(z.high, s);
  cube.low = cube.low + fma(z.low, s, z.high * s_low);
  // fifth + z P(z), then 2/3 + z times that, then s³ times that: pairs.
  const auto fifth = ordered_sum(f.literal(A::fifth), z.high * area_tangent_polynomial(z.high));
  auto product = exact_product(z.high, fifth.high);
  product.low = product.low + fma(z.high, fifth.low, z.low * fifth.high);
  auto factor = ordered_sum(f.literal(A::third_high), product.high);
  factor.low = factor.low + (product.low + A::third_low);
  auto tail = exact_product(cube.high, factor.high);
  tail.low = tail.low + fma(cube.high, factor.low, cube.low * factor.high);
  // The sum from the greatest to the least.
  const auto first = ordered_sum(x.exponent * C::ln2_high, s_twice);
  const auto second = ordered_sum(first.high, tail.high);
  const auto small = fma(x.exponent, C::ln2_low, fma(s_low, T(2), tail.low));
  return ordered_sum(second.high, (first.low + second.low) + small);
}

} // namespace sinter::elementary
