// Elementary functions that are (still) the C library's.  Functions of pi reduce their argument
// exactly before they multiply by pi.
#include "lang/primitives/elementary/scalar_functions.h"

#include <cmath>
#include <concepts>
#include <numbers>

namespace sinter::elementary::scalar {

namespace {

/// sin(pi x) for f32 and f64.  `x` minus twice the nearest half of it lies in [-1, 1] and is exact;
/// each eighth of the circle then uses the function that is small or flat there.
template <std::floating_point T>
T sine_of_pi_times(T x) {
  if (!std::isfinite(x)) return x - x;
  constexpr T pi = std::numbers::pi_v<T>;
  const T turn = x - 2 * std::rint(x / 2);
  const T size = std::abs(turn);
  T result;
  if (size <= T(0.25))
    result = std::sin(pi * size);
  else if (size <= T(0.75))
    result = std::cos(pi * (T(0.5) - size));
  else
    result = std::sin(pi * (1 - size));
  return std::copysign(result, turn == 0 ? x : turn);
}
template <std::floating_point T>
T cosine_of_pi_times(T x) {
  if (!std::isfinite(x)) return x - x;
  constexpr T pi = std::numbers::pi_v<T>;
  const T size = std::abs(x - 2 * std::rint(x / 2));
  if (size <= T(0.25)) return std::cos(pi * size);
  if (size <= T(0.75)) return std::sin(pi * (T(0.5) - size));
  return -std::cos(pi * (1 - size));
}
/// The C library's lgamma writes a global sign; these do not.
float log_gamma(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

} // namespace

#define SINTER_DEFINE_AT(T, name, expression)                                                      \
  T name(T x) {                                                                                    \
    [[maybe_unused]] constexpr T pi = std::numbers::pi_v<T>;                                       \
    return expression;                                                                             \
  }
#define SINTER_DEFINE_BINARY_AT(T, name, expression)                                               \
  T name(T x, T y) {                                                                               \
    [[maybe_unused]] constexpr T pi = std::numbers::pi_v<T>;                                       \
    return expression;                                                                             \
  }
#define SINTER_DEFINE(name, expression)                                                            \
  SINTER_DEFINE_AT(float, name, expression)                                                        \
  SINTER_DEFINE_AT(double, name, expression)
#define SINTER_DEFINE_BINARY(name, expression)                                                     \
  SINTER_DEFINE_BINARY_AT(float, name, expression)                                                 \
  SINTER_DEFINE_BINARY_AT(double, name, expression)

SINTER_DEFINE(cbrt, std::cbrt(x))
SINTER_DEFINE(log2, std::log2(x))
SINTER_DEFINE(log10, std::log10(x))
SINTER_DEFINE(log1p, std::log1p(x))
SINTER_DEFINE(sin, std::sin(x))
SINTER_DEFINE(cos, std::cos(x))
SINTER_DEFINE(tan, std::tan(x))
SINTER_DEFINE(sinpi, sine_of_pi_times(x))
SINTER_DEFINE(cospi, cosine_of_pi_times(x))
SINTER_DEFINE(tanpi, sine_of_pi_times(x) / cosine_of_pi_times(x))
SINTER_DEFINE(asin, std::asin(x))
SINTER_DEFINE(acos, std::acos(x))
SINTER_DEFINE(atan, std::atan(x))
SINTER_DEFINE(asinpi, std::asin(x) / pi)
SINTER_DEFINE(acospi, std::acos(x) / pi)
SINTER_DEFINE(atanpi, std::atan(x) / pi)
SINTER_DEFINE(sinh, std::sinh(x))
SINTER_DEFINE(cosh, std::cosh(x))
SINTER_DEFINE(tanh, std::tanh(x))
SINTER_DEFINE(asinh, std::asinh(x))
SINTER_DEFINE(acosh, std::acosh(x))
SINTER_DEFINE(atanh, std::atanh(x))
SINTER_DEFINE(gamma, std::tgamma(x))
SINTER_DEFINE(lgamma, log_gamma(x))
SINTER_DEFINE(erf, std::erf(x))
SINTER_DEFINE(erfc, std::erfc(x))
SINTER_DEFINE_BINARY(atan2, std::atan2(x, y))
SINTER_DEFINE_BINARY(atan2pi, std::atan2(x, y) / pi)
SINTER_DEFINE_BINARY(hypot, std::hypot(x, y))
SINTER_DEFINE_BINARY(pow, std::pow(x, y))
SINTER_DEFINE_BINARY(fmod, std::fmod(x, y))

} // namespace sinter::elementary::scalar
