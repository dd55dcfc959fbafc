// Elementary functions for the interpreter, one place each: sin, exp, erf, gamma, …
//
// Everything else in Sinter calls these and never the C library.  At f32 and f64 they are the
// functions that `elementary/` defines; at f16 they are computed in f32 and rounded once.
#pragma once

#include "lang/primitives/elementary/scalar_functions.h"
#include "lang/values/scalar.h"

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

#define SINTER_CALL_UNARY(id, name, ...)                                                           \
  template <typename T>                                                                            \
  T name(T x) {                                                                                    \
    return static_cast<T>(scalar::name(static_cast<working_t<T>>(x)));                             \
  }
#define SINTER_CALL_BINARY(id, name, ...)                                                          \
  template <typename T>                                                                            \
  T name(T x, T y) {                                                                               \
    return static_cast<T>(                                                                         \
        scalar::name(static_cast<working_t<T>>(x), static_cast<working_t<T>>(y)));                 \
  }
#define SINTER_UNARY SINTER_CALL_UNARY
#define SINTER_BINARY SINTER_CALL_BINARY
#include "lang/primitives/elementary/functions.def"
#undef SINTER_CALL_UNARY
#undef SINTER_CALL_BINARY

} // namespace sinter::elementary
