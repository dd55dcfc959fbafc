// Elementary functions of two numbers but pow: close to the exact result, and C's special values.
#include "accuracy.h"

#include "lang/primitives/elementary/scalar_functions.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <utility>

using namespace sinter;
namespace scalar = elementary::scalar;

namespace {

// The C library's functions at 80 bits are exact to 2^-10 ULP of f64.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64);

struct Case {
  std::string name;
  float (*at_f32)(float, float);
  double (*at_f64)(double, double);
  Wide (*exact)(Wide, Wide);
  double bound; ///< in ULP
};
#define SINTER_CASE(name, expression, bound)                                                       \
  Case {                                                                                           \
#name, [](float x, float y) { return scalar::name(x, y); },                                    \
        [](double x, double y) { return scalar::name(x, y); },                                     \
        [](Wide x, Wide y) -> Wide { return expression; }, bound   \
  }
const Case cases[] = {
    SINTER_CASE(atan2, std::atan2(x, y), 0.76),
    SINTER_CASE(atan2pi, std::atan2(x, y) / std::numbers::pi_v<Wide>, 1),
    SINTER_CASE(hypot, std::hypot(x, y), 0.51),
};

struct Worst {
  double distance = 0, x = 0, y = 0;

  void see(double now, double at_x, double at_y) {
    if (now > distance) *this = {now, at_x, at_y};
  }
};

/// Calls `f` with random pairs: of one magnitude, of neighbouring ones, of any, tiny and huge ones.
template <typename T, typename F>
void for_random_pairs(int count, F f) {
  std::mt19937_64 random(20240229);
  const auto part = [&] {
    return static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
  };
  const auto any = [&] {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    else
      return std::bit_cast<double>(random());
  };
  const T least = std::numeric_limits<T>::denorm_min(), greatest = std::numeric_limits<T>::max();
  for (int i = 0; i < count; ++i) {
    const T x = part(), y = part();
    f(x, y);
    f(x, y * y * y * y);
    f(any(), any());
    f(x * greatest, y * greatest);
    f(x * 1000 * least, y * 1000 * least);
    f(x * std::numeric_limits<T>::min(), y);
  }
}

} // namespace

TEST_CASE("functions of two numbers are close to the exact results") {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    Worst f32, f64;
    for_random_pairs<float>(50000, [&](float x, float y) {
      f32.see(accuracy::distance(one.at_f32(x, y), one.exact(x, y)), x, y);
    });
    for_random_pairs<double>(50000, [&](double x, double y) {
      f64.see(accuracy::distance(one.at_f64(x, y), one.exact(x, y)), x, y);
    });
    CAPTURE(f32.x);
    CAPTURE(f32.y);
    CHECK(f32.distance <= one.bound);
    CAPTURE(f64.x);
    CAPTURE(f64.y);
    CHECK(f64.distance <= one.bound);
  }
}

TEST_CASE("functions of two numbers have C's special values") {
  const double special[] = {0.0,
                            1.0,
                            2.0,
                            0.5,
                            5e-324,
                            1e-300,
                            1e-45,
                            1e38,
                            1e308,
                            std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};
  for (const Case& one : cases)
    for (double x : special)
      for (double y : special)
        for (int signs = 0; signs < 4; ++signs) {
          const double a = signs & 1 ? -x : x, b = signs & 2 ? -y : y;
          const auto c = static_cast<float>(a), d = static_cast<float>(b);
          CAPTURE(one.name);
          CAPTURE(a);
          CAPTURE(b);
          CHECK(accuracy::distance(one.at_f64(a, b), one.exact(a, b)) <= 1);
          CHECK(accuracy::distance(one.at_f32(c, d), one.exact(c, d)) <= 1);
        }
}
