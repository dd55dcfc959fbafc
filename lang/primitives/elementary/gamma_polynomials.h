// Constants and polynomials of gamma and lgamma (gamma.h says of what).
//
// The polynomials interpolate at the zeros of Chebyshev polynomials; their errors are those of the
// rounded coefficients.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

struct GammaConstants {
  static constexpr double far = 20; ///< from here on, the series
  static constexpr int most_factors = 22;
  /// 1 - Euler's constant: the slope of gamma and of log(gamma) at 2.
  static constexpr double slope_high = 0x1.b0ee6072093cep-2, slope_low = 0x1.6cb90701fbfabp-58;
  /// (log(2 pi) - 1) / 2
  static constexpr double offset_high = 0x1.acfe390c97d69p-2, offset_low = 0x1.3494bc9001442p-56;
  /// Of (log(gamma(2 + z)) - slope z) / z² for |z| <= 1/2; error of log(gamma(2 + z)): 2^-57.6.
  static constexpr std::array log_gamma = {
      0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557607p-4,  0x1.51322ac7d848ap-6,  -0x1.e404fc218f5fdp-8,
      0x1.7add6eadb5317p-9,  -0x1.38ac5c2bf7600p-10, 0x1.0b36af8779ca0p-11, -0x1.d3fd4c7938767p-13,
      0x1.a127afee53e7dp-14, -0x1.78de5adfa4127p-15, 0x1.580e0afa55850p-16, -0x1.3cbccfc2650d6p-17,
      0x1.258f3057730fap-18, -0x1.11aad44c3e406p-19, 0x1.012012be3900ap-20, -0x1.e3c69f8357e6ap-22,
      0x1.b40adb09a1e12p-23, -0x1.9ccd7c02d9245p-24, 0x1.11fa5e7c86f7bp-24, -0x1.053cd872da621p-25};
};

/// (gamma(2 + z) - 1 - slope z) / z² for |z| <= 1/2; error of gamma(2 + z): 2^-60.1.
template <class M>
Real<M, double> gamma_polynomial(Real<M, double> z) {
  return polynomial(
      z, 0x1.a5b978b96bebfp-2, 0x1.4e239984650acp-4, 0x1.301fbb0f25aa3p-4, -0x1.17f3740fe330cp-12,
      0x1.6d7eeac9e5d3bp-7, -0x1.75e6e9048a0a3p-9, 0x1.13c449cbdba0dp-9, -0x1.e21f1c8a2b1d4p-11,
      0x1.011ad170bcb88p-11, -0x1.f94a6fee32356p-13, 0x1.fe56eaba5544bp-14, -0x1.fdf866e76bbfap-15,
      0x1.fed5378291c50p-16, -0x1.ff1b499dc0302p-17, 0x1.00c61c65474f7p-17, -0x1.00db162773a7ap-18,
      0x1.e4907cc101ea7p-20, -0x1.e4a3d1342992dp-21, 0x1.60846b8909130p-21, -0x1.6089728fb18ddp-22);
}
/// What Stirling's series has after its constant, times x, in 1/x² for x >= 20; error of the
/// logarithm: 2^-61.9.
template <class M>
Real<M, double> stirling_polynomial(Real<M, double> w) {
  return polynomial(w, 0x1.5555555555555p-4, -0x1.6c16c16c12b8bp-9, 0x1.a01a00d638f63p-11,
                    -0x1.38100c4bcab93p-11, 0x1.b31edc22702f8p-11);
}
template <class M>
Real<M, double> log_gamma_polynomial(Real<M, double> z) {
  constexpr auto& c = GammaConstants::log_gamma;
  auto sum = z.literal(c.back());
  for (std::size_t n = c.size() - 1; n-- > 0;)
    sum = fma(sum, z, c[n]);
  return sum;
}

} // namespace sinter::elementary
