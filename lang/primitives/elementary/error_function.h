// erf and erfc.
//
// Near 0, erf is a polynomial.  Beyond, erfc(x) = e^(-x²) g(x) / (x + k), where k = 27/64 is chosen
// so that g hardly varies (between 0.56 and 0.62): so g is a constant and a small polynomial in u =
// (x - 3) / (x + 3).  At f32 all of it is computed in f64.
#pragma once

#include "lang/primitives/elementary/exponential.h"
#include "lang/primitives/elementary/short_functions.h"

namespace sinter::elementary {

inline constexpr double error_function_k = 27.0 / 64;

/// erf(x) / x - 1 - `error_function_low` in z = x², for |x| <= 0.707; error relative to erf
/// 2^-57.0. (By interpolation in Chebyshev points, then rounding the coefficients.)
template <class M>
Real<M, double> error_function_polynomial(Real<M, double> z) {
  return polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379e5p-2, 0x1.ce2f21a04295ap-4,
                    -0x1.b82ce31274ee7p-6, 0x1.565bcd0975aa5p-8, -0x1.c02db28ceff1ep-11,
                    0x1.f9a2e31f336cbp-14, -0x1.f4ca60dd2a957p-17, 0x1.b94bbd17b8a19p-20,
                    -0x1.5816992332a2ep-23, 0x1.9576656d5cb4ep-27);
}
inline constexpr double error_function_low = -0x1.d2c857fdb9439p-57;
/// Above this, erf is not computed by that polynomial.
inline constexpr double error_function_bound = 11.0 / 16;

/// erf(x) / x in z = x², for |x| <= 1; relative error 2^-40.1.
template <class M>
Real<M, double> short_error_function_polynomial(Real<M, double> z) {
  return polynomial(z, 0x1.20dd750428b2p0, -0x1.812746adb2158p-2, 0x1.ce2f209750802p-4,
                    -0x1.b82cb8f21ac97p-6, 0x1.56586cdd07374p-8, -0x1.bfdf590edae15p-11,
                    0x1.f56be7e5066e8p-14, -0x1.d25d00e179f3bp-17, 0x1.1b8c5ee712b24p-20);
}

/// e^(x²) erfc(x) (x + k) for 11/16 <= x <= 27.5, a pair; relative error of the polynomial, which
/// was found like the one above, 2^-58.5.
template <class M>
Pair<M, double> scaled_complement(Real<M, double> x) {
  const auto u = (x - 3.0) / (x + 3.0);
  const auto varying =
      u * polynomial(u, -0x1.5ab6ee3521ebap-5, -0x1.60006840a6efep-5, 0x1.398ce6030dc79p-4,
                     -0x1.0b349da6e6214p-4, 0x1.2766a00b0bd24p-5, -0x1.906296456935p-7,
                     0x1.3d09ad12b4c1dp-10, 0x1.03c841c12a10ap-10, -0x1.9c906382a9928p-12,
                     -0x1.e30d8121d65fap-15, 0x1.0a91067825ac8p-14, 0x1.9fd949faf7e33p-19,
                     -0x1.56c9f2c044172p-17, -0x1.f2c2646f8b22fp-22, 0x1.d8346b505f1bfp-20,
                     0x1.aaa2b8a700953p-23, -0x1.4d39942d4b1a9p-22, -0x1.4b75a11f09e11p-24,
                     0x1.b21ca58f7206bp-25, 0x1.9d42ad2ef4bfp-26, -0x1.b2d07568549d5p-28,
                     -0x1.84cc06dc1942dp-28, 0x1.ba7976770dfcbp-32, 0x1.a206853d7fe6bp-31);
  auto result = ordered_sum(x.literal(0x1.399c2a10c9c75p-1), varying);
  result.low = result.low + 0x1.50a87ebbc77fp-55;
  return result;
}
/// The same for 1 <= x <= 10.25, to relative 2^-31.4.
template <class M>
Real<M, double> short_scaled_complement(Real<M, double> x) {
  const auto u = (x - 3.0) / (x + 3.0);
  return polynomial(u, 0x1.399c2a0fc704ap-1, -0x1.5ab6eeb115d27p-5, -0x1.60005befed718p-5,
                    0x1.398ceee0efb35p-4, -0x1.0b355e8002223p-4, 0x1.27666c391f297p-5,
                    -0x1.90203b664cc62p-7, 0x1.3c13a30767757p-10, 0x1.f4cf28e49f1d5p-11,
                    -0x1.7d935071c8497p-12);
}

/// erfc(x) for 11/16 <= x <= 27.5.
template <class M>
Real<M, double> upper_complement(Real<M, double> x) {
  const auto square = exact_product(x, x);
  const auto [exponent, excess] = scaled_exponential(Pair<M, double>{-square.high, -square.low});
  auto power = ordered_sum(x.literal(1), excess.high);
  power.low = power.low + excess.low;
  const auto factor = quotient(scaled_complement(x), exact_sum(x, x.literal(error_function_k)));
  const auto product = exact_product(power.high, factor.high);
  const auto low = fma(power.high, factor.low, fma(power.low, factor.high, product.low));
  return scale(product.high + low, exponent);
}
/// erfc(x) for 1 <= x <= 10.25, to relative 2^-28.7.
template <class M>
Real<M, double> short_upper_complement(Real<M, double> x) {
  const auto power = short_exponential2(x * x * -ExponentialConstants<double>::log2_e);
  return power * short_scaled_complement(x) / (x + error_function_k);
}

/// The number nearest to x between two others; NaN remains.
template <class M, class T>
Real<M, T> clamp(Real<M, T> x, T least, T greatest) {
  x = select(x < least, least, x);
  return select(x > greatest, greatest, x);
}

template <class M>
Real<M, double> error_function(Real<M, double> x) {
  const auto size = abs(x);
  const auto below = fma(size, error_function_polynomial(size * size), size);
  const auto above = 1.0 - upper_complement(clamp(size, error_function_bound, 6.5));
  return copysign(select(size < error_function_bound, below, above), x);
}
template <class M>
Real<M, double> complementary_error_function(Real<M, double> x) {
  const auto size = abs(x);
  // 1 - x - x P(z); the rounding of z counts with the slope of P, about -0.3.
  const auto z = exact_product(x, x);
  const auto near = ordered_sum(x.literal(1), -x);
  const auto small = fma(x, z.low * 0.3 - error_function_low, near.low);
  const auto below = near.high + fma(-x, error_function_polynomial(z.high), small);
  const auto above = upper_complement(clamp(size, error_function_bound, 27.5));
  return select(size < error_function_bound, below, select(x < 0.0, 2.0 - above, above));
}

template <class M>
Real<M, float> error_function(Real<M, float> x) {
  const auto wide = widen(abs(x));
  const auto below = wide * short_error_function_polynomial(wide * wide);
  const auto above = 1.0 - short_upper_complement(clamp(wide, 1.0, 10.25));
  return copysign(narrow(select(wide < 1.0, below, above)), x);
}
template <class M>
Real<M, float> complementary_error_function(Real<M, float> x) {
  const auto wide = widen(x);
  const auto size = abs(wide);
  const auto below = 1.0 - wide * short_error_function_polynomial(wide * wide);
  const auto above = short_upper_complement(clamp(size, 1.0, 10.25));
  return narrow(select(size < 1.0, below, select(wide < 0.0, 2.0 - above, above)));
}

} // namespace sinter::elementary
