// pow: x^y is a product where y is a small whole number (whole_power.h); elsewhere it is
// e^(y log |x|), with a sign where y is odd.  At f32 that is computed in f64; at f64 the logarithm
// and its product with y are pairs.
#pragma once

#include "lang/primitives/elementary/exponential.h"
#include "lang/primitives/elementary/logarithm_pair.h"
#include "lang/primitives/elementary/short_functions.h"
#include "lang/primitives/elementary/whole_power.h"

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
Real<M, double> general_power(Real<M, double> x, Real<M, double> y) {
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

template <class M>
Real<M, float> general_power(Real<M, float> x, Real<M, float> y) {
  const auto size = widen(abs(x));
  const auto exponent = widen(y) * with_logarithm_poles(size, short_logarithm2(size));
  return with_power_signs(x, y, narrow(short_exponential2(exponent)));
}

template <class M, class T>
Real<M, T> power(Real<M, T> x, Real<M, T> y) {
  return either(
      may_be_whole_power(y), [&] { return is_whole_power(y); }, [&] { return whole_power(x, y); },
      [&] { return general_power(x, y); });
}

} // namespace sinter::elementary
