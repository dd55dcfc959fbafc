// Instances of the elementary functions for plain numbers.
#include "lang/primitives/elementary/scalar_functions.h"

#include "lang/primitives/elementary/functions.h"
#include "lang/primitives/elementary/scalar_arithmetic.h"

// The functions are mostly fma, which is one instruction on every x86 processor since 2013 but a
// call for the baseline that this program is compiled for: so each is compiled for both, and the
// loader chooses.  The bits are the same.  (Clang can't flatten a function with clones; there, what
// it doesn't inline keeps the call.)
#if !defined(__x86_64__) || !defined(__linux__)
#define SINTER_WITH_FMA
#elif defined(__clang__)
#define SINTER_WITH_FMA __attribute__((target_clones("default", "fma")))
#else
#define SINTER_WITH_FMA __attribute__((target_clones("default", "fma"), flatten))
#endif

namespace sinter::elementary::scalar {

#define SINTER_DEFINE_UNARY(T, name, function)                                                     \
  SINTER_WITH_FMA T name(T x) {                                                                    \
    ScalarArithmetic arithmetic;                                                                   \
    return function(Real<ScalarArithmetic, T>{&arithmetic, x}).value;                              \
  }
#define SINTER_DEFINE_BINARY(T, name, function)                                                    \
  SINTER_WITH_FMA T name(T x, T y) {                                                               \
    ScalarArithmetic arithmetic;                                                                   \
    return function(Real<ScalarArithmetic, T>{&arithmetic, x},                                     \
                    Real<ScalarArithmetic, T>{&arithmetic, y})                                     \
        .value;                                                                                    \
  }
#define SINTER_UNARY(id, name, function)                                                           \
  SINTER_DEFINE_UNARY(float, name, function)                                                       \
  SINTER_DEFINE_UNARY(double, name, function)
#define SINTER_BINARY(id, name, function)                                                          \
  SINTER_DEFINE_BINARY(float, name, function)                                                      \
  SINTER_DEFINE_BINARY(double, name, function)
#include "lang/primitives/elementary/functions.def"
SINTER_DEFINE_BINARY(float, nextafter, next_after)
SINTER_DEFINE_BINARY(double, nextafter, next_after)

template <typename T>
static Whole<ScalarArithmetic, T> whole(ScalarArithmetic& arithmetic, integer_of<T> number) {
  return {&arithmetic, number};
}
float ldexp(float x, std::int32_t n) {
  ScalarArithmetic arithmetic;
  return load_exponent(Real<ScalarArithmetic, float>{&arithmetic, x}, whole<float>(arithmetic, n))
      .value;
}
double ldexp(double x, std::int32_t n) {
  ScalarArithmetic arithmetic;
  return load_exponent(Real<ScalarArithmetic, double>{&arithmetic, x}, whole<double>(arithmetic, n))
      .value;
}
std::uint16_t next_half(std::uint16_t x, std::uint16_t y) {
  ScalarArithmetic arithmetic;
  return static_cast<std::uint16_t>(
      next_half_pattern(whole<float>(arithmetic, x), whole<float>(arithmetic, y)).value);
}
float fused_multiply_add_for_half(float a, float b, float c) {
  ScalarArithmetic arithmetic;
  const auto number = [&](float x) { return Real<ScalarArithmetic, float>{&arithmetic, x}; };
  return elementary::fused_multiply_add_for_half(number(a), number(b), number(c)).value;
}

} // namespace sinter::elementary::scalar
