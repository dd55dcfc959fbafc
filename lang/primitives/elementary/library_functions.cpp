// The C library's elementary functions: those that are not written over an arithmetic, and what
// others leave to it.  Nothing else calls it.
#include "lang/primitives/elementary/library_functions.h"
#include "lang/primitives/elementary/scalar_functions.h"

#include <cmath>

namespace sinter::elementary::scalar {

namespace {

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
    return expression;                                                                             \
  }
#define SINTER_DEFINE_BINARY_AT(T, name, expression)                                               \
  T name(T x, T y) {                                                                               \
    return expression;                                                                             \
  }
#define SINTER_DEFINE(name, expression)                                                            \
  SINTER_DEFINE_AT(float, name, expression)                                                        \
  SINTER_DEFINE_AT(double, name, expression)
#define SINTER_DEFINE_BINARY(name, expression)                                                     \
  SINTER_DEFINE_BINARY_AT(float, name, expression)                                                 \
  SINTER_DEFINE_BINARY_AT(double, name, expression)

SINTER_DEFINE(gamma, std::tgamma(x))
SINTER_DEFINE(lgamma, log_gamma(x))
SINTER_DEFINE_BINARY(fmod, std::fmod(x, y))

} // namespace sinter::elementary::scalar

namespace sinter::elementary::library {

// At f32 the C library's functions of huge arguments are off by more than 1 ULP.
float sin(float x) {
  return static_cast<float>(std::sin(static_cast<double>(x)));
}
double sin(double x) {
  return std::sin(x);
}
float cos(float x) {
  return static_cast<float>(std::cos(static_cast<double>(x)));
}
double cos(double x) {
  return std::cos(x);
}
float tan(float x) {
  return static_cast<float>(std::tan(static_cast<double>(x)));
}
double tan(double x) {
  return std::tan(x);
}

} // namespace sinter::elementary::library
