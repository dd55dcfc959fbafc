// Literals mean their text, rounded once, at the type that was inferred.
#include "lang/core/translator.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

double half(const char* text) {
  const Scalar value = core::float_literal({.text = text}, ElementType::F16);
  return static_cast<double>(value.as<Half>());
}

} // namespace

TEST_CASE("halves are rounded from the text, not through a double") {
  CHECK(half("0.1") == 0.0999755859375);
  CHECK(half("65504") == 65504);
  CHECK(half("0x1.8p1") == 3);
  // 1 + 2^-11 lies between two halves: even below, but a little more rounds up.
  CHECK(half("1.00048828125") == 1);
  CHECK(half("1.000488281250000001") == 1.0009765625);
  CHECK(half("1.001464843749999999") == 1.0009765625);
  CHECK(half("1.00146484375") == 1.001953125);
}

TEST_CASE("integer literals wrap to their type and may be floats") {
  CHECK(core::integer_literal({.value = 255}, ElementType::I8) == Scalar::of(std::int8_t{-1}));
  CHECK(core::integer_literal({.value = UINT64_MAX}, ElementType::U64) == Scalar::of(UINT64_MAX));
  CHECK(core::integer_literal({.digits_value = "16777217", .value = 16777217}, ElementType::F32) ==
        Scalar::of(16777216.0f));
}

TEST_CASE("negation wraps") {
  CHECK(core::negate(Scalar::of(INT64_MIN), ElementType::I64) == Scalar::of(INT64_MIN));
  CHECK(core::negate(Scalar::of(std::uint8_t{1}), ElementType::U8) ==
        Scalar::of(std::uint8_t{255}));
  CHECK(core::negate(Scalar::of(0.0), ElementType::F64) == Scalar::of(-0.0));
}
