// log: the argument is 2^e m with m in [sqrt(1/2), sqrt(2)); log m is a polynomial in m - 1 (float)
// or in (m - 1) / (m + 1) (double).
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

template <class T>
struct LogarithmConstants;
template <>
struct LogarithmConstants<float> {
  static constexpr std::int32_t sqrt_half_bits = 0x3f3504f3;
  static constexpr std::int32_t subnormal_shift = 24;
  // `ln2_high` has so few bits that its products with exponents are exact.
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
};
template <>
struct LogarithmConstants<double> {
  static constexpr std::int64_t sqrt_half_bits = 0x3fe6a09e667f3bcd;
  static constexpr std::int64_t subnormal_shift = 54;
  static constexpr double ln2_high = 0x1.62e42fefa4p-1, ln2_low = -0x1.8432a1b0e2634p-43;
};

/// x = 2^exponent (1 + fraction), for positive x.
template <class M, class T>
struct Decomposed {
  Real<M, T> exponent, fraction;
};
/// With 1 + fraction in [sqrt(1/2), sqrt(2)); the fraction is exact.
template <class M, class T>
Decomposed<M, T> decompose(Real<M, T> x) {
  using C = LogarithmConstants<T>;
  const auto subnormal = x < Format<T>::smallest_normal;
  const auto normal =
      select(subnormal, x * static_cast<T>(std::int64_t{1} << C::subnormal_shift), x);
  const auto offset = bits(normal) - C::sqrt_half_bits;
  const auto exponent = to_real(offset >> Format<T>::fraction_bits);
  const auto significand = from_bits((offset & Format<T>::fraction_mask) + C::sqrt_half_bits);
  return {select(subnormal, exponent - T(C::subnormal_shift), exponent), significand - T(1)};
}

/// log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2)]; error relative to log(1 + f): 2^-27.8 (float),
/// 2^-59.5 (double).
template <class M>
Real<M, float> logarithm_remainder(Real<M, float> f) {
  return f * f *
         polynomial(f, -0x1.fffff8p-2f, 0x1.55555p-2f, -0x1.000432p-2f, 0x1.99a41ap-3f,
                    -0x1.5425c4p-3f, 0x1.226dfcp-3f, -0x1.0f3fa6p-3f, 0x1.0860dp-3f,
                    -0x1.384734p-4f);
}
template <class M>
Real<M, double> logarithm_remainder(Real<M, double> f) {
  // With s = f / (2 + f) it is log((1 + s) / (1 - s)) - f = 2s + s z P(z) - f, where z = s²; and
  // f - 2s = f²/2 - s f²/2 with less rounding.
  const auto s = f / (2.0 + f);
  const auto z = s * s;
  const auto tail = z * polynomial(z, 0x1.5555555555592p-1, 0x1.999999997ff65p-2,
                                   0x1.24924941db2b8p-2, 0x1.c71c521a2b679p-3, 0x1.74663ba13c5b4p-3,
                                   0x1.39a20bad0922bp-3, 0x1.2f0252efbd278p-3);
  const auto half_square = 0.5 * f * f;
  return fma(s, half_square + tail, -half_square);
}

/// `result`, which is right for positive finite x, with the logarithm's special values.
template <class M, class T>
Real<M, T> with_logarithm_poles(Real<M, T> x, Real<M, T> result) {
  const auto inside = (x > T(0)) & (x < Format<T>::infinity);
  const auto outside = select(x == T(0), -Format<T>::infinity, select(x < T(0), Format<T>::nan, x));
  return select(inside, result, outside);
}

template <class M, class T>
Real<M, T> logarithm(Real<M, T> x) {
  using C = LogarithmConstants<T>;
  const auto [e, f] = decompose(x);
  const auto [high, low] = ordered_sum(e * C::ln2_high, f);
  const auto result = high + (low + fma(e, C::ln2_low, logarithm_remainder(f)));
  return with_logarithm_poles(x, result);
}

} // namespace sinter::elementary
