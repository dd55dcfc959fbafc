// Forecasts of work: what is told apart, and roughly how far.
#include "builder.h"

#include "lang/eval/forecast.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;
using eval::Forecast, eval::Forecaster;
using primitives::ArrayOperation;

namespace {

/// x * x + 1
core::Function* squaring(Builder& b) {
  const core::Expr* x = b.local(0, b.i64);
  return b.function("square", 1, b.call("+", {b.call("*", {x, x}), b.integer(1)}));
}
const core::Expr* counted_loop(Builder& b, const core::Expr* bound, const core::Expr* body) {
  return b.node(
      core::Loop{{}, b.slot(0), b.integer(0), core::ForLess{1, ElementType::I64, bound}, body},
      b.i64);
}
Value array_of(Builder& b, std::int64_t count) {
  return b.run(b.iota(b.integer(count)));
}
Value function_value(core::Function* function) {
  return Value::function(function, {});
}

} // namespace

TEST_CASE("work is operations, ranges and loops, in what is called too") {
  Builder b;
  Forecaster forecaster;
  core::Function* plain = squaring(b);
  CHECK_FALSE(forecaster.has_work(*plain));
  core::Function* ranging = b.function("ranging", 0, b.iota(b.integer(3)));
  core::Function* calling = b.function("calling", 0, b.apply(b.value_of(ranging), {}, b.i64s));
  CHECK(forecaster.has_work(*ranging));
  CHECK(forecaster.has_work(*calling));
  CHECK(forecaster.has_work(*counted_loop(b, b.integer(3), b.integer(1))));
}

TEST_CASE("a map takes longer the more elements and the longer its function") {
  Builder b;
  Forecaster forecaster;
  core::Function* cheap = squaring(b);
  core::Function* expensive = b.function(
      "expensive", 1,
      counted_loop(b, b.integer(1000), b.call("+", {b.local(0, b.i64), b.local(1, b.i64)})));
  auto map = [&](core::Function* function, std::int64_t count) {
    return forecaster.operation(ArrayOperation::Map, b.i64s,
                                std::vector{function_value(function), array_of(b, count)});
  };
  CHECK(map(cheap, 1'000'000).bytes == 8'000'000);
  CHECK(map(cheap, 1'000'000).nanoseconds > 500 * map(cheap, 1000).nanoseconds);
  CHECK(map(expensive, 1000).nanoseconds > 20 * map(cheap, 1000).nanoseconds);
  // The right order of magnitude: 20 to 500 ns for each element.
  CHECK(map(cheap, 1'000'000).nanoseconds > 20'000'000);
  CHECK(map(cheap, 1'000'000).nanoseconds < 500'000'000);
}

