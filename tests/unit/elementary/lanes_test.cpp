// The functions give the same bits in every arithmetic: several lanes at once, without a branch,
// against plain numbers.  (This is also the smallest example of an arithmetic of one's own.)
#include "lang/primitives/elementary/functions.h"
#include "lang/primitives/elementary/scalar_arithmetic.h"
#include "lang/primitives/elementary/scalar_functions.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

using namespace sinter;
using namespace sinter::elementary;

namespace {

constexpr std::size_t lane_count = 4;

template <typename T, typename Tag>
struct Lanes {
  std::array<T, lane_count> lane;
};
struct FloatTag;
struct IntegerTag;
struct TruthTag;

/// Each operation, lane by lane.
struct LaneArithmetic {
  template <class T>
  using Float = Lanes<T, FloatTag>;
  template <class T>
  using Integer = Lanes<integer_of<T>, IntegerTag>;
  using Truth = Lanes<bool, TruthTag>;

  ScalarArithmetic one;

  template <typename Result, typename Operation, typename... Operands>
  [[gnu::noinline]] static Result each(Operation operation, const Operands&... operands) {
    Result result;
    for (std::size_t i = 0; i < lane_count; ++i)
      result.lane[i] = operation(operands.lane[i]...);
    return result;
  }

  template <class T>
  Float<T> literal(T number) {
    return {{number, number, number, number}};
  }
  template <class T>
  Integer<T> integer_literal(std::int64_t number) {
    const auto n = static_cast<integer_of<T>>(number);
    return {{n, n, n, n}};
  }

#define SINTER_LANEWISE_1(name)                                                                    \
  template <typename V>                                                                            \
  V name(V a) {                                                                                    \
    return each<V>([this](auto x) { return one.name(x); }, a);                                     \
  }
#define SINTER_LANEWISE_2(name)                                                                    \
  template <typename V>                                                                            \
  V name(V a, V b) {                                                                               \
    return each<V>([this](auto x, auto y) { return one.name(x, y); }, a, b);                       \
  }
#define SINTER_LANEWISE_COMPARISON(name)                                                           \
  template <typename V>                                                                            \
  Truth name(V a, V b) {                                                                           \
    return each<Truth>([this](auto x, auto y) { return one.name(x, y); }, a, b);                   \
  }
#define SINTER_LANEWISE_SHIFT(name)                                                                \
  template <typename V>                                                                            \
  V name(V a, int count) {                                                                         \
    return each<V>([this, count](auto x) { return one.name(x, count); }, a);                       \
  }
  SINTER_LANEWISE_2(add)
  SINTER_LANEWISE_2(sub)
  SINTER_LANEWISE_2(mul)
  SINTER_LANEWISE_2(div)
  SINTER_LANEWISE_1(neg)
  SINTER_LANEWISE_1(sqrt)
  SINTER_LANEWISE_1(abs)
  SINTER_LANEWISE_1(rint)
  SINTER_LANEWISE_2(copysign)
  SINTER_LANEWISE_2(shift_left)
  SINTER_LANEWISE_2(bit_and)
  SINTER_LANEWISE_2(bit_or)
  SINTER_LANEWISE_2(bit_xor)
  SINTER_LANEWISE_1(bit_not)
  SINTER_LANEWISE_SHIFT(shl)
  SINTER_LANEWISE_SHIFT(lshr)
  SINTER_LANEWISE_SHIFT(ashr)
  SINTER_LANEWISE_COMPARISON(lt)
  SINTER_LANEWISE_COMPARISON(le)
  SINTER_LANEWISE_COMPARISON(eq)
  SINTER_LANEWISE_COMPARISON(ne)
#undef SINTER_LANEWISE_1
#undef SINTER_LANEWISE_2
#undef SINTER_LANEWISE_COMPARISON
#undef SINTER_LANEWISE_SHIFT

