// Meanings on floats: special values, and every f16 operand of every unary function against f64.
#include "tests/unit/primitives/element_of.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace sinter;
using namespace sinter::primitives;
using namespace sinter::test;

namespace {

template <typename T>
Scalar raw(Operation operation, T a, T b = T(0), T c = T(0)) {
  const Primitive* primitive = find(operation, element_of<T>);
  if (!primitive) FAIL("no such operation");
  return primitive->apply(Scalar::of(a), Scalar::of(b), Scalar::of(c));
}
template <typename T>
double compute(Operation operation, double a, double b = 0, double c = 0) {
  return static_cast<double>(
      raw<T>(operation, static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)).template as<T>());
}
Half half(std::uint32_t bits) {
  return Scalar{bits}.as<Half>();
}
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <typename T>
void check_special_values() {
  CAPTURE(name(element_of<T>));
  // Of a number and a NaN, the number; -0 is less than 0.
  CHECK(compute<T>(Operation::Maximum, not_a_number, -1) == -1);
  CHECK(compute<T>(Operation::Maximum, -1, not_a_number) == -1);
  CHECK(std::isnan(compute<T>(Operation::Maximum, not_a_number, not_a_number)));
  CHECK(compute<T>(Operation::Minimum, not_a_number, inf) == inf);
  CHECK(compute<T>(Operation::Minimum, -inf, not_a_number) == -inf);
  CHECK(same(compute<T>(Operation::Maximum, -0.0, 0.0), 0.0));
  CHECK(same(compute<T>(Operation::Maximum, 0.0, -0.0), 0.0));
  CHECK(same(compute<T>(Operation::Minimum, -0.0, 0.0), -0.0));
  CHECK(same(compute<T>(Operation::Minimum, 0.0, -0.0), -0.0));
  // Signs.
  CHECK(compute<T>(Operation::Sign, -inf) == -1);
  CHECK(compute<T>(Operation::Sign, 10) == 1);
  CHECK(same(compute<T>(Operation::Sign, -0.0), -0.0));
  CHECK(std::isnan(compute<T>(Operation::Sign, not_a_number)));
  CHECK(same(compute<T>(Operation::Absolute, -0.0), 0.0));
  CHECK(compute<T>(Operation::Absolute, -inf) == inf);
  CHECK(same(compute<T>(Operation::Negate, 0.0), -0.0));
  CHECK(same(compute<T>(Operation::CopySign, 3, -0.0), -3));
  CHECK(same(compute<T>(Operation::CopySign, -0.0, 1), 0.0));
  // Rounding: halves go to the even number; trunc, ceil and floor keep the sign of zero.
  const double from[] = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.4, -0.4, -0.0, inf};
  const double rounded[] = {-2, -2, -0.0, 0, 2, 2, 0, -0.0, -0.0, inf};
  const double truncated[] = {-2, -1, -0.0, 0, 1, 2, 0, -0.0, -0.0, inf};
  const double floored[] = {-3, -2, -1, 0, 1, 2, 0, -1, -0.0, inf};
  const double ceiled[] = {-2, -1, -0.0, 1, 2, 3, 1, -0.0, -0.0, inf};
  for (int i = 0; i < 10; ++i) {
    CAPTURE(from[i]);
    CHECK(same(compute<T>(Operation::Round, from[i]), rounded[i]));
    CHECK(same(compute<T>(Operation::Truncate, from[i]), truncated[i]));
    CHECK(same(compute<T>(Operation::Floor, from[i]), floored[i]));
    CHECK(same(compute<T>(Operation::Ceiling, from[i]), ceiled[i]));
  }
  // Remainders have the dividend's sign.
  CHECK(compute<T>(Operation::Modulo, 7.5, -2) == 1.5);
  CHECK(compute<T>(Operation::Modulo, -7.5, 2) == -1.5);
  CHECK(std::isnan(compute<T>(Operation::Modulo, 1, 0)));
  CHECK(compute<T>(Operation::Divide, 1, 0) == inf);
  CHECK(compute<T>(Operation::Power, 2, -1) == 0.5);
  CHECK(compute<T>(Operation::Power, not_a_number, 0) == 1);
  // Multiples of pi are exact where the function is.
  CHECK(compute<T>(Operation::SinePi, 1) == 0);
  CHECK(compute<T>(Operation::SinePi, 0.5) == 1);
  CHECK(compute<T>(Operation::SinePi, -1.5) == 1);
  CHECK(compute<T>(Operation::SinePi, 1000) == 0);
  CHECK(compute<T>(Operation::CosinePi, 0.5) == 0);
  CHECK(compute<T>(Operation::CosinePi, 1) == -1);
  CHECK(compute<T>(Operation::CosinePi, 1001) == -1);
  CHECK(compute<T>(Operation::TangentPi, 0.25) == doctest::Approx(1));
  CHECK(std::isnan(compute<T>(Operation::SinePi, inf)));
  CHECK(compute<T>(Operation::ArcTangent2, 1, -1) == doctest::Approx(2.356).epsilon(1e-3));
  CHECK(compute<T>(Operation::ArcTangent2Pi, 1, -1) == doctest::Approx(0.75).epsilon(1e-3));
  CHECK(compute<T>(Operation::Hypotenuse, 3, 4) == 5);
  CHECK(compute<T>(Operation::Gamma, 5) == doctest::Approx(24));
  CHECK(compute<T>(Operation::LogGamma, 5) == doctest::Approx(std::log(24.0)).epsilon(1e-3));
  CHECK(compute<T>(Operation::Interpolate, 2, 10, 0.25) == 4);
  CHECK(compute<T>(Operation::MultiplyAdd, 2, 3, 4) == 10);
  // Comparison with NaN.
  for (Operation comparison : {Operation::Equal, Operation::Less, Operation::LessEqual,
                               Operation::Greater, Operation::GreaterEqual})
    CHECK_FALSE(raw<T>(comparison, static_cast<T>(not_a_number), static_cast<T>(not_a_number))
                    .template as<bool>());
  CHECK(raw<T>(Operation::NotEqual, static_cast<T>(not_a_number), static_cast<T>(not_a_number))
            .template as<bool>());
  CHECK(raw<T>(Operation::IsNan, static_cast<T>(not_a_number)).template as<bool>());
  CHECK_FALSE(raw<T>(Operation::IsNan, static_cast<T>(inf)).template as<bool>());
  CHECK(raw<T>(Operation::IsInfinite, static_cast<T>(-inf)).template as<bool>());
  CHECK_FALSE(raw<T>(Operation::IsInfinite, static_cast<T>(not_a_number)).template as<bool>());
  // Neighbours.
  const double up = compute<T>(Operation::NextAfter, 1, 2);
  CHECK(up > 1);
  CHECK(compute<T>(Operation::NextAfter, up, 0) == 1);
  CHECK(compute<T>(Operation::NextAfter, 0, 1) > 0);
  CHECK(compute<T>(Operation::NextAfter, 0, -1) < 0);
  CHECK(compute<T>(Operation::NextAfter, inf, 0) ==
        (std::is_same_v<T, Half>    ? 65504
         : std::is_same_v<T, float> ? std::numeric_limits<float>::max()
                                    : std::numeric_limits<double>::max()));
  CHECK(std::isnan(compute<T>(Operation::NextAfter, not_a_number, 0)));
  // Powers of two.
  const auto ldexp = [](double x, std::int32_t n) {
    return static_cast<double>(find(Operation::LoadExponent, element_of<T>)
                                   ->apply(Scalar::of(static_cast<T>(x)), Scalar::of(n), {})
                                   .template as<T>());
  };
  CHECK(ldexp(7, -4) == 0.4375);
  CHECK(ldexp(1, 100000) == inf);
  CHECK(same(ldexp(-1, -100000), -0.0));
}