TEST_CASE("views take no time, and filled memory takes some") {
  Builder b;
  Forecaster forecaster;
  CHECK(forecaster.operation(ArrayOperation::Transpose, b.i64ss, std::vector{array_of(b, 100'000)})
            .nanoseconds < 1000);
  const Forecast filled = Forecaster::filled(std::int64_t{1} << 30, 8);
  CHECK(filled.bytes == std::uint64_t{8} << 30);
  CHECK(filled.nanoseconds > 100'000'000);
  const Forecast replicated = forecaster.operation(
      ArrayOperation::Replicate, b.i64s,
      std::vector{Value(Scalar::of(std::int64_t{1000})), Value(Scalar::of(std::int64_t{7}))});
  CHECK(replicated.bytes == 8000);
}

TEST_CASE("recursion and unknown counts do not run away") {
  Builder b;
  Forecaster forecaster;
  core::Function* endless = b.function("endless", 1, b.integer(0));
  endless->body = b.apply(b.value_of(endless), {b.local(0, b.i64)}, b.i64);
  CHECK(forecaster.call(*endless) < 10'000);
  const core::Expr* nested = b.integer(1);
  for (int i = 0; i < 10; ++i)
    nested = counted_loop(b, b.integer(1'000'000), nested);
  CHECK(forecaster.expression(*nested) > 0);
}

TEST_CASE("arguments can be kept unless that makes a copy of a large array that is overwritten") {
  Builder b;
  Forecaster forecaster;
  const core::Expr* updated = b.node(core::Update{b.local(0, b.i64s, true),
                                                  {core::IndexStep{{b.at(b.integer(0))}}},
                                                  b.integer(10)},
                                     b.i64s);
  core::Function* updating = b.function("updating", 1, updated);
  core::Function* reading = b.function("reading", 1, b.local(0, b.i64s));
  std::vector<Value> small = {array_of(b, 10)}, large = {array_of(b, 1'000'000)};
  CHECK(forecaster.can_keep(*updating, small));
  CHECK_FALSE(forecaster.can_keep(*updating, large));
  CHECK(forecaster.can_keep(*reading, large));
  const Value somebody_elses = large[0]; // it would be copied in any case
  CHECK(forecaster.can_keep(*updating, large));
}

TEST_CASE("extents are followed through calls, operations and loops") {
  Builder b;
  Forecaster forecaster;
  // filling n = map square (iota n)
  core::Function* square = squaring(b);
  core::Function* filling =
      b.function("filling", 1,
                 b.array_call(ArrayOperation::Map, {b.value_of(square), b.iota(b.local(0, b.i64))},
                              b.i64s, {b.local(0, b.i64)}));
  auto filled = [&](std::int64_t n) {
    return forecaster.evaluation(*b.apply(b.value_of(filling), {b.integer(n)}, b.i64s), 0, {});
  };
  CHECK(filled(1'000'000).nanoseconds > 500 * filled(1000).nanoseconds);
  CHECK(filled(1'000'000).bytes >= 8'000'000);
  CHECK(filled(0).nanoseconds < 10'000);
  // As a call with values; what was asked for last is not worth another look.
  const std::vector<Value> million = {Value(Scalar::of(std::int64_t{1'000'000}))};
  const std::vector<Value> thousand = {Value(Scalar::of(std::int64_t{1000}))};
  CHECK(forecaster.first_call(*filling, {}, million, {}).nanoseconds > 20'000'000);
  CHECK(forecaster.first_call(*filling, {}, million, {}).nanoseconds == 0);
  CHECK(forecaster.first_call(*filling, {}, thousand, {}).nanoseconds > 0);
  // A loop does so each time round, in the same memory.
  const core::Expr* looping =
      counted_loop(b, b.integer(50), b.apply(b.value_of(filling), {b.integer(10'000)}, b.i64s));
  const Forecast looped = forecaster.evaluation(*looping, 2, {});
  CHECK(looped.nanoseconds > 20 * filled(10'000).nanoseconds);
  CHECK(looped.bytes < 1'000'000);
}

TEST_CASE("known conditions choose their branch, others the cheaper one") {
  Builder b;
  Forecaster forecaster;
  const core::Expr* long_one = counted_loop(b, b.integer(1'000'000), b.integer(1));
  auto branch = [&](const core::Expr* condition) {
    const core::Expr* expr = b.node(core::If{condition, long_one, b.integer(1)}, b.i64);
    return forecaster.evaluation(*expr, 3, {}).nanoseconds;
  };
  CHECK(branch(b.call("<", {b.integer(1), b.integer(2)})) > 1'000'000);
  CHECK(branch(b.call("<", {b.integer(2), b.integer(1)})) < 10'000);
  CHECK(branch(b.call("<", {b.local(2, b.i64), b.integer(1)})) < 10'000);
}

TEST_CASE("a forecast of an evaluation takes little time, however much calls what") {
  Builder b;
  Forecaster forecaster;
  core::Function* endless = b.function("endless", 1, b.integer(0));
  endless->body = b.apply(b.value_of(endless), {b.local(0, b.i64)}, b.i64);
  CHECK(forecaster.evaluation(*b.apply(b.value_of(endless), {b.integer(3)}, b.i64), 0, {})
            .nanoseconds < 10'000);
  // Each function calls the one before it twice: 2^40 calls.
  core::Function* last = squaring(b);
  for (int i = 0; i < 40; ++i) {
    const core::Expr* x = b.local(0, b.i64);
    const core::Expr* once = b.apply(b.value_of(last), {x}, b.i64);
    last = b.function("f" + std::to_string(i), 1, b.apply(b.value_of(last), {once}, b.i64));
  }
  CHECK(
      forecaster.evaluation(*b.apply(b.value_of(last), {b.integer(3)}, b.i64), 0, {}).nanoseconds >
      1'000'000);
}
