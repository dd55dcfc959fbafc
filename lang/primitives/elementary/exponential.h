// exp: the argument is k ln 2 + r with |r| <= ln 2 / 2; e^r is 1 + r and a polynomial, 2^k goes
// into the exponent.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

template <class T>
struct ExponentialConstants;
template <>
struct ExponentialConstants<float> {
  // Beyond these the result is 0 or infinite; between them k fits where `scale` wants it.
  static constexpr float least = -104, greatest = 89;
  static constexpr float log2_e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
};
template <>
struct ExponentialConstants<double> {
  static constexpr double least = -746, greatest = 710;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
};

/// (e^r - 1 - r) / r² for |r| <= 0.3476; error relative to e^r: 2^-28.1 (float), 2^-57.8 (double).
template <class M>
Real<M, float> exponential_polynomial(Real<M, float> r) {
  return polynomial(r, 0x1.fffffap-2f, 0x1.55549p-3f, 0x1.555a22p-5f, 0x1.123b08p-7f,
                    0x1.695428p-10f);
}
template <class M>
Real<M, double> exponential_polynomial(Real<M, double> r) {
  return polynomial(r, 0x1.000000000000ap-1, 0x1.55555555554f9p-3, 0x1.5555555550621p-5,
                    0x1.1111111127d07p-7, 0x1.6c16c184ac98bp-10, 0x1.a01a012aadbb1p-13,
                    0x1.a01998a90c9cep-16, 0x1.71df22e4fe507p-19, 0x1.28aebe876d41fp-22,
                    0x1.ad85fc17e2d8bp-26);
}

/// (e^r - 1 - r) / r² for |r| <= 0.3476; error relative to e^r - 1: 2^-31.0 (float), 2^-61.5
/// (double).
template <class M>
Real<M, float> excess_polynomial(Real<M, float> r) {
  return polynomial(r, 0.5f, 0x1.555554p-3f, 0x1.5554fp-5f, 0x1.111306p-7f, 0x1.6d43c6p-10f,
                    0x1.9e0df8p-13f);
}
template <class M>
Real<M, double> excess_polynomial(Real<M, double> r) {
  return polynomial(r, 0.5, 0x1.5555555555559p-3, 0x1.555555555554dp-5, 0x1.111111110f62ep-7,
                    0x1.6c16c16c1ab13p-10, 0x1.a01a01b01e718p-13, 0x1.a01a018e12a87p-16,
                    0x1.71ddf7b3af4e3p-19, 0x1.27e51303093f4p-22, 0x1.af5fefed7f067p-26,
                    0x1.1f1aecefe8157p-29);
}

/// x, or the bound where e^x is 0 or infinite beyond it; NaN remains.
template <class M, class T>
Real<M, T> clamp_exponent(Real<M, T> x) {
  using C = ExponentialConstants<T>;
  // Comparisons with NaN fail.
  x = select(x < C::least, C::least, x);
  return select(x > C::greatest, C::greatest, x);
}

template <class M, class T>
Real<M, T> exponential(Real<M, T> x) {
  using C = ExponentialConstants<T>;
  x = clamp_exponent(x);
  const auto k = round_product(x, C::log2_e);
  const auto r = fma(k.number, -C::ln2_low, fma(k.number, -C::ln2_high, x));
  const auto slope = fma(exponential_polynomial(r), r, T(1));
  return scale(fma(slope, r, T(1)), k);
}

/// e^x = 2^exponent (1 + excess), |excess| <= 0.416.
template <class M, class T>
struct ScaledExponential {
  Rounded<M, T> exponent;
  Pair<M, T> excess; ///< relative error about 2^-57 (double), 2^-28 (float)
};
/// Of x between the bounds of `clamp_exponent`, with |x.low| far below 1.
template <class M, class T>
ScaledExponential<M, T> scaled_exponential(Pair<M, T> x) {
  using C = ExponentialConstants<T>;
  const auto k = round_product(x.high, C::log2_e);
  const auto [r, low] =
      ordered_sum(fma(k.number, -C::ln2_high, x.high), fma(k.number, -C::ln2_low, x.low));
  return {k, ordered_sum(r, fma(r * r, excess_polynomial(r), fma(low, r, low)))};
}
/// e^x for such x, within 0.6 ULP.
template <class M, class T>
Real<M, T> exponential(Pair<M, T> x) {
  const auto [exponent, excess] = scaled_exponential(x);
  const auto [high, low] = ordered_sum(x.high.literal(1), excess.high);
  return scale(high + (low + excess.low), exponent);
}

} // namespace sinter::elementary
