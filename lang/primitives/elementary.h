// Elementary functions, one place each: sin, exp, erf, gamma, …
//
// Everything else in Sinter calls these and never the C library.  At f32 and f64 they are the C
// library's functions at that precision; at f16 they are computed in f32 and rounded once.
// Functions of pi reduce their argument exactly before they multiply by pi.
#pragma once

#include "lang/values/scalar.h"

#include <cmath>
#include <concepts>
#include <numbers>

namespace sinter::elementary {

/// The precision that a function at `T` is computed in.
template <typename T>
struct Working {
  using type = T;
};
template <>
struct Working<Half> {
  using type = float;
};
template <typename T>
using working_t = typename Working<T>::type;

#define SINTER_UNARY(name, expression)                                                             \
  template <typename T>                                                                            \
  T name(T argument) {                                                                             \
    using W = working_t<T>;                                                                        \
    [[maybe_unused]] constexpr W pi = std::numbers::pi_v<W>;                                       \
    const W x = static_cast<W>(argument);                                                          \
    return static_cast<T>(expression);                                                             \
  }
#define SINTER_BINARY(name, expression)                                                            \
  template <typename T>                                                                            \
  T name(T first, T second) {                                                                      \
    using W = working_t<T>;                                                                        \
    [[maybe_unused]] constexpr W pi = std::numbers::pi_v<W>;                                       \
    const W x = static_cast<W>(first);                                                             \
    const W y = static_cast<W>(second);                                                            \
    return static_cast<T>(expression);                                                             \
  }

namespace detail {

/// sin(pi x) for f32 and f64.  `x` minus twice the nearest half of it lies in [-1, 1] and is exact;
/// each eighth of the circle then uses the function that is small or flat there.
template <std::floating_point W>
W sine_of_pi_times(W x) {
  if (!std::isfinite(x)) return x - x;
  constexpr W pi = std::numbers::pi_v<W>;
  const W turn = x - 2 * std::rint(x / 2);
  const W size = std::abs(turn);
  W result;
  if (size <= W(0.25))
    result = std::sin(pi * size);
  else if (size <= W(0.75))
    result = std::cos(pi * (W(0.5) - size));
  else
    result = std::sin(pi * (1 - size));
  return std::copysign(result, turn == 0 ? x : turn);
}
template <std::floating_point W>
W cosine_of_pi_times(W x) {
  if (!std::isfinite(x)) return x - x;
  constexpr W pi = std::numbers::pi_v<W>;
  const W size = std::abs(x - 2 * std::rint(x / 2));
  if (size <= W(0.25)) return std::cos(pi * size);
  if (size <= W(0.75)) return std::sin(pi * (W(0.5) - size));
  return -std::cos(pi * (1 - size));
}
/// The C library's lgamma writes a global sign; these do not.
inline float log_gamma(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

} // namespace detail

SINTER_UNARY(sqrt, std::sqrt(x))
SINTER_UNARY(rsqrt, 1 / std::sqrt(x))
SINTER_UNARY(cbrt, std::cbrt(x))
SINTER_UNARY(exp, std::exp(x))
SINTER_UNARY(log, std::log(x))
SINTER_UNARY(log2, std::log2(x))
SINTER_UNARY(log10, std::log10(x))
SINTER_UNARY(log1p, std::log1p(x))
SINTER_UNARY(sin, std::sin(x))
SINTER_UNARY(cos, std::cos(x))
SINTER_UNARY(tan, std::tan(x))
SINTER_UNARY(sinpi, detail::sine_of_pi_times(x))
SINTER_UNARY(cospi, detail::cosine_of_pi_times(x))
SINTER_UNARY(tanpi, detail::sine_of_pi_times(x) / detail::cosine_of_pi_times(x))
SINTER_UNARY(asin, std::asin(x))
SINTER_UNARY(acos, std::acos(x))
SINTER_UNARY(atan, std::atan(x))
SINTER_UNARY(asinpi, std::asin(x) / pi)
SINTER_UNARY(acospi, std::acos(x) / pi)
SINTER_UNARY(atanpi, std::atan(x) / pi)
SINTER_UNARY(sinh, std::sinh(x))
SINTER_UNARY(cosh, std::cosh(x))
SINTER_UNARY(tanh, std::tanh(x))
SINTER_UNARY(asinh, std::asinh(x))
SINTER_UNARY(acosh, std::acosh(x))
SINTER_UNARY(atanh, std::atanh(x))
SINTER_UNARY(gamma, std::tgamma(x))
SINTER_UNARY(lgamma, detail::log_gamma(x))
SINTER_UNARY(erf, std::erf(x))
SINTER_UNARY(erfc, std::erfc(x))
SINTER_BINARY(atan2, std::atan2(x, y))
SINTER_BINARY(atan2pi, std::atan2(x, y) / pi)
SINTER_BINARY(hypot, std::hypot(x, y))
SINTER_BINARY(pow, std::pow(x, y))
SINTER_BINARY(fmod, std::fmod(x, y))

#undef SINTER_UNARY
#undef SINTER_BINARY

} // namespace sinter::elementary
