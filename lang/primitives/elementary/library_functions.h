// What functions over an arithmetic leave to the C library, in the few lanes where their own way
// ends: trigonometric functions of huge arguments.
#pragma once

#include "lang/primitives/elementary/arithmetic.h"

namespace sinter::elementary::library {

float sin(float x);
double sin(double x);
float cos(float x);
double cos(double x);
float tan(float x);
double tan(double x);

template <std::floating_point T>
inline constexpr ScalarFunction<T> sine{
    sizeof(T) == 4 ? "sinter_library_sin_f32" : "sinter_library_sin_f64", &sin};
template <std::floating_point T>
inline constexpr ScalarFunction<T> cosine{
    sizeof(T) == 4 ? "sinter_library_cos_f32" : "sinter_library_cos_f64", &cos};
template <std::floating_point T>
inline constexpr ScalarFunction<T> tangent{
    sizeof(T) == 4 ? "sinter_library_tan_f32" : "sinter_library_tan_f64", &tan};

} // namespace sinter::elementary::library
