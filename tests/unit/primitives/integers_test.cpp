// Meanings on integers: edge cases as tables, and all 8-bit operands against wider arithmetic.
#include "tests/unit/primitives/element_of.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using namespace sinter;
using namespace sinter::primitives;
using namespace sinter::test;

namespace {

template <typename T>
T compute(Operation operation, T a, T b = T{}, T c = T{}) {
  const Primitive* primitive = find(operation, element_of<T>);
  if (!primitive) FAIL("no such operation");
  return primitive->apply(Scalar::of(a), Scalar::of(b), Scalar::of(c)).template as<T>();
}
template <typename T>
bool defined(Operation operation, T a, T b) {
  const Primitive* primitive = find(operation, element_of<T>);
  return primitive->is_defined == nullptr || primitive->is_defined(Scalar::of(a), Scalar::of(b));
}

int floor_divide(int a, int b) {
  const int quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// All pairs of 8-bit operands against int arithmetic.
template <typename T>
void check_all_pairs() {
  using Limits = std::numeric_limits<T>;
  long wrong = 0;
  const auto expect = [&](Operation operation, int a, int b, int wanted) {
    if (compute(operation, static_cast<T>(a), static_cast<T>(b)) != static_cast<T>(wanted)) ++wrong;
  };
  for (int a = Limits::min(); a <= Limits::max(); ++a)
    for (int b = Limits::min(); b <= Limits::max(); ++b) {
      expect(Operation::Add, a, b, a + b);
      expect(Operation::Subtract, a, b, a - b);
      expect(Operation::Multiply, a, b, a * b);
      expect(Operation::And, a, b, a & b);
      expect(Operation::Or, a, b, a | b);
      expect(Operation::Xor, a, b, a ^ b);
      expect(Operation::Minimum, a, b, a < b ? a : b);
      expect(Operation::Maximum, a, b, a > b ? a : b);
      expect(Operation::MultiplyHigh, a, b, (a * b) >> 8);
      const bool outside = b < 0 || b >= 8;
      expect(Operation::ShiftLeft, a, b, outside ? 0 : a * (1 << b));
      expect(Operation::ShiftRight, a, b, outside ? (a < 0 ? -1 : 0) : a >> b);
      expect(Operation::ShiftRightLogical, a, b, outside ? 0 : (a & 0xff) >> b);
      if (b != 0) {
        expect(Operation::Divide, a, b, floor_divide(a, b));
        expect(Operation::Modulo, a, b, a - b * floor_divide(a, b));
        expect(Operation::Quotient, a, b, a / b);
        expect(Operation::Remainder, a, b, a % b);
      }
      if (b >= 0) {
        unsigned power = 1;
        for (int i = 0; i < b; ++i)
          power = (power * static_cast<unsigned>(a)) & 0xff;
        expect(Operation::Power, a, b, static_cast<int>(power));
      }
      for (Operation division :
           {Operation::Divide, Operation::Modulo, Operation::Quotient, Operation::Remainder})
        if (defined(division, static_cast<T>(a), static_cast<T>(b)) != (b != 0)) ++wrong;
      if (defined(Operation::Power, static_cast<T>(a), static_cast<T>(b)) != (b >= 0)) ++wrong;
    }
  for (int a = Limits::min(); a <= Limits::max(); ++a) {
    expect(Operation::Negate, a, 0, -a);
    expect(Operation::Complement, a, 0, ~a);
    expect(Operation::Absolute, a, 0, a < 0 ? -a : a);
    expect(Operation::Sign, a, 0, (a > 0) - (a < 0));
    const auto count = [&](Operation operation) {
      return find(operation, element_of<T>)
          ->apply(Scalar::of(static_cast<T>(a)), {}, {})
          .template as<std::int32_t>();
    };
    int ones = 0, leading = 0, trailing = 0;
    for (int bit = 0; bit < 8; ++bit)
      ones += (a >> bit) & 1;
    while (leading < 8 && !((a >> (7 - leading)) & 1))
      ++leading;
    while (trailing < 8 && !((a >> trailing) & 1))
      ++trailing;
    wrong += count(Operation::CountOnes) != ones;
    wrong += count(Operation::CountLeadingZeros) != leading;
    wrong += count(Operation::CountTrailingZeros) != trailing;
  }
  CHECK(wrong == 0);
}

template <typename T>
void check_edges_of_signed() {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  constexpr T width = 8 * sizeof(T);
  CAPTURE(width);
  CHECK(compute<T>(Operation::Add, most, 1) == least);
  CHECK(compute<T>(Operation::Subtract, least, 1) == most);
  CHECK(compute<T>(Operation::Multiply, least, -1) == least);
  CHECK(compute<T>(Operation::Multiply, most, most) == 1);
  CHECK(compute<T>(Operation::Negate, least) == least);
  CHECK(compute<T>(Operation::Absolute, least) == least);
  CHECK(compute<T>(Operation::Divide, least, -1) == least);
  CHECK(compute<T>(Operation::Quotient, least, -1) == least);
  CHECK(compute<T>(Operation::Modulo, least, -1) == 0);
  CHECK(compute<T>(Operation::Remainder, least, -1) == 0);
  CHECK(compute<T>(Operation::Divide, -7, 2) == -4);
  CHECK(compute<T>(Operation::Modulo, -7, 2) == 1);
  CHECK(compute<T>(Operation::Modulo, 7, -2) == -1);
  CHECK(compute<T>(Operation::Quotient, -7, 2) == -3);
  CHECK(compute<T>(Operation::Remainder, -7, 2) == -1);
  CHECK(compute<T>(Operation::ShiftLeft, 1, width) == 0);
  CHECK(compute<T>(Operation::ShiftLeft, 1, width - 1) == least);
  CHECK(compute<T>(Operation::ShiftRight, least, width) == -1);
  CHECK(compute<T>(Operation::ShiftRight, least, width - 1) == -1);
  CHECK(compute<T>(Operation::ShiftRight, most, -1) == 0);
  CHECK(compute<T>(Operation::ShiftRightLogical, least, width - 1) == 1);
  CHECK(compute<T>(Operation::ShiftRightLogical, least, width) == 0);
  CHECK(compute<T>(Operation::Power, 3, 0) == 1);
  CHECK(compute<T>(Operation::Power, -2, width - 1) == least);
  CHECK(compute<T>(Operation::Power, -2, width) == 0);
  CHECK(compute<T>(Operation::Power, 0, 0) == 1);
  CHECK_FALSE(defined<T>(Operation::Power, 1, -1));
  CHECK_FALSE(defined<T>(Operation::Divide, 1, 0));
  CHECK_FALSE(defined<T>(Operation::Modulo, 0, 0));
  CHECK(compute<T>(Operation::MultiplyHigh, least, least) == T(most / 2 + 1));
  CHECK(compute<T>(Operation::MultiplyHigh, -1, 1) == -1);
  CHECK(compute<T>(Operation::MultiplyAddHigh, -1, 1, 5) == 4);
}

template <typename T>
void check_edges_of_unsigned() {
  constexpr T most = std::numeric_limits<T>::max();
  constexpr T width = 8 * sizeof(T);
  CAPTURE(width);
  CHECK(compute<T>(Operation::Add, most, 1) == 0);
  CHECK(compute<T>(Operation::Subtract, 0, 1) == most);
  CHECK(compute<T>(Operation::Multiply, most, most) == 1);
  CHECK(compute<T>(Operation::Negate, 1) == most);
  CHECK(compute<T>(Operation::Absolute, most) == most);
  CHECK(compute<T>(Operation::Sign, most) == 1);
  CHECK(compute<T>(Operation::Divide, most, 2) == T(most / 2));
  CHECK(compute<T>(Operation::ShiftRight, most, width - 1) == 1);
  CHECK(compute<T>(Operation::ShiftRight, most, width) == 0);
  CHECK(compute<T>(Operation::Power, 2, width - 1) == T(most / 2 + 1));
  CHECK(compute<T>(Operation::Power, most, most) == most);
  CHECK(defined<T>(Operation::Power, 2, most));
  CHECK(compute<T>(Operation::MultiplyHigh, most, most) == T(most - 1));
  CHECK(compute<T>(Operation::MultiplyAddHigh, most, most, 3) == 1);
}

} // namespace

TEST_CASE("all 8-bit operands agree with wider arithmetic") {
  check_all_pairs<std::int8_t>();
  check_all_pairs<std::uint8_t>();
}

TEST_CASE("signed integers wrap around") {
  check_edges_of_signed<std::int8_t>();
  check_edges_of_signed<std::int16_t>();
  check_edges_of_signed<std::int32_t>();
  check_edges_of_signed<std::int64_t>();
}

TEST_CASE("unsigned integers wrap around") {
  check_edges_of_unsigned<std::uint8_t>();
  check_edges_of_unsigned<std::uint16_t>();
  check_edges_of_unsigned<std::uint32_t>();
  check_edges_of_unsigned<std::uint64_t>();
}

TEST_CASE("undefined operations say so") {
  CHECK(find(Operation::Divide, ElementType::I32)->failure == "division by zero");
  CHECK(find(Operation::Remainder, ElementType::U8)->failure == "division by zero");
  CHECK(find(Operation::Power, ElementType::I64)->failure == "negative exponent");
  CHECK(bool(!find(Operation::Divide, ElementType::F32)->is_defined));
  CHECK(bool(!find(Operation::Power, ElementType::F64)->is_defined));
  CHECK(bool(!find(Operation::Add, ElementType::I32)->is_defined));
}

TEST_CASE("conversions between integers cut and extend") {
  using E = ElementType;
  CHECK(convert<std::int64_t>(E::I8, E::I64, std::int8_t{-1}) == -1);
  CHECK(convert<std::uint64_t>(E::I8, E::U64, std::int8_t{-1}) == 255);
  CHECK(convert<std::uint64_t>(E::I64, E::U64, std::int64_t{-1}) == 0xffffffffffffffffu);
  CHECK(convert<std::int64_t>(E::U8, E::I64, std::uint8_t{255}) == 255);
  CHECK(convert<std::int8_t>(E::U8, E::I8, std::uint8_t{255}) == -1);
  CHECK(convert<std::int8_t>(E::I64, E::I8, std::int64_t{0x1234567890ab}) ==
        static_cast<std::int8_t>(0xab));
  CHECK(convert<std::uint16_t>(E::I32, E::U16, -65535) == 1);
  CHECK(convert<bool>(E::I16, E::Bool, std::int16_t{256}) == true);
  CHECK(convert<bool>(E::U64, E::Bool, std::uint64_t{0}) == false);
  CHECK(convert<std::int32_t>(E::Bool, E::I32, true) == 1);
  CHECK(convert<double>(E::Bool, E::F64, true) == 1.0);
}
