// Functions with exactly defined results: remainders, ldexp, nextafter, and what becomes f16.
#include "lang/primitives/elementary/half.h"
#include "lang/primitives/elementary/scalar_arithmetic.h"
#include "lang/primitives/elementary/scalar_functions.h"
#include "lang/values/scalar.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace sinter;
namespace scalar = elementary::scalar;

namespace {

template <typename T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}
template <typename T>
T random_bits(std::mt19937_64& random) {
  return std::bit_cast<T>(static_cast<elementary::integer_of<T>>(random()));
}
template <typename T>
std::vector<T> special_numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers;
  for (const T number :
       {T(0), Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min() / 2,
        std::nextafter(Limits::min(), T(0)), Limits::min(), T(0.1), std::nextafter(T(1), T(0)),
        T(1), std::nextafter(T(1), T(2)), T(1.5), T(3), T(7), T(1) / Limits::epsilon(),
        T(2) / Limits::epsilon(), Limits::max() / 3, Limits::max(), Limits::infinity(),
        Limits::quiet_NaN()}) {
    numbers.push_back(number);
    numbers.push_back(-number);
  }
  return numbers;
}

/// Calls `check` on all pairs of special numbers and on random ones, near to each other and far.
template <typename T, typename Check>
void for_each_pair(Check check) {
  const std::vector<T> special = special_numbers<T>();
  for (const T x : special)
    for (const T y : special)
      check(x, y);
  std::mt19937_64 random(11);
  for (int i = 0; i < 200000; ++i) {
    const T x = random_bits<T>(random), y = random_bits<T>(random);
    check(x, y);
    check(x, special[random() % special.size()]);
    const T factor = static_cast<T>(random() % 100000) / 7;
    check(y * factor, y);
    check(std::round(factor) *
              std::bit_cast<T>(std::bit_cast<elementary::integer_of<T>>(y) & ~0xff),
          y);
  }
}

template <typename T>
void check_remainders() {
  int wrong = 0;
  for_each_pair<T>([&](T x, T y) { wrong += !same(scalar::fmod(x, y), std::fmod(x, y)); });
  CHECK(wrong == 0);
}
template <typename T>
void check_neighbours() {
  int wrong = 0;
  for_each_pair<T>(
      [&](T x, T y) { wrong += !same(scalar::nextafter(x, y), std::nextafter(x, y)); });
  CHECK(wrong == 0);
}
template <typename T>
void check_exponents() {
  int wrong = 0;
  const auto check = [&](T x, std::int32_t n) {
    wrong += !same(scalar::ldexp(x, n), std::ldexp(x, n));
  };
  std::vector<T> numbers = special_numbers<T>();
  std::mt19937_64 random(12);
  for (int i = 0; i < 300; ++i)
    numbers.push_back(random_bits<T>(random));
  for (const T x : numbers) {
    for (std::int32_t n = -2200; n <= 2200; ++n)
      check(x, n);
    for (const std::int32_t n : {std::numeric_limits<std::int32_t>::min(),
                                 std::numeric_limits<std::int32_t>::max(), 1 << 30, -(1 << 23)})
      check(x, n);
  }
  CHECK(wrong == 0);
}

Half half(std::uint32_t pattern) {
  return std::bit_cast<Half>(static_cast<std::uint16_t>(pattern));
}
bool same_half(Half a, Half b) {
  return same(static_cast<double>(a), static_cast<double>(b));
}

} // namespace

TEST_CASE("remainders are exact") {
  check_remainders<float>();
  check_remainders<double>();
}

TEST_CASE("neighbours are those of the C library") {
  check_neighbours<float>();
  check_neighbours<double>();
}

TEST_CASE("products with powers of two are rounded once") {
  check_exponents<float>();
  check_exponents<double>();
}

