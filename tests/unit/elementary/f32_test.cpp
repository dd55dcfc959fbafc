// Elementary functions at f32 against the C library's at f64: a part of all 2^32 arguments, or all
// of them with SINTER_EXHAUSTIVE=1 in the environment (a minute or two a function and core).
#include "accuracy.h"

#include "lang/primitives/elementary/scalar_functions.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
namespace scalar = elementary::scalar;

namespace {

struct Worst {
  double distance = 0;
  float argument = 0;
};

/// The worst result over every `stride`th bit pattern.
template <typename Function, typename Exact>
Worst sweep(Function function, Exact exact, std::uint64_t stride) {
  const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> worst(count);
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < count; ++thread)
      threads.emplace_back([&, thread] {
        Worst mine;
        for (std::uint64_t bits = thread * stride; bits < std::uint64_t{1} << 32;
             bits += stride * count) {
          const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
          const double distance = accuracy::distance(function(x), exact(static_cast<double>(x)));
          if (distance > mine.distance) mine = {distance, x};
        }
        worst[thread] = mine;
      });
  }
  for (std::uint32_t bits : {0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x7f800000u,
                             0xff800000u, 0x7fc00000u, 0x7f7fffffu, 0x3f800000u, 0xbf800000u}) {
    const float x = std::bit_cast<float>(bits);
    const double distance = accuracy::distance(function(x), exact(static_cast<double>(x)));
    if (distance > worst[0].distance) worst[0] = {distance, x};
  }
  return *std::max_element(worst.begin(), worst.end(),
                           [](Worst a, Worst b) { return a.distance < b.distance; });
}

/// sin(pi x) and cos(pi x): x less its half turns is exact.
double sine_of_pi_times(double x) {
  if (!std::isfinite(x)) return x - x;
  const double turn = std::remainder(x, 2.0);
  const double half = std::abs(turn) > 0.5 ? std::copysign(1, turn) - turn : turn;
  const double result = std::sin(std::numbers::pi * half);
  return result == 0 ? std::copysign(0, x) : result;
}
double cosine_of_pi_times(double x) {
  if (!std::isfinite(x)) return x - x;
  const double turn = std::abs(std::remainder(x, 2.0));
  const double result = turn <= 0.25   ? std::cos(std::numbers::pi * turn)
                        : turn <= 0.75 ? std::sin(std::numbers::pi * (0.5 - turn))
                                       : -std::cos(std::numbers::pi * (1 - turn));
  return result == 0 ? 0 : result;
}

struct Case {
  std::string name;
  float (*function)(float);
  double (*exact)(double);
  double bound; ///< in ULP
};

#define SINTER_CASE(name, exact, bound)                                                            \
  Case {                                                                                           \
#name, [](float x) { return scalar::name(x); }, [](double x) -> double { return exact; },      \
                                                                                           bound   \
  }

const Case cases[] = {
    SINTER_CASE(sqrt, std::sqrt(x), 0.501),
    SINTER_CASE(rsqrt, 1 / std::sqrt(x), 0.51),
    SINTER_CASE(exp, std::exp(x), 0.9),
    SINTER_CASE(log, std::log(x), 0.88),
    SINTER_CASE(sin, std::sin(x), 0.9),
    SINTER_CASE(cos, std::cos(x), 0.9),
    SINTER_CASE(tan, std::tan(x), 0.85),
    SINTER_CASE(sinpi, sine_of_pi_times(x), 1),
    SINTER_CASE(cospi, cosine_of_pi_times(x), 0.95),
    SINTER_CASE(tanpi, sine_of_pi_times(x) / cosine_of_pi_times(x), 1),
    SINTER_CASE(log2, std::log2(x), 0.7),
    SINTER_CASE(log10, std::log10(x), 0.65),
    SINTER_CASE(log1p, std::log1p(x), 0.51),
    SINTER_CASE(sinh, std::sinh(x), 0.8),
    SINTER_CASE(cosh, std::cosh(x), 0.65),
    SINTER_CASE(tanh, std::tanh(x), 0.75),
    SINTER_CASE(asinh, std::asinh(x), 0.51),
    SINTER_CASE(acosh, std::acosh(x), 0.51),
    SINTER_CASE(atanh, std::atanh(x), 0.51),
    SINTER_CASE(cbrt, std::cbrt(x), 0.501),
    SINTER_CASE(asin, std::asin(x), 0.66),
    SINTER_CASE(acos, std::acos(x), 0.68),
    SINTER_CASE(atan, std::atan(x), 0.66),
    SINTER_CASE(asinpi, std::asin(x) / std::numbers::pi, 1),
    SINTER_CASE(acospi, std::acos(x) / std::numbers::pi, 0.68),
    SINTER_CASE(atanpi, std::atan(x) / std::numbers::pi, 1),
    SINTER_CASE(gamma,
                x < 0 && x == std::floor(x) && std::isfinite(x) ? std::nan("") : std::tgamma(x),
                0.5001),
    SINTER_CASE(lgamma, std::lgamma(x), 0.5001),
    SINTER_CASE(erf, std::erf(x), 0.51),
    SINTER_CASE(erfc, std::erfc(x), 0.54),
};

} // namespace

TEST_CASE("functions of one f32 are close to the exact results") {
  const bool exhaustive = std::getenv("SINTER_EXHAUSTIVE") != nullptr;
  // A prime, so that all patterns of low bits occur.
  const std::uint64_t stride = exhaustive ? 1 : is_sanitized ? 40'009 : 1009;
  for (const Case& one : cases) {
    const Worst worst = sweep(one.function, one.exact, stride);
    CAPTURE(one.name);
    CAPTURE(worst.argument);
    CHECK(worst.distance <= one.bound);
    if (exhaustive)
      MESSAGE(one.name << ": at most " << worst.distance << " ULP, at " << worst.argument);
  }
}

TEST_CASE("sines of huge f32 are those of f64, rounded") {
  const bool exhaustive = std::getenv("SINTER_EXHAUSTIVE") != nullptr;
  int wrong = 0;
  for (std::uint32_t bits = std::bit_cast<std::uint32_t>(0x1p17f) + 1; bits < 0x7f800000u;
       bits += exhaustive ? 1 : 3001)
    for (const float x : {std::bit_cast<float>(bits), -std::bit_cast<float>(bits)}) {
      const auto wide = static_cast<double>(x);
      wrong += scalar::sin(x) != static_cast<float>(std::sin(wide));
      wrong += scalar::cos(x) != static_cast<float>(std::cos(wide));
      wrong += scalar::tan(x) != static_cast<float>(std::tan(wide));
    }
  CHECK(wrong == 0);
}
