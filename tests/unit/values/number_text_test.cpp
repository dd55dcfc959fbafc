#include "lang/values/number_text.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace sinter;

namespace {

template <typename T>
std::string printed(T value) {
  return print(element_type_of<T>, Scalar::of(value));
}

template <typename T>
std::optional<T> parsed(std::string_view text) {
  std::string why;
  std::optional<Scalar> scalar = parse_scalar(text, element_type_of<T>, why);
  T fast{};
  if (const char* end = scan_scalar(text.data(), text.data() + text.size(), fast)) {
    // What the fast way reads, the careful way reads alike.
    REQUIRE(end == text.data() + text.size());
    REQUIRE(scalar.has_value());
    CHECK(Scalar::of(fast).bits == scalar->bits);
  }
  if (!scalar) {
    CHECK_FALSE(why.empty());
    return std::nullopt;
  }
  return scalar->as<T>();
}

Half half_of(std::uint16_t bits) {
  return std::bit_cast<Half>(bits);
}

} // namespace

TEST_CASE("every half prints to a text that reads back to the same bits") {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    auto bits = static_cast<std::uint16_t>(i);
    Half value = half_of(bits);
    std::string text = printed(value);
    CAPTURE(text);
    std::optional<Half> back = parsed<Half>(text);
    REQUIRE(back.has_value());
    if (std::isnan(static_cast<float>(value)))
      CHECK(std::isnan(static_cast<float>(*back)));
    else
      CHECK(std::bit_cast<std::uint16_t>(*back) == bits);
    if (std::isfinite(static_cast<float>(value)))
      CHECK(parsed<Half>(print(ElementType::F16, Scalar::of(value), false)) == value);
  }
}

TEST_CASE("no shorter text stands for the same half") {
  for (std::uint32_t i = 1; i < 0x6800; ++i) { // up to 2048; above, whole numbers are in full
    Half value = half_of(static_cast<std::uint16_t>(i));
    std::string text = print(ElementType::F16, Scalar::of(value), false);
    std::size_t digits = 0;
    double shown = std::strtod(text.c_str(), nullptr);
    char scientific[32];
    char* end =
        std::to_chars(scientific, scientific + 32, shown, std::chars_format::scientific).ptr;
    for (char* p = scientific; p < end && *p != 'e'; ++p)
      digits += *p != '.';
    if (digits == 1) continue;
    // One digit less, rounded: must be another half.
    end = std::to_chars(scientific, scientific + 32, static_cast<double>(value),
                        std::chars_format::scientific, static_cast<int>(digits) - 2)
              .ptr;
    *end = 0;
    CAPTURE(text);
    CHECK(static_cast<Half>(std::strtod(scientific, nullptr)) != value);
  }
}

TEST_CASE("decimal texts are rounded to half once") {
  CHECK(parsed<Half>("65519.999999999999999999999f16") == static_cast<Half>(65504));
  CHECK(std::isinf(static_cast<float>(*parsed<Half>("65520f16"))));
  CHECK(parsed<Half>("65520.0e0") == parsed<Half>("f16.inf"));
  // 2049 lies between 2048 and 2050; 2051 between 2050 and 2052.
  CHECK(parsed<Half>("2049") == static_cast<Half>(2048));
  CHECK(parsed<Half>("2049.00000000000000000000000000001") == static_cast<Half>(2050));
  CHECK(parsed<Half>("2048.99999999999999999999999999999") == static_cast<Half>(2048));
  CHECK(parsed<Half>("2051") == static_cast<Half>(2052));
  CHECK(parsed<Half>("2050.99999999999999999999999999999") == static_cast<Half>(2050));
  // Half of the smallest one.
  CHECK(parsed<Half>("2.98023223876953125e-8") == half_of(0));
  CHECK(parsed<Half>("2.980232238769531250000000000001e-8") == half_of(1));
  CHECK(parsed<Half>("0.0000000298023223876953125") == half_of(0));
  CHECK(parsed<Half>("-0x1p-24") == half_of(0x8001));
  CHECK(parsed<Half>("0x1.0000000001p-25") == half_of(1));
  CHECK(parsed<Half>("0x1.00000000000000000000001p-25") == half_of(1));
}

TEST_CASE("floats print to the shortest text that reads back to the same bits") {
  std::uint64_t seed = 20240611;
  CAPTURE(seed);
  std::mt19937_64 engine(seed);
  for (int i = 0; i < 200000; ++i) {
    auto single = std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    if (!std::isnan(single)) {
      std::string text = printed(single);
      CAPTURE(text);
      CHECK(std::bit_cast<std::uint32_t>(parsed<float>(text).value()) ==
            std::bit_cast<std::uint32_t>(single));
    }
    auto twice = std::bit_cast<double>(engine());
    if (!std::isnan(twice)) {
      std::string text = printed(twice);
      CAPTURE(text);
      CHECK(std::bit_cast<std::uint64_t>(parsed<double>(text).value()) ==
            std::bit_cast<std::uint64_t>(twice));
    }
    double plain = static_cast<double>(static_cast<std::int64_t>(engine()) % 1000000) / 1000;
    CHECK(parsed<double>(printed(plain)) == plain);
  }
}