TEST_CASE("neighbours of halves: each has two, and they are in order") {
  const std::uint32_t infinity = 0x7c00, sign = 0x8000;
  for (std::uint32_t pattern = 0; pattern < infinity; ++pattern) {
    const auto next = [](std::uint32_t x, std::uint32_t y) {
      return scalar::next_half(static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y));
    };
    for (const std::uint32_t towards : {infinity, infinity - 1, pattern + 1}) {
      CHECK(next(pattern, towards) == (pattern == towards ? pattern : pattern + 1));
      CHECK(next(pattern | sign, towards | sign) ==
            ((pattern == towards ? pattern : pattern + 1) | sign));
    }
    CHECK(next(pattern, sign | infinity) == (pattern == 0 ? sign | 1 : pattern - 1));
    CHECK(next(pattern | sign, infinity) == (pattern == 0 ? 1 : (pattern - 1) | sign));
    CHECK(next(pattern, pattern) == pattern);
    CHECK(next(pattern, 0x7e00) == 0x7e00);
    CHECK(next(0x7e00, pattern) == 0x7e00);
  }
}

TEST_CASE("remainders of halves are exact") {
  int wrong = 0;
  for (std::uint32_t x = 0; x < 0x10000; x += 7)
    for (std::uint32_t y = x % 13; y < 0x10000; y += 61) {
      const float a = static_cast<float>(half(x)), b = static_cast<float>(half(y));
      const float rest = scalar::fmod(a, b);
      wrong +=
          !same(rest, std::fmod(a, b)) || !same(static_cast<float>(static_cast<Half>(rest)), rest);
    }
  CHECK(wrong == 0);
}

TEST_CASE("halves times powers of two are rounded once") {
  int wrong = 0;
  for (std::uint32_t x = 0; x < 0x10000; ++x)
    for (const std::int32_t n : {-100000, -149, -60, -41, -26, -25, -24, -16, -15, -14, -11,   -10,
                                 -9,      -2,   -1,  0,   1,   5,   16,  40,  60,  127, 100000}) {
      const Half found = static_cast<Half>(scalar::ldexp(static_cast<float>(half(x)), n));
      wrong += !same_half(found, static_cast<Half>(std::ldexp(static_cast<double>(half(x)), n)));
    }
  CHECK(wrong == 0);
}

TEST_CASE("f64 becomes f16 in one rounding") {
  elementary::ScalarArithmetic arithmetic;
  using Number = elementary::Real<elementary::ScalarArithmetic, double>;
  int wrong = 0;
  const auto check = [&](double x) {
    const Half found = static_cast<Half>(elementary::narrow_for_half(Number{&arithmetic, x}).value);
    wrong += !same_half(found, static_cast<Half>(x));
  };
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const double x = static_cast<double>(half(pattern));
    const double y = static_cast<double>(half(pattern ^ 1));
    // (Beyond the greatest half, the middle is where the next one would be.)
    const double middle = std::isinf(y) ? std::copysign(65520, x) : x + (y - x) / 2;
    for (const double point : {x, middle, middle * (1 + 0x1p-25), middle * (1 - 0x1p-25)}) {
      check(point);
      check(std::nextafter(point, 0.0));
      check(std::nextafter(point, 2 * point));
    }
  }
  std::mt19937_64 random(13);
  for (int i = 0; i < 100000; ++i) {
    check(random_bits<double>(random));
    check(std::ldexp(static_cast<double>(random()), -64 - static_cast<int>(random() % 40)));
  }
  CHECK(wrong == 0);
}

TEST_CASE("a b + c of halves is rounded once") {
  std::mt19937_64 random(14);
  int wrong = 0;
  for (int i = 0; i < 2000000; ++i) {
    const Half a = half(random() & 0xffff), b = half(random() & 0xffff);
    // Often about as great as the product.
    const Half c = i % 2 == 0
                       ? half(random() & 0xffff)
                       : static_cast<Half>(static_cast<float>(a) * static_cast<float>(b) *
                                           static_cast<float>(static_cast<int>(random() % 9) - 4));
    const auto wide = [](Half x) { return static_cast<double>(x); };
    const Half found = static_cast<Half>(scalar::fused_multiply_add_for_half(
        static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    wrong += !same_half(found, static_cast<Half>(wide(a) * wide(b) + wide(c)));
  }
  CHECK(wrong == 0);
}
