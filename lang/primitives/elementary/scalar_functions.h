// The elementary functions on plain numbers, compiled: what the interpreter calls, and compiled
// code for functions that are not written over an arithmetic.
#pragma once

namespace sinter::elementary::scalar {

#define SINTER_DECLARE_UNARY(id, name, ...)                                                        \
  float name(float x);                                                                             \
  double name(double x);
#define SINTER_DECLARE_BINARY(id, name, ...)                                                       \
  float name(float x, float y);                                                                    \
  double name(double x, double y);
#define SINTER_UNARY SINTER_DECLARE_UNARY
#define SINTER_LIBRARY_UNARY SINTER_DECLARE_UNARY
#define SINTER_BINARY SINTER_DECLARE_BINARY
#define SINTER_LIBRARY_BINARY SINTER_DECLARE_BINARY
#include "lang/primitives/elementary/functions.def"
#undef SINTER_DECLARE_UNARY
#undef SINTER_DECLARE_BINARY

} // namespace sinter::elementary::scalar