/// How many f16 values the operation gets wrong, where `wide` is right in f64.
int wrong_halves(Operation operation, double (*wide)(double)) {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half x = half(bits);
    const double wanted = wide(static_cast<double>(x));
    const auto expected = static_cast<Half>(wanted);
    const Half found = raw<Half>(operation, x).as<Half>();
    if (same(static_cast<double>(expected), static_cast<double>(found))) continue;
    // Computed in f32 and rounded once more, the result may be one step off where f64 is very close
    // to the middle between two values of f16.
    const double step = std::abs(static_cast<double>(expected) - static_cast<double>(found));
    const double middle =
        std::abs(wanted - (static_cast<double>(expected) + static_cast<double>(found)) / 2);
    if (!(middle <= step * 1e-3)) ++wrong;
  }
  return wrong;
}

} // namespace

TEST_CASE("special values") {
  check_special_values<Half>();
  check_special_values<float>();
  check_special_values<double>();
}

TEST_CASE("every unary function of f16 agrees with f64") {
  CHECK(wrong_halves(Operation::Negate, [](double x) { return -x; }) == 0);
  CHECK(wrong_halves(Operation::Absolute, [](double x) { return std::fabs(x); }) == 0);
  CHECK(wrong_halves(Operation::Round, [](double x) { return std::nearbyint(x); }) == 0);
  CHECK(wrong_halves(Operation::Ceiling, [](double x) { return std::ceil(x); }) == 0);
  CHECK(wrong_halves(Operation::Floor, [](double x) { return std::floor(x); }) == 0);
  CHECK(wrong_halves(Operation::Truncate, [](double x) { return std::trunc(x); }) == 0);
  CHECK(wrong_halves(Operation::SquareRoot, [](double x) { return std::sqrt(x); }) == 0);
  CHECK(wrong_halves(Operation::ReciprocalSquareRoot, [](double x) { return 1 / std::sqrt(x); }) ==
        0);
  CHECK(wrong_halves(Operation::CubeRoot, [](double x) { return std::cbrt(x); }) == 0);
  CHECK(wrong_halves(Operation::Exponential, [](double x) { return std::exp(x); }) == 0);
  CHECK(wrong_halves(Operation::Logarithm, [](double x) { return std::log(x); }) == 0);
  CHECK(wrong_halves(Operation::Logarithm2, [](double x) { return std::log2(x); }) == 0);
  CHECK(wrong_halves(Operation::Logarithm10, [](double x) { return std::log10(x); }) == 0);
  CHECK(wrong_halves(Operation::Logarithm1p, [](double x) { return std::log1p(x); }) == 0);
  CHECK(wrong_halves(Operation::Sine, [](double x) { return std::sin(x); }) == 0);
  CHECK(wrong_halves(Operation::Cosine, [](double x) { return std::cos(x); }) == 0);
  CHECK(wrong_halves(Operation::Tangent, [](double x) { return std::tan(x); }) == 0);
  CHECK(wrong_halves(Operation::ArcSine, [](double x) { return std::asin(x); }) == 0);
  CHECK(wrong_halves(Operation::ArcCosine, [](double x) { return std::acos(x); }) == 0);
  CHECK(wrong_halves(Operation::ArcTangent, [](double x) { return std::atan(x); }) == 0);
  CHECK(wrong_halves(Operation::ArcSinePi, [](double x) { return std::asin(x) / M_PI; }) == 0);
  CHECK(wrong_halves(Operation::ArcTangentPi, [](double x) { return std::atan(x) / M_PI; }) == 0);
  CHECK(wrong_halves(Operation::HyperbolicSine, [](double x) { return std::sinh(x); }) == 0);
  CHECK(wrong_halves(Operation::HyperbolicCosine, [](double x) { return std::cosh(x); }) == 0);
  CHECK(wrong_halves(Operation::HyperbolicTangent, [](double x) { return std::tanh(x); }) == 0);
  CHECK(wrong_halves(Operation::AreaSine, [](double x) { return std::asinh(x); }) == 0);
  CHECK(wrong_halves(Operation::AreaCosine, [](double x) { return std::acosh(x); }) == 0);
  CHECK(wrong_halves(Operation::AreaTangent, [](double x) { return std::atanh(x); }) == 0);
  CHECK(wrong_halves(Operation::Gamma, [](double x) {
          return x < 0 && x == std::floor(x) ? not_a_number : std::tgamma(x);
        }) == 0);
  CHECK(wrong_halves(Operation::LogGamma, [](double x) { return std::lgamma(x); }) == 0);
  CHECK(wrong_halves(Operation::ErrorFunction, [](double x) { return std::erf(x); }) == 0);
  CHECK(wrong_halves(Operation::ComplementaryErrorFunction,
                     [](double x) { return std::erfc(x); }) == 0);
}

