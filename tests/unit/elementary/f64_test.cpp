// Elementary functions at f64 against Boost.Multiprecision, at random and at hard points.
#include "accuracy.h"

#include "lang/primitives/elementary/scalar_functions.h"
#include "tests/unit/sanitized.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
namespace scalar = elementary::scalar;

namespace {

using Exact =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<
                                      50, boost::multiprecision::digit_base_10, void, std::int32_t>,
                                  boost::multiprecision::et_off>;

constexpr double infinity = std::numeric_limits<double>::infinity();

const Exact nan_value = std::numeric_limits<Exact>::quiet_NaN();
const Exact infinite_value = std::numeric_limits<Exact>::infinity();
const Exact ln2 = log(Exact(2));
const Exact pi = boost::math::constants::pi<Exact>();

struct Interval {
  double from, to;
};

/// Numbers that are special to many functions, with their neighbours.
std::vector<double> special_points() {
  std::vector<double> points = {0.0, -0.0, infinity, -infinity, std::nan("")};
  for (double x : {0x1p-1074,
                   0x1p-1022,
                   0x1p-54,
                   0x1p-28,
                   0.25,
                   0.5,
                   0.707106781186547524,
                   0.75,
                   1.0,
                   1.41421356237309505,
                   1.5,
                   2.0,
                   3.0,
                   10.0,
                   100.0,
                   709.78,
                   710.0,
                   745.13,
                   746.0,
                   0x1p52,
                   0x1p53,
                   0x1p100,
                   6381956970095103 * 0x1p797, // the nearest of all to a multiple of pi/2
                   0x1p1023,
                   1.79769313486231571e308})
    for (double near : {std::nextafter(x, 0.0), x, std::nextafter(x, infinity)})
      for (double point : {near, -near})
        points.push_back(point);
  return points;
}

/// `count` random points of each interval, as many with random bits, and the special ones.
std::vector<double> points_in(const std::vector<Interval>& intervals, int count) {
  std::mt19937_64 random(20240229);
  std::vector<double> points = special_points();
  for (const Interval& interval : intervals)
    for (int i = 0; i < count; ++i) {
      const double part = static_cast<double>(random() >> 11) * 0x1p-53;
      points.push_back(interval.from + (interval.to - interval.from) * part);
    }
  for (int i = 0; i < count; ++i)
    points.push_back(std::bit_cast<double>(random()));
  return points;
}

/// Boost's own functions fail at some special values.
Exact exponential(const Exact& x) {
  return x > 1000 ? infinite_value : x < -1000 ? Exact(0) : Exact(exp(x));
}
Exact logarithm(const Exact& x) {
  if (x == 0) return -infinite_value;
  return x < 0 ? nan_value : isinf(x) ? x : Exact(log(x));
}
/// For finite x other than 0.
Exact hyperbolic_sine(const Exact& x) {
  using boost::multiprecision::abs;
  if (abs(x) < Exact(1e-10)) return x + x * x * x / 6;
  return (exponential(x) - exponential(-x)) / 2;
}
/// log(a + b), also where 50 digits do not hold the sum.
Exact logarithm_of_sum(const Exact& a, const Exact& b) {
  using boost::multiprecision::abs;
  if (abs(b) > abs(a) * Exact(1e-20)) return logarithm(a + b);
  const Exact x = b / a;
  return logarithm(a) + x - x * x / 2 + x * x * x / 3;
}
/// log(x + sqrt(x² + sign)), for x >= 0.
Exact area(const Exact& x, int sign) {
  if (isinf(x)) return x;
  const Exact root = sqrt(Exact(x * x + sign));
  // sqrt(1 + x²) - 1, without cancellation.
  if (sign > 0 && x < 1) return logarithm_of_sum(1, x + x * x / (1 + root));
  return logarithm(x + root);
}

Exact arc_sine(const Exact& x) {
  using boost::multiprecision::abs;
  return x == 0                  ? x
         : abs(x) > 1            ? nan_value
         : abs(x) < Exact(1e-15) ? Exact(x + x * x * x / 6)
                                 : Exact(asin(x));
}
Exact arc_tangent(const Exact& x) {
  using boost::multiprecision::abs;
  if (x == 0) return x;
  if (abs(x) < Exact(1e-15)) return x - x * x * x / 3;
  return atan(abs(x)) * (x < 0 ? -1 : 1);
}

Exact error_function(const Exact& x) {
  return x == 0 ? x : isinf(x) ? Exact(x < 0 ? -1 : 1) : boost::math::erf(x);
}
Exact complementary_error_function(const Exact& x) {
  return x > 40 ? Exact(0) : x < -40 ? Exact(2) : boost::math::erfc(x);
}

/// x less its whole turns, with enough digits for every double.
Exact angle(const Exact& x) {
  if (abs(x) < 1) return x;
  using Long = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<400, boost::multiprecision::digit_base_10, void,
                                           std::int32_t>,
      boost::multiprecision::et_off>;
  static const Long turn = 2 * boost::math::constants::pi<Long>();
  const Long wide(x);
  return Exact(wide - turn * round(wide / turn));
}
/// sin(pi x) and cos(pi x).
Exact sine_of_pi_times(const Exact& x) {
  if (isinf(x)) return nan_value;
  const Exact turn = x - 2 * round(x / 2); // in [-1, 1]
  const Exact half = abs(turn) > 0.5 ? Exact((turn < 0 ? -1 : 1) - turn) : turn;
  if (half == 0) return signbit(x) ? Exact(-Exact(0)) : Exact(0);
  return sin(Exact(half * pi));
}
Exact cosine_of_pi_times(const Exact& x) {
  if (isinf(x)) return nan_value;
  const Exact turn = abs(Exact(x - 2 * round(x / 2)));
  return turn == 0.5 ? Exact(0) : sine_of_pi_times(Exact(0.5) - turn);
}

/// pi / sin(pi x) for x that is not whole.
Exact reflection(const Exact& x) {
  return pi / sine_of_pi_times(x);
}
Exact gamma(const Exact& x) {
  const bool is_whole = !isinf(x) && floor(x) == x;
  if (x == 0) return signbit(x) ? Exact(-infinite_value) : infinite_value;
  if (x < 0 && (is_whole || isinf(x))) return nan_value;
  if (x > 200) return infinite_value;
  if (x < -200) return fmod(floor(x), Exact(2)) == 0 ? Exact(0) : Exact(-Exact(0));
  return x >= 0.5 ? boost::math::tgamma(x)
                  : Exact(reflection(x) / boost::math::tgamma(Exact(1 - x)));
}
Exact log_gamma(const Exact& x) {
  if (isinf(x) || (x <= 0 && floor(x) == x)) return infinite_value;
  if (x == 1 || x == 2) return Exact(0);
  if (x >= 0.5) return x > 1e280 ? Exact(x * (log(x) - 1)) : boost::math::lgamma(x);
  if (abs(x) < 1e-60) return -log(abs(x));
  return log(abs(reflection(x))) - log_gamma(Exact(1 - x));
}

struct Case {
  std::string name;
  double (*function)(double);
  Exact (*exact)(const Exact&);
  double bound; ///< in ULP
  std::vector<Interval> intervals;
};

/// Boost's functions throw, or loop, at some special values: those are given here.
#define SINTER_CASE(name, expression, bound, ...)                                                  \
  Case {                                                                                           \
#name, [](double x) { return scalar::name(x); }, [](const Exact& x)                            \
                                                          -> Exact { return expression; }, bound,  \
    {                                                                                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

const std::vector<Case> cases = {
    SINTER_CASE(sqrt, x < 0 ? nan_value : Exact(sqrt(x)), 0.501, {0, 4}),
    SINTER_CASE(rsqrt,
                x == 0  ? (signbit(x) ? Exact(-infinite_value) : infinite_value)
                : x < 0 ? nan_value
                        : Exact(1 / sqrt(x)),
                0.51, {0, 4}),
    SINTER_CASE(exp, exponential(x), 0.9, {-1, 1}, {-745.2, -708}, {-708, 709.8}),
    SINTER_CASE(log, logarithm(x), 0.93, {0.7, 0.72}, {0.7, 1.42}, {0, 2}),
    SINTER_CASE(sin,
                isinf(x) ? nan_value
                : x == 0 ? x
                         : Exact(sin(angle(x))),
                0.85, {-1, 1}, {-10, 10}, {-1e9, 1e9}, {-1e12, 1e12}),
    SINTER_CASE(cos, isinf(x) ? nan_value : Exact(cos(angle(x))), 0.9, {-1, 1}, {-10, 10},
                {-1e9, 1e9}, {-1e12, 1e12}),
    SINTER_CASE(tan,
                isinf(x) ? nan_value
                : x == 0 ? x
                         : Exact(tan(angle(x))),
                0.85, {-1, 1}, {-10, 10}, {-1e9, 1e9}, {-1e12, 1e12}),
    SINTER_CASE(sinpi, sine_of_pi_times(x), 1, {-1, 1}, {-100, 100}),
    SINTER_CASE(cospi, cosine_of_pi_times(x), 0.95, {-1, 1}, {-100, 100}),
    SINTER_CASE(tanpi,
                cosine_of_pi_times(x) == 0
                    ? (sine_of_pi_times(x) < 0 ? Exact(-infinite_value) : infinite_value)
                    : Exact(sine_of_pi_times(x) / cosine_of_pi_times(x)),
                1, {-1, 1}, {-100, 100}),
    SINTER_CASE(log2, logarithm(x) / ln2, 0.7, {0.7, 1.42}, {0, 2}),
    SINTER_CASE(log10, logarithm(x) / log(Exact(10)), 0.7, {0.7, 1.42}, {0, 2}),
    SINTER_CASE(log1p, x == 0 ? x : logarithm_of_sum(1, x), 0.51, {-1, 1}, {-1e-5, 1e-5}, {0, 100}),
    SINTER_CASE(sinh,
                x == 0 || isinf(x) ? x
                : abs(x) > 800     ? Exact(x * infinite_value)
                                   : hyperbolic_sine(x),
                0.8, {-1, 1}, {-25, 25}, {-712, 712}),
    SINTER_CASE(cosh, (exponential(x) + exponential(-x)) / 2, 0.65, {-1, 1}, {-25, 25},
                {-712, 712}),
    SINTER_CASE(tanh,
                abs(x) > 100 ? Exact(x < 0 ? -1 : 1)
                : x == 0     ? x
                             : Exact(hyperbolic_sine(x) / ((exponential(x) + exponential(-x)) / 2)),
                0.8, {-1, 1}, {-25, 25}),
    SINTER_CASE(asinh,
                x == 0 || isinf(x) ? x
                : x < 0            ? Exact(-area(-x, 1))
                                   : area(x, 1),
                0.51, {-1, 1}, {-1e-5, 1e-5}, {-100, 100}),
    SINTER_CASE(acosh, x < 1 ? nan_value : area(x, -1), 0.51, {1, 1.1}, {1, 100}),
    SINTER_CASE(atanh,
                x == 0   ? x
                : x == 1 ? infinite_value
                         : Exact(logarithm_of_sum(1, 2 * x / (1 - x)) / 2),
                0.51, {-1, 1}, {-1e-5, 1e-5}),
    SINTER_CASE(cbrt,
                x == 0 || isinf(x) ? x
                : x < 0            ? Exact(-cbrt(Exact(-x)))
                                   : Exact(cbrt(x)),
                0.501, {-4, 4}),
    SINTER_CASE(asin, arc_sine(x), 0.7, {-1, 1}, {-1e-5, 1e-5}),
    SINTER_CASE(acos, abs(x) > 1 ? nan_value : Exact(acos(x)), 0.7, {-1, 1}, {0.99, 1}),
    SINTER_CASE(atan, arc_tangent(x), 0.7, {-1, 1}, {-10, 10}),
    SINTER_CASE(asinpi, arc_sine(x) / pi, 1, {-1, 1}, {-1e-5, 1e-5}),
    SINTER_CASE(acospi, abs(x) > 1 ? nan_value : Exact(acos(x) / pi), 0.7, {-1, 1}, {0.99, 1}),
    SINTER_CASE(atanpi, arc_tangent(x) / pi, 1, {-1, 1}, {-10, 10}),
    SINTER_CASE(gamma, gamma(x), 3.2, {0, 1}, {1, 3}, {3, 20}, {20, 171.7}, {171.624, 171.625},
                {-20, 0}, {-185, -20}, {-3.001, -2.999}, {-1e-300, 1e-300}, {-1e-15, 1e-15}),
    SINTER_CASE(lgamma, log_gamma(x), 2, {0, 0.5}, {0.5, 1.5}, {1 - 1e-9, 1 + 1e-9},
                {2 - 1e-9, 2 + 1e-9}, {1.5, 3}, {3, 20}, {20, 1e3}, {1e3, 1e15}, {2.5e305, 2.6e305},
                {-2, 0}, {-200, -20}, {-1e6, -20}, {-20.01, -19.99}),
    SINTER_CASE(erf, error_function(x), 0.97, {-1, 1}, {0.68, 0.7}, {-6, 6}),
    SINTER_CASE(erfc, complementary_error_function(x), 0.9, {-1, 1}, {0.68, 0.7}, {-6, 25},
                {25, 27.3}),
};

} // namespace

TEST_CASE("functions of one f64 are close to the exact results") {
  for (const Case& one : cases) {
    double worst = 0, at = 0;
    for (double x : points_in(one.intervals, static_cast<int>(some_of(2000, 16)))) {
      const double distance = std::isnan(x)
                                  ? (std::isnan(one.function(x)) ? 0 : accuracy::wrong)
                                  : accuracy::distance(one.function(x), one.exact(Exact(x)));
      if (distance > worst) {
        worst = distance;
        at = x;
      }
    }
    CAPTURE(one.name);
    CAPTURE(at);
    CHECK(worst <= one.bound);
  }
}

TEST_CASE("lgamma is close to the exact results beside its zeros below -2") {
  std::mt19937_64 random(4);
  double worst = 0, at = 0;
  for (int half = 4; half < 40; ++half) { // one zero in each half of an interval
    // By bisection: the sign at the pole is positive.
    double pole = half % 2 == 0 ? -half / 2.0 : -(half + 1) / 2.0;
    double middle = half % 2 == 0 ? -(half + 1) / 2.0 : -half / 2.0;
    for (int i = 0; i < 60; ++i) {
      const double x = pole + (middle - pole) / 2;
      (log_gamma(Exact(x)) > 0 ? pole : middle) = x;
    }
    for (const double width : {1e-15, 1e-12, 1e-8, 1e-4, 0.05, 0.4})
      for (std::uint64_t i = 0; i < some_of(100, 16); ++i) {
        const double x = pole + width * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
        const double distance = accuracy::distance(scalar::lgamma(x), log_gamma(Exact(x)));
        if (distance > worst) {
          worst = distance;
          at = x;
        }
      }
  }
  CAPTURE(at);
  CHECK(worst <= 7);
}

TEST_CASE("factorials are exact as long as a number holds them") {
  double factorial = 1;
  for (int n = 1; n < 23; ++n) {
    CHECK(scalar::gamma(static_cast<double>(n)) == factorial);
    factorial *= n;
  }
  CHECK(scalar::gamma(171.0) < infinity);
  CHECK(scalar::gamma(0x1.573fae561f647p+7) < infinity);
  CHECK(scalar::gamma(0x1.573fae561f648p+7) == infinity);
}

TEST_CASE("the sine of the double nearest to a multiple of pi/2 has all its digits") {
  const double x = 6381956970095103 * 0x1p797;
  CHECK(scalar::sin(x) == 1);
  CHECK(scalar::cos(x) == -4.68716592425462761112e-19);
}