  template <typename V>
  V fma(V a, V b, V c) {
    return each<V>([this](auto x, auto y, auto z) { return one.fma(x, y, z); }, a, b, c);
  }
  template <class T>
  Integer<T> bits(Float<T> a) {
    return each<Integer<T>>([this](T x) { return one.bits(x); }, a);
  }
  template <class T>
  Float<T> from_bits(Integer<T> a) {
    return each<Float<T>>([this](integer_of<T> x) { return one.template from_bits<T>(x); }, a);
  }
  template <typename V>
  V select(Truth condition, V a, V b) {
    return each<V>([this](bool c, auto x, auto y) { return one.select(c, x, y); }, condition, a, b);
  }
  Float<double> widen(Float<float> a) {
    return each<Float<double>>([this](float x) { return one.widen(x); }, a);
  }
  Float<float> narrow(Float<double> a) {
    return each<Float<float>>([this](double x) { return one.narrow(x); }, a);
  }
  template <class Where, class Seldom, class Usual>
  auto either(Truth hint, Where where, Seldom seldom, Usual usual) {
    return select(bit_and(hint, where()), seldom(), usual());
  }
  Integer<double> lookup(const Table& table, Integer<double> index) {
    return each<Integer<double>>([&](std::int64_t i) { return one.lookup(table, i); }, index);
  }
  template <class T, class Text, class... Operands>
  Float<T> rare(Truth where, Float<T> value, std::string_view, Text text, Operands... operands) {
    return select(where, text(*this, operands...), value);
  }
  template <class T, class Text, class... Operands>
  Float<T> called(std::string_view, Text text, Operands... operands) {
    return text(*this, operands...);
  }
  template <class T, std::size_t N, class GoesOn, class Step>
  std::array<Float<T>, N> repeat(int most, std::array<Float<T>, N> state, GoesOn goes_on,
                                 Step step) {
    for (int count = 0; count < most; ++count) {
      const Truth more = goes_on(state);
      const std::array<Float<T>, N> next = step(state);
      for (std::size_t n = 0; n < N; ++n)
        state[n] = select(more, next[n], state[n]);
    }
    return state;
  }
};
static_assert(Arithmetic<LaneArithmetic, float> && Arithmetic<LaneArithmetic, double>);

template <typename T>
using Arguments = std::array<T, lane_count>;

/// Numbers near 1, of a few thousands, and with random bits.
template <typename T>
Arguments<T> arguments(std::mt19937_64& random) {
  Arguments<T> result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    const double part = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    if (i == 0)
      result[i] = std::bit_cast<T>(static_cast<integer_of<T>>(random()));
    else
      result[i] = static_cast<T>(i == 1 ? part * 5000 : i == 2 ? part : part * 6);
  }
  return result;
}
template <typename T>
bool same_bits(T a, T b) {
  return std::bit_cast<integer_of<T>>(a) == std::bit_cast<integer_of<T>>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// Exponents: whole numbers, and others.
template <typename T>
Arguments<T> exponents(std::mt19937_64& random) {
  Arguments<T> result = arguments<T>(random);
  for (T& exponent : result)
    if (random() % 4 != 0) exponent = static_cast<T>(static_cast<int>(random() % 14) - 3);
  return result;
}

/// How many results differ between lanes and plain numbers.
template <typename T, typename InLanes, typename InScalars>
int differences(InLanes in_lanes, InScalars in_scalars) {
  std::mt19937_64 random(7);
  LaneArithmetic arithmetic;
  int wrong = 0;
  for (int round = 0; round < 1000; ++round) {
    const Arguments<T> x = arguments<T>(random);
    const Arguments<T> y = round % 2 == 0 ? arguments<T>(random) : exponents<T>(random);
    const auto found = in_lanes(Real<LaneArithmetic, T>{&arithmetic, {x}},
                                Real<LaneArithmetic, T>{&arithmetic, {y}});
    for (std::size_t i = 0; i < lane_count; ++i)
      if (!same_bits(found.value.lane[i], in_scalars(x[i], y[i]))) ++wrong;
  }
  return wrong;
}

} // namespace

#define SINTER_CHECK(T, id, lanes, scalars)                                                        \
  {                                                                                                \
    CAPTURE(#id);                                                                                  \
    CHECK(differences<T>([](auto x, [[maybe_unused]] auto y) { return lanes; },                    \
                         [](T x, [[maybe_unused]] T y) { return scalars; }) == 0);                 \
  }

TEST_CASE("functions of one number give the same bits in lanes"){
#define SINTER_UNARY(id, name, function)                                                           \
  SINTER_CHECK(float, id, function(x), scalar::name(x))                                            \
  SINTER_CHECK(double, id, function(x), scalar::name(x))
#include "lang/primitives/elementary/functions.def"
} TEST_CASE("functions of two numbers give the same bits in lanes") {
  SINTER_CHECK(float, NextAfter, next_after(x, y), scalar::nextafter(x, y))
  SINTER_CHECK(double, NextAfter, next_after(x, y), scalar::nextafter(x, y))
#define SINTER_BINARY(id, name, function)                                                          \
  SINTER_CHECK(float, id, function(x, y), scalar::name(x, y))                                      \
  SINTER_CHECK(double, id, function(x, y), scalar::name(x, y))
#include "lang/primitives/elementary/functions.def"
}