TEST_CASE("f16 rounds once after each operation") {
  // Random pairs and triples; f64 holds sums and products of two halves exactly.
  std::uint64_t state = 88172645463325252u;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return half(static_cast<std::uint32_t>(state & 0xffff));
  };
  int wrong = 0;
  for (int i = 0; i < 300000; ++i) {
    const Half a = next(), b = next(), c = next();
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    const auto expect = [&](Operation operation, double wanted) {
      if (!same(static_cast<double>(static_cast<Half>(wanted)),
                static_cast<double>(raw<Half>(operation, a, b).as<Half>())))
        ++wrong;
    };
    expect(Operation::Add, x + y);
    expect(Operation::Subtract, x - y);
    expect(Operation::Multiply, x * y);
    expect(Operation::Divide, x / y);
    // Once for fma, against 80-bit arithmetic whose 64 bits hold these operands exactly.
    const long double exact = static_cast<long double>(x) * y + static_cast<long double>(c);
    const long double back = exact - static_cast<long double>(x) * y;
    if (back == static_cast<long double>(c) &&
        !same(static_cast<double>(static_cast<Half>(exact)),
              static_cast<double>(raw<Half>(Operation::FusedMultiplyAdd, a, b, c).as<Half>())))
      ++wrong;
  }
  CHECK(wrong == 0);
  // 683 * 48 is the middle between two halves: the last bit of the third operand decides.
  const auto fma = [](double a, double b, double c) {
    return compute<Half>(Operation::FusedMultiplyAdd, a, b, c);
  };
  CHECK(fma(683, 48, 0) == 32768);
  CHECK(fma(683, 48, 0x1p-24) == 32800);
  CHECK(fma(683, 48, -0x1p-24) == 32768);
  CHECK(fma(0x1p-24, 0x1p-24, 32768) == 32768);
  CHECK(compute<Half>(Operation::MultiplyAdd, 683, 48, 0x1p-24) == 32768);
  CHECK(compute<Half>(Operation::Add, 2048, 1) == 2048);
}

