// The arithmetic of plain C++ numbers.
#pragma once

#include "lang/primitives/elementary/arithmetic.h"

#include <bit>
#include <cmath>

namespace sinter::elementary {

struct ScalarArithmetic {
  template <class T>
  using Float = T;
  template <class T>
  using Integer = integer_of<T>;
  using Truth = bool;

  template <std::floating_point T>
  T literal(T number) {
    return number;
  }
  template <std::floating_point T>
  integer_of<T> integer_literal(std::int64_t number) {
    return static_cast<integer_of<T>>(number);
  }

  template <std::floating_point T>
  T add(T a, T b) {
    return a + b;
  }
  template <std::floating_point T>
  T sub(T a, T b) {
    return a - b;
  }
  template <std::floating_point T>
  T mul(T a, T b) {
    return a * b;
  }
  template <std::floating_point T>
  T div(T a, T b) {
    return a / b;
  }
  template <std::floating_point T>
  T neg(T a) {
    return -a;
  }
  template <std::floating_point T>
  T fma(T a, T b, T c) {
    return std::fma(a, b, c);
  }
  template <std::floating_point T>
  T sqrt(T a) {
    return std::sqrt(a);
  }
  template <std::floating_point T>
  T abs(T a) {
    return std::abs(a);
  }
  template <std::floating_point T>
  T rint(T a) {
    return std::rint(a);
  }
  template <std::floating_point T>
  T copysign(T magnitude, T sign) {
    return std::copysign(magnitude, sign);
  }
  template <std::floating_point T>
  integer_of<T> bits(T a) {
    return std::bit_cast<integer_of<T>>(a);
  }
  template <std::floating_point T>
  T from_bits(integer_of<T> a) {
    return std::bit_cast<T>(a);
  }

  template <std::signed_integral I>
  I add(I a, I b) {
    return static_cast<I>(wrap(a) + wrap(b));
  }
  template <std::signed_integral I>
  I sub(I a, I b) {
    return static_cast<I>(wrap(a) - wrap(b));
  }
  template <std::signed_integral I>
  I mul(I a, I b) {
    return static_cast<I>(wrap(a) * wrap(b));
  }
  template <std::signed_integral I>
  I bit_and(I a, I b) {
    return a & b;
  }
  template <std::signed_integral I>
  I bit_or(I a, I b) {
    return a | b;
  }
  template <std::signed_integral I>
  I bit_xor(I a, I b) {
    return a ^ b;
  }
  template <std::signed_integral I>
  I shl(I a, int count) {
    return static_cast<I>(wrap(a) << count);
  }
  template <std::signed_integral I>
  I lshr(I a, int count) {
    return static_cast<I>(wrap(a) >> count);
  }
  template <std::signed_integral I>
  I ashr(I a, int count) {
    return a >> count;
  }
  template <std::signed_integral I>
  I shift_left(I a, I count) {
    return static_cast<I>(wrap(a) << count);
  }
  std::int64_t lookup(const Table& table, std::int64_t index) {
    return table.entries[static_cast<std::size_t>(index)];
  }

  template <typename V>
  bool lt(V a, V b) {
    return a < b;
  }
  template <typename V>
  bool le(V a, V b) {
    return a <= b;
  }
  template <typename V>
  bool eq(V a, V b) {
    return a == b;
  }
  template <typename V>
  bool ne(V a, V b) {
    return a != b;
  }
  bool bit_and(bool a, bool b) { return a & b; }
  bool bit_or(bool a, bool b) { return a | b; }
  bool bit_not(bool a) { return !a; }
  template <typename V>
  V select(bool condition, V a, V b) {
    return condition ? a : b;
  }

  double widen(float a) { return a; }
  float narrow(double a) { return static_cast<float>(a); }
  template <typename Where, typename Seldom, typename Usual>
  auto either(bool hint, Where where, Seldom seldom, Usual usual) {
    return hint && where() ? seldom() : usual();
  }
  template <typename T, typename Text, typename... Operands>
  T called(std::string_view, Text text, Operands... operands) {
    return text(*this, operands...);
  }
  template <typename T, typename Text, typename... Operands>
  T rare(bool where, T value, std::string_view, Text text, Operands... operands) {
    return where ? text(*this, operands...) : value;
  }
  template <typename T, std::size_t N, typename GoesOn, typename Step>
  std::array<T, N> repeat(int most, std::array<T, N> state, GoesOn goes_on, Step step) {
    for (int count = 0; count < most && goes_on(state); ++count)
      state = step(state);
    return state;
  }

private:
  template <std::signed_integral I>
  static std::make_unsigned_t<I> wrap(I a) {
    return static_cast<std::make_unsigned_t<I>>(a);
  }
};

static_assert(Arithmetic<ScalarArithmetic, float> && Arithmetic<ScalarArithmetic, double>);

} // namespace sinter::elementary
