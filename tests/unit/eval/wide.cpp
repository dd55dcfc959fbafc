// Programs over numbers of many digits.
#include "lang/eval/wide_evaluator.h"
#include "lang/primitives/fold_order.h"
#include "tests/unit/eval/builder.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinter;
using namespace sinter::test;
using Op = primitives::Operation;

namespace {

struct Numbers {
  MemoryBudget memory;
  std::unique_ptr<eval::WideNumbers> numbers = eval::make_wide_numbers(50, memory);

  Scalar wide(double value) { return numbers->widen(ElementType::F64, Scalar::of(value)); }
  Scalar apply(Op operation, double a, double b = 0, double c = 0) {
    return numbers->apply(*primitives::find(operation, ElementType::F64), wide(a), wide(b),
                          wide(c));
  }
  double narrow(Scalar wide) { return numbers->narrow(ElementType::F64, wide).as<double>(); }
  double value(Op operation, double a, double b = 0, double c = 0) {
    return narrow(apply(operation, a, b, c));
  }
  std::string text(Scalar wide) { return numbers->text(wide, 50); }
};

} // namespace

TEST_CASE_FIXTURE(Numbers, "known digits") {
  // Digits of pi, e, and the values of well-known constants.
  CHECK(text(apply(Op::ArcCosine, -1)) == "3.1415926535897932384626433832795028841971693993751");
  CHECK(text(apply(Op::Exponential, 1)) == "2.7182818284590452353602874713526624977572470937");
  CHECK(text(apply(Op::SquareRoot, 2)) == "1.4142135623730950488016887242096980785696718753769");
  CHECK(text(apply(Op::Logarithm, 2)) == "0.69314718055994530941723212145817656807550013436026");
  CHECK(text(apply(Op::Gamma, 0.5)) == "1.7724538509055160272981674833411451827975494561224");
  // From float operations nothing is rounded: (1 + 1e-30) - 1.
  const Scalar small = apply(Op::Divide, 1, 1e30);
  const primitives::Primitive& add = *primitives::find(Op::Add, ElementType::F64);
  const primitives::Primitive& subtract = *primitives::find(Op::Subtract, ElementType::F64);
  const Scalar sum = numbers->apply(add, wide(1), small, {});
  CHECK(narrow(numbers->apply(subtract, sum, wide(1), {})) == doctest::Approx(1e-30));
  // Large angles are reduced exactly.
  CHECK(value(Op::Sine, 1e22) == -0.8522008497671888017727);
  CHECK(value(Op::Cosine, 1e22) == 0.52321478539513894549);
}

TEST_CASE_FIXTURE(Numbers,
                  "operations agree with the table's on doubles, special values included") {
  const double infinity = INFINITY;
  const double special[] = {0.0,  -0.0, 1.0,  -1.0,     0.5,       -2.5,        3.0,
                            1e-3, 7.25, 40.0, infinity, -infinity, std::nan("")};
  for (const primitives::Primitive& primitive : primitives::all_primitives()) {
    if (primitive.operand != ElementType::F64 || primitive.operation == Op::LoadExponent) continue;
    if (primitive.result == ElementType::F16) continue;
    for (double a : special)
      for (double b : special) {
        if (primitive.arity < 2 && !(b == 1)) continue;
        CAPTURE(primitive.name);
        CAPTURE(a);
        CAPTURE(b);
        const Scalar expected = primitive.apply(Scalar::of(a), Scalar::of(b), Scalar::of(2.0));
        const Scalar found = numbers->apply(primitive, wide(a), wide(b), wide(2.0));
        if (!is_float(primitive.result)) {
          CHECK(found == expected);
          continue;
        }
        const double x =
            primitive.result == ElementType::F32 ? expected.as<float>() : expected.as<double>();
        const double y = primitive.result == ElementType::F32
                             ? numbers->narrow(ElementType::F32, found).as<float>()
                             : narrow(found);
        CAPTURE(x);
        CAPTURE(y);
        if (std::isnan(x) || std::isinf(x) || x == 0)
          CHECK((x == y || (std::isnan(x) && std::isnan(y))));
        else
          CHECK(std::fabs(x - y) <= 1e-6 * std::fabs(x) + 1e-15);
      }
  }
}

TEST_CASE_FIXTURE(Numbers, "errors are measured in units in the last place and in digits") {
  const Scalar third = apply(Op::Divide, 1, 3);
  const auto error = [&](double approximation) {
    return numbers->error(ElementType::F64, third, Scalar::of(approximation));
  };
  CHECK(error(1.0 / 3.0).ulps == doctest::Approx(1.0 / 3.0));
  CHECK(error(std::nextafter(1.0 / 3.0, 1)).ulps == doctest::Approx(2.0 / 3.0));
  CHECK(error(0.333).digits == doctest::Approx(3.0).epsilon(0.01));
  CHECK(numbers->error(ElementType::F64, wide(1), Scalar::of(1.0)).ulps == 0);
  CHECK(std::isinf(numbers->error(ElementType::F64, wide(1), Scalar::of(1.0)).digits));
  CHECK(std::isnan(numbers->error(ElementType::F64, wide(1), Scalar::of(std::nan(""))).ulps));
  CHECK(numbers->error(ElementType::F32, third, Scalar::of(1.0f / 3.0f)).ulps ==
        doctest::Approx(1.0 / 3.0).epsilon(0.01));
}