TEST_CASE("how scalars look") {
  CHECK(printed(1.0) == "1.0f64");
  CHECK(printed(-0.0) == "-0.0f64");
  CHECK(printed(0.1f) == "0.1f32");
  CHECK(printed(1.5f) == "1.5f32");
  CHECK(printed(1e20) == "1.0e20f64");
  CHECK(printed(1.25e-7) == "1.25e-7f64");
  CHECK(printed(123456.0f) == "123456.0f32");
  CHECK(printed(1e7f) == "1.0e7f32");
  CHECK(printed(0.0001) == "0.0001f64");
  CHECK(printed(std::numeric_limits<double>::max()) == "1.7976931348623157e308f64");
  CHECK(printed(std::numeric_limits<float>::infinity()) == "f32.inf");
  CHECK(printed(-std::numeric_limits<double>::infinity()) == "-f64.inf");
  CHECK(printed(std::numeric_limits<double>::quiet_NaN()) == "f64.nan");
  CHECK(printed(static_cast<Half>(0.1)) == "0.1f16");
  CHECK(printed(static_cast<Half>(65504)) == "65504.0f16");
  CHECK(printed(static_cast<Half>(3)) == "3.0f16");
  CHECK(printed(static_cast<Half>(123.5)) == "123.5f16");
  CHECK(printed(half_of(1)) == "6.0e-8f16");
  CHECK(printed(half_of(0x8001)) == "-6.0e-8f16");
  CHECK(printed(std::int8_t{-128}) == "-128i8");
  CHECK(printed(std::uint64_t{UINT64_MAX}) == "18446744073709551615u64");
  CHECK(printed(true) == "true");
  CHECK(print(ElementType::I32, Scalar::of(7), false) == "7");
}

TEST_CASE("what scalars may be written as") {
  CHECK(parsed<std::int32_t>("1_000") == 1000);
  CHECK(parsed<std::int32_t>("0x1_F") == 31);
  CHECK(parsed<std::int32_t>("-0b101i32") == -5);
  CHECK(parsed<std::int32_t>("0xFFFFFFFF") == -1);
  CHECK(parsed<std::int8_t>("255i8") == -1);
  CHECK(parsed<std::int8_t>("-128") == -128);
  CHECK(parsed<std::int64_t>("9223372036854775808") == INT64_MIN);
  CHECK(parsed<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  CHECK(parsed<std::uint64_t>("10000000000000000000") == 10'000'000'000'000'000'000u);
  CHECK(parsed<std::uint64_t>("00000000000000000007") == 7);
  CHECK(parsed<std::uint64_t>("00000000000000000000007") == 7);
  CHECK_FALSE(parsed<std::uint64_t>("18446744073709551616"));
  CHECK_FALSE(parsed<std::uint64_t>("19999999999999999999"));
  CHECK_FALSE(parsed<std::uint64_t>("28446744073709551615"));
  CHECK_FALSE(parsed<std::uint64_t>("184467440737095516150"));
  CHECK(parsed<std::int64_t>("-9223372036854775808") == INT64_MIN);
  CHECK(parsed<std::int16_t>("0xabi16") == 0xab);
  CHECK(parsed<double>("3") == 3.0);
  CHECK(parsed<double>("-0") == 0.0);
  CHECK(std::signbit(*parsed<double>("-0")));
  CHECK(parsed<float>("1f32") == 1.0f);
  CHECK(parsed<float>("1.f32") == 1.0f);
  CHECK(parsed<float>(".5") == 0.5f);
  CHECK(parsed<float>("1_0.2_5e+1_0") == 10.25e10f);
  CHECK(parsed<double>("0x1.8p3f64") == 12.0);
  CHECK(parsed<double>("0x10p-1") == 8.0);
  CHECK(parsed<float>("0x1.000001p0") == 1.0f);          // halfway: to even
  CHECK(parsed<float>("0x1.0000010000000001p0") > 1.0f); // above halfway
  CHECK(parsed<float>("1e999") == std::numeric_limits<float>::infinity());
  CHECK(parsed<float>("-1e-999") == 0.0f);
  CHECK(parsed<double>("0.0e99999999999999999999") == 0.0);
  CHECK(parsed<double>("1e99999999999999999999") == std::numeric_limits<double>::infinity());
  CHECK(parsed<double>("0x1p99999999999999999999") == std::numeric_limits<double>::infinity());
  CHECK(parsed<double>("-inf") == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(*parsed<float>("f32.nan")));
  CHECK(std::isnan(*parsed<float>("nan")));
  CHECK(parsed<float>("0x10") == 16.0f);
  CHECK(parsed<bool>("true") == true);
}

TEST_CASE("what scalars may not be written as") {
  for (const char* text : {"",
                           "-",
                           "_1",
                           "0x",
                           "0b",
                           "0b2",
                           "1.0",
                           "1i64",
                           "256i8x",
                           "4294967296",
                           "-2147483649",
                           "true",
                           "i32",
                           "f32.nan",
                           "1__i32_",
                           "+1",
                           "--1",
                           "1e5",
                           "99999999999999999999",
                           "0xg"})
    CHECK_MESSAGE(!parsed<std::int32_t>(text), text);
  for (const char* text : {"", ".", "-.", "e5", "1e", "1e+", "1.2.3", "0x.p1", "0x1p", "0x1.8",
                           "1i32", "1f64", "f64.nan", "i32.nan", "true", "0x1p1p1", "_1.0", "1-2"})
    CHECK_MESSAGE(!parsed<float>(text), text);
  // A negative number in an unsigned type stands for the same bits.
  CHECK(parsed<std::uint8_t>("-1") == std::uint8_t{255});
  CHECK(parsed<std::uint8_t>("-128") == std::uint8_t{128});
  CHECK_FALSE(parsed<std::uint8_t>("-129"));
  CHECK_FALSE(parsed<std::uint8_t>("256"));
  CHECK_FALSE(parsed<bool>("1"));
  std::string why;
  CHECK_FALSE(parse_scalar("3i64", ElementType::I32, why));
  CHECK(why == "expected a value of type i32, found `3i64` of type i64");
  CHECK_FALSE(parse_scalar("300u8", ElementType::U8, why));
  CHECK(why == "the number `300u8` does not fit into u8");
}
