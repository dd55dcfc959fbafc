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

} // namespace sinter::elementary::scalar