TEST_CASE_FIXTURE(Numbers, "f16 is refused") {
  CHECK_THROWS_AS(numbers->widen(ElementType::F16, Scalar{}), RuntimeError);
}

TEST_CASE("a sum that cancels keeps its digits, through arrays and reductions") {
  Builder b;
  const Representation* f64s = b.representations.array(1, b.f64);
  const auto number = [&](double value) {
    return b.node(core::Constant{Scalar::of(value)}, b.f64);
  };
  const core::Expr* numbers = b.node(
      core::ArrayLiteral{{number(1e20), number(1), number(-1e20), number(0.1)}, {f64s, {}}}, f64s);
  core::Function* plus =
      b.function("plus", 2,
                 b.node(core::PrimitiveCall{primitives::find(Op::Add, ElementType::F64),
                                            {b.local(0, b.f64), b.local(1, b.f64)}},
                        b.f64));
  for (const bool is_primitive : {true, false}) {
    plus->primitive = is_primitive ? primitives::find(Op::Add, ElementType::F64) : nullptr;
    const core::Expr* sum =
        b.node(core::ArrayCall{primitives::ArrayOperation::Reduce,
                               {b.node(core::FunctionValue{plus}, b.representations.function()),
                                number(0), numbers},
                               {b.f64, {}}},
               b.f64);
    core::Function* main = b.function("main", 0, sum);
    CHECK(b.evaluator().call(*main, {}).scalar().as<double>() == 0.1);
    WideEvaluator wide(b.context());
    const Value result = wide.call(*main, {}, {});
    CHECK(wide.narrow(result, b.f64).scalar().as<double>() == 1.1);
  }
}

TEST_CASE("reductions and scans have the order that they have with ordinary numbers") {
  Builder b;
  const Representation* f64s = b.representations.array(1, b.f64);
  const auto number = [&](double value) {
    return b.node(core::Constant{Scalar::of(value)}, b.f64);
  };
  const primitives::Primitive* subtract = primitives::find(Op::Subtract, ElementType::F64);
  core::Function* minus = b.function(
      "minus", 2,
      b.node(core::PrimitiveCall{subtract, {b.local(0, b.f64), b.local(1, b.f64)}}, b.f64));
  for (const int count : {0, 64, 65, 200, 4097}) {
    CAPTURE(count);
    const auto difference = [](double left, double right) { return left - right; };
    primitives::RunningFold fold(0.0, difference);
    primitives::RunningScan scan(0.0, difference);
    Exprs elements;
    double last = 0;
    for (int i = 0; i < count; ++i) {
      elements.push_back(number(i));
      fold.push(i);
      last = scan.push(i);
    }
    const double sum = std::move(fold).result();
    for (const bool is_primitive : {true, false}) {
      minus->primitive = is_primitive ? subtract : nullptr;
      const auto result = [&](primitives::ArrayOperation operation, const Representation* type) {
        const core::Expr* body = b.array_call(
            operation,
            {b.value_of(minus), number(0), b.node(core::ArrayLiteral{elements, {f64s, {}}}, f64s)},
            type);
        WideEvaluator wide(b.context());
        return wide.narrow(wide.call(*b.function("main", 0, body), {}, {}), type);
      };
      CHECK(result(primitives::ArrayOperation::Reduce, b.f64).scalar().as<double>() == sum);
      const Value prefixes = result(primitives::ArrayOperation::Scan, f64s);
      if (count > 0) CHECK(get_element(prefixes.array(), count - 1).scalar().as<double>() == last);
    }
  }
}

TEST_CASE("arguments are widened, results narrowed, arrays of records too") {
  Builder b;
  const Representation* f32 = b.representations.scalar(ElementType::F32);
  const Representation* pair = b.representations.tuple({f32, b.i64});
  const Representation* pairs = b.representations.array(1, pair);
  std::vector<Value> elements;
  for (int i = 0; i < 3; ++i)
    elements.push_back(
        Value::record({Scalar::of(0.1f * static_cast<float>(i)), Scalar::of(std::int64_t{i})}));
  const Value argument = make_array_from_elements(b.memory, pair, elements);
  core::Function* identity = b.function("identity", 1, b.local(0, pairs));
  WideEvaluator wide(b.context(), 100);
  CHECK(wide.numbers().digits() == 100);
  const Value result = wide.call(*identity, {argument}, {pairs});
  CHECK(equal(wide.narrow(result, pairs), argument, pairs));
}
