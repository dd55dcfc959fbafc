// pow: x^y = e^(y log |x|), with a sign where y is odd.  At f32 it is computed in f64; at f64 the
// logarithm and its product with y are pairs.
#pragma once

#include "lang/primitives/elementary/exponential.h"
#include "lang/primitives/elementary/logarithm_pair.h"

namespace sinter::elementary {

/// `power` = |x|^y, which need not be right where that is 1, with the sign and the special values
/// of x^y as in C.
template <class M, class T>
Real<M, T> with_power_signs(Real<M, T> x, Real<M, T> y, Real<M, T> power) {
  const auto infinity = Format<T>::infinity;
  const auto half = T(0.5) * y;
  const auto whole = rint(y) == y;
  const auto odd = whole & (rint(half) != half);
  const auto x_bits = bits(x);
  const auto with_sign = flip_sign(power, select(odd, x_bits, x_bits.literal(0)));
  const auto undefined = (x < T(0)) & (x > -infinity) & !whole;
  const auto one = (x == T(1)) | (y == T(0)) | ((x == T(-1)) & (abs(y) == infinity));
  return select(one, T(1), select(undefined, Format<T>::nan, with_sign));
}

template <class M>
Real<M, double> power(Real<M, double> x, Real<M, double> y) {
  const auto size = abs(x);
  const auto parts = decompose(size);
  const auto log =
      logarithm(DecomposedPair<M, double>{parts.exponent, parts.fraction, size.literal(0)});
  const auto log_high = with_logarithm_poles(size, log.high);
  const auto product = exact_product(y, log_high);
  // Beyond these bounds the result is 0 or infinite whatever the low part, which may be NaN there.
  const auto low = select(abs(product.high) < 1000.0, fma(y, log.low, product.low), 0.0);
  return with_power_signs(x, y, exponential(Pair<M, double>{clamp_exponent(product.high), low}));
}

/// log2(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)], to relative 2^-37.7.
template <class M>
Real<M, double> short_logarithm2(Real<M, double> f) {
  const auto s = f / (2.0 + f);
  return s * polynomial(s * s, 0x1.71547652bede7p1, 0x1.ec709d12df178p-1, 0x1.27777fdc1f7e3p-1,
                        0x1.a58d8ee9c6765p-2, 0x1.5ce7ddb75456ep-2);
}
/// 2^r for |r| <= 1/2, to relative 2^-29.0.
template <class M>
Real<M, double> short_exponential2(Real<M, double> r) {
  return polynomial(r, 0x1.0000000261526p0, 0x1.62e430c7e9c31p-1, 0x1.ebfbdadcace43p-3,
                    0x1.c6aed4b8774acp-5, 0x1.3b2dbbc2857dap-7, 0x1.5f456af92d72fp-10,
                    0x1.41d33319284fcp-13);
}

template <class M>
Real<M, float> power(Real<M, float> x, Real<M, float> y) {
  const auto size = widen(abs(x));
  const auto parts = decompose(size);
  const auto log = with_logarithm_poles(size, parts.exponent + short_logarithm2(parts.fraction));
  auto exponent = widen(y) * log;
  // Beyond these bounds the result is 0 or infinite; NaN remains.
  exponent = select(exponent < -200.0, -200.0, exponent);
  exponent = select(exponent > 200.0, 200.0, exponent);
  const auto k = round_product(exponent, 1.0);
  const auto power = scale(short_exponential2(exponent - k.number), k.integer);
  return with_power_signs(x, y, narrow(power));
}

} // namespace sinter::elementary
