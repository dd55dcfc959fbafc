// The elementary functions on plain numbers, compiled: what the interpreter calls.
#pragma once

#include <cstdint>

namespace sinter::elementary::scalar {

#define SINTER_DECLARE_UNARY(id, name, ...)                                                        \
  float name(float x);                                                                             \
  double name(double x);
#define SINTER_DECLARE_BINARY(id, name, ...)                                                       \
  float name(float x, float y);                                                                    \
  double name(double x, double y);
#define SINTER_UNARY SINTER_DECLARE_UNARY
#define SINTER_BINARY SINTER_DECLARE_BINARY
#include "lang/primitives/elementary/functions.def"
#undef SINTER_DECLARE_UNARY
#undef SINTER_DECLARE_BINARY

/// x 2^n, rounded once.
float ldexp(float x, std::int32_t n);
double ldexp(double x, std::int32_t n);
/// The number beside the first one in the direction of the second; of f16, by their bit patterns.
float nextafter(float x, float y);
double nextafter(double x, double y);
std::uint16_t next_half(std::uint16_t x, std::uint16_t y);
/// A float that rounds to the f16 that is nearest to a b + c, of floats that hold f16.
float fused_multiply_add_for_half(float a, float b, float c);

} // namespace sinter::elementary::scalar