TEST_CASE("float to integer truncates and wraps around; NaN and infinities give 0") {
  using E = ElementType;
  CHECK(convert<std::int32_t>(E::F32, E::I32, -3.5f) == -3);
  CHECK(convert<std::uint32_t>(E::F32, E::U32, -1.0f) == 4294967295u);
  CHECK(convert<std::uint32_t>(E::F64, E::U32, -3.5) == 4294967293u);
  CHECK(convert<std::int32_t>(E::F32, E::I32, static_cast<float>(inf)) == 0);
  CHECK(convert<std::uint64_t>(E::F64, E::U64, not_a_number) == 0);
  CHECK(convert<std::int8_t>(E::F64, E::I8, 300.0) == 44);
  CHECK(convert<std::int32_t>(E::F64, E::I32, 4294967297.0) == 1);
  CHECK(convert<std::uint64_t>(E::F64, E::U64, 0x1p63) == 0x8000000000000000u);
  CHECK(convert<std::int64_t>(E::F64, E::I64, -0x1p63) == std::numeric_limits<std::int64_t>::min());
  CHECK(convert<std::int64_t>(E::F64, E::I64, 1e300) == 0);
  CHECK(convert<std::int32_t>(E::F16, E::I32, half(0xfbff)) == -65504);
}

TEST_CASE("conversions to floats round once") {
  using E = ElementType;
  CHECK(convert<float>(E::U64, E::F32, std::uint64_t{0xffffffffffffffffu}) == 0x1p64f);
  CHECK(convert<float>(E::I32, E::F32, 16777217) == 16777216.0f);
  CHECK(convert<double>(E::I64, E::F64, std::int64_t{-1}) == -1.0);
  // 2049 + a little is above the middle of two halves; f32 would not see the little.
  CHECK(static_cast<double>(convert<Half>(E::F64, E::F16, 2049.0 + 0x1p-30)) == 2050);
  CHECK(static_cast<double>(convert<Half>(E::I32, E::F16, 2049)) == 2048);
  CHECK(static_cast<double>(convert<Half>(E::I64, E::F16, std::int64_t{1} << 60)) == inf);
  CHECK(static_cast<double>(convert<Half>(E::F32, E::F16, 100000.0f)) == inf);
  CHECK(convert<double>(E::F16, E::F64, half(0x0001)) == 0x1p-24);
  CHECK(convert<bool>(E::F32, E::Bool, std::nanf("")) == true);
  CHECK(convert<bool>(E::F64, E::Bool, -0.0) == false);
}

TEST_CASE("bit patterns survive the way there and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Scalar there = find(Operation::FromBits, ElementType::U16)->apply({bits}, {}, {});
    const Scalar back = find(Operation::ToBits, ElementType::F16)->apply(there, {}, {});
    if (back.bits != bits) FAIL("changed: " << bits);
  }
  CHECK(find(Operation::ToBits, ElementType::F32)->apply(Scalar::of(1.0f), {}, {}).bits ==
        0x3f800000u);
  CHECK(find(Operation::FromBits, ElementType::U64)->apply({0x7ff8000000000001u}, {}, {}).bits ==
        0x7ff8000000000001u);
}

TEST_CASE("booleans") {
  const auto logical = [](Operation operation, bool a, bool b) {
    return find(operation, ElementType::Bool)->apply(Scalar::of(a), Scalar::of(b), {}).as<bool>();
  };
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      CHECK(logical(Operation::And, a, b) == (a && b));
      CHECK(logical(Operation::Or, a, b) == (a || b));
      CHECK(logical(Operation::Xor, a, b) == (a != b));
      CHECK(logical(Operation::Less, a, b) == (!a && b));
      CHECK(logical(Operation::GreaterEqual, a, b) == (a || !b));
      CHECK(logical(Operation::Complement, a, b) == !a);
    }
}
