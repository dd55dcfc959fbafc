// exp: the argument is k ln 2 + r with |r| <= ln 2 / 2; e^r is a polynomial, 2^k goes into the
// exponent.
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

/// e^r for |r| <= 0.3476; relative error of the polynomial 2^-28.1 (float), 2^-57.8 (double).
template <class M>
Real<M, float> exponential_polynomial(Real<M, float> r) {
  return polynomial(r, 1.0f, 1.0f, 0x1.fffffap-2f, 0x1.55549p-3f, 0x1.555a22p-5f, 0x1.123b08p-7f,
                    0x1.695428p-10f);
}
template <class M>
Real<M, double> exponential_polynomial(Real<M, double> r) {
  return polynomial(r, 1.0, 1.0, 0x1.000000000000ap-1, 0x1.55555555554f9p-3, 0x1.5555555550621p-5,
                    0x1.1111111127d07p-7, 0x1.6c16c184ac98bp-10, 0x1.a01a012aadbb1p-13,
                    0x1.a01998a90c9cep-16, 0x1.71df22e4fe507p-19, 0x1.28aebe876d41fp-22,
                    0x1.ad85fc17e2d8bp-26);
}

template <class M, class T>
Real<M, T> exponential(Real<M, T> x) {
  using C = ExponentialConstants<T>;
  // Comparisons with NaN fail, so NaN passes through.
  x = select(x < C::least, C::least, x);
  x = select(x > C::greatest, C::greatest, x);
  const auto k = round_product(x, C::log2_e);
  const auto r = fma(k.number, -C::ln2_low, fma(k.number, -C::ln2_high, x));
  return scale(exponential_polynomial(r), k.integer);
}

} // namespace sinter::elementary
