// pow: close to the exact result, and C's special values.
#include "accuracy.h"

#include "lang/primitives/elementary/scalar_functions.h"
#include "tests/unit/sanitized.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <random>

using namespace sinter;
namespace scalar = elementary::scalar;

namespace {

using Exact =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<
                                      50, boost::multiprecision::digit_base_10, void, std::int32_t>,
                                  boost::multiprecision::et_off>;

/// Random pairs: x in [from, to], and y so that x^y is anywhere between 2^-limit and 2^limit.
struct Pairs {
  double from, to, limit;
  std::mt19937_64 random{20240229};

  double part() { return static_cast<double>(random() >> 11) * 0x1p-53; }
  std::pair<double, double> next() {
    const double x = from + (to - from) * part();
    return {x, (2 * part() - 1) * limit / std::log2(x)};
  }
};

} // namespace

TEST_CASE("pow of f64 is close to the exact result") {
  double worst = 0, worst_x = 0, worst_y = 0;
  for (Pairs pairs : {Pairs{0, 10, 1075}, Pairs{0.7, 1.42, 1075}, Pairs{0.9999, 1.0001, 1075},
                      Pairs{0, 1e300, 1075}, Pairs{0.5, 4, 10}})
    for (int i = 0; i < 2000; ++i) {
      const auto [x, y] = pairs.next();
      const Exact exact = exp(Exact(Exact(y) * log(Exact(x))));
      const double distance = accuracy::distance(scalar::pow(x, y), exact);
      if (distance > worst) worst = distance, worst_x = x, worst_y = y;
    }
  CAPTURE(worst_x);
  CAPTURE(worst_y);
  CHECK(worst <= 0.77);
}

TEST_CASE("pow of f32 is close to the exact result") {
  double worst = 0;
  for (Pairs pairs : {Pairs{0, 10, 150}, Pairs{0.7, 1.42, 150}, Pairs{0.9999, 1.0001, 150},
                      Pairs{0, 1e38, 150}, Pairs{0.5, 4, 10}})
    for (int i = 0; i < 200000; ++i) {
      const auto [x, y] = pairs.next();
      const auto a = static_cast<float>(x), b = static_cast<float>(y);
      worst =
          std::max(worst, accuracy::distance(scalar::pow(a, b), std::pow(static_cast<double>(a),
                                                                         static_cast<double>(b))));
    }
  CHECK(worst <= 0.54);
}

namespace {

/// The greatest distance of x^n from the exact result, for random x, most of them near those whose
/// power overflows or underflows.
template <typename T>
double worst_whole_power(int n, int count) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(20240301u + static_cast<unsigned>(n));
  const auto part = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double low = Limits::min_exponent - Limits::digits - 2, high = Limits::max_exponent + 2;
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double exponent = i % 4 == 0   ? 2 * part() - 1
                            : i % 4 == 1 ? low + Limits::digits * part()
                            : i % 4 == 2 ? high - 4 * part()
                                         : low + (high - low) * part();
    const double size = std::exp2(std::clamp(exponent / n, -1074.0, 1023.0));
    const T x = static_cast<T>(i % 3 == 0 ? -size : size);
    if (x == 0 || std::isinf(x)) continue;
    Exact exact = 1;
    for (int k = 0; k < std::abs(n); ++k)
      exact *= Exact(static_cast<double>(x));
    if (n < 0) exact = 1 / exact;
    const T found = scalar::pow(x, static_cast<T>(n));
    if constexpr (sizeof(T) == 8)
      worst = std::max(worst, accuracy::distance(found, exact));
    else
      worst = std::max(worst, accuracy::distance(found, static_cast<double>(exact)));
  }
  return worst;
}

} // namespace

TEST_CASE("whole powers are products, rounded once but where they underflow") {
  for (int n = -1; n <= 8; ++n) {
    if (n == 0) continue;
    CAPTURE(n);
    const double bound = n <= 2 ? 0.5 : 1;
    CHECK(worst_whole_power<double>(n, static_cast<int>(some_of(20'000))) <= bound);
    CHECK(worst_whole_power<float>(n, static_cast<int>(some_of(200'000))) <= bound);
  }
}

TEST_CASE("whole powers of numbers are the same as their products") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    const auto x = std::bit_cast<double>(random());
    const auto y = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnan(x) || std::isnan(y)) continue;
    CHECK(scalar::pow(x, 2.0) == x * x);
    CHECK(scalar::pow(y, 2.0f) == y * y);
    CHECK(scalar::pow(x, -1.0) == 1 / x);
    CHECK(scalar::pow(y, -1.0f) == 1 / y);
    CHECK(scalar::pow(x, 1.0) == x);
    CHECK(scalar::pow(x, 0.0) == 1);
  }
}

TEST_CASE("pow has C's special values") {
  const double special[] = {0.0,
                            1.0,
                            2.0,
                            3.0,
                            4.0,
                            5.0,
                            6.0,
                            7.0,
                            8.0,
                            9.0,
                            0.5,
                            1.5,
                            0.9,
                            1.1,
                            5e-324,
                            1e-45,
                            1e300,
                            1e38,
                            0x1p53,
                            0x1p53 + 2,
                            0x1p52 + 1,
                            0x1p24,
                            0x1p24 + 2,
                            0x1p23 + 1,
                            std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};
  const auto check = [&]<typename T>(T x, T y) {
    CAPTURE(x);
    CAPTURE(y);
    CHECK(accuracy::distance(scalar::pow(x, y), std::pow(static_cast<long double>(x),
                                                         static_cast<long double>(y))) <= 1);
  };
  for (double x : special)
    for (double y : special)
      for (int signs = 0; signs < 4; ++signs) {
        const double a = signs & 1 ? -x : x, b = signs & 2 ? -y : y;
        check(a, b);
        check(static_cast<float>(a), static_cast<float>(b));
      }
}
