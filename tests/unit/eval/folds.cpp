// Reductions, scans and histograms combine in the order of fold_order.h.
#include "builder.h"
#include "lang/primitives/fold_order.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;
using primitives::ArrayOperation;
using Integers = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t sizes[] = {0, 1, 2, 63, 64, 65, 128, 129, 4095, 4096, 4097, 4200, 8193};

std::int64_t minus(std::int64_t a, std::int64_t b) {
  return a - b;
}
std::int64_t reduced(std::int64_t count) {
  primitives::RunningFold fold(std::int64_t{0}, minus);
  for (std::int64_t i = 0; i < count; ++i)
    fold.push(std::int64_t{i});
  return std::move(fold).result();
}
Integers scanned(std::int64_t count) {
  primitives::RunningScan scan(std::int64_t{0}, minus);
  Integers result;
  for (std::int64_t i = 0; i < count; ++i)
    result.push_back(scan.push(std::int64_t{i}));
  return result;
}

/// Subtraction as a function whose meaning the evaluator does not know.
const core::Expr* opaque_minus(Builder& b) {
  return b.value_of(b.function("minus", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)})));
}
/// On pairs, each component by itself.
const core::Expr* minus_of_pairs(Builder& b) {
  const Representation* pair = b.representations.tuple({b.i64, b.i64});
  const auto part = [&](core::Slot slot, std::uint32_t field) {
    return b.project(b.local(slot, pair), field);
  };
  return b.value_of(b.function(
      "minus", 2,
      b.record({b.call("-", {part(0, 0), part(1, 0)}), b.call("-", {part(0, 1), part(1, 1)})})));
}

} // namespace

TEST_CASE("reductions and scans of a known and of any operator") {
  for (const std::int64_t count : sizes) {
    CAPTURE(count);
    Builder b;
    for (const core::Expr* operation : {b.operation("-"), opaque_minus(b)}) {
      const std::vector<const core::Expr*> arguments = {operation, b.integer(0),
                                                        b.iota(b.integer(count))};
      for (const ArrayOperation reduce :
           {ArrayOperation::Reduce, ArrayOperation::ReduceCommutative})
        CHECK(integer_of(b.run(b.array_call(reduce, arguments, b.i64))) == reduced(count));
      CHECK(integers_of(b.run(b.array_call(ArrayOperation::Scan, arguments, b.i64s))) ==
            scanned(count));
    }
  }
}

TEST_CASE("reductions of records") {
  for (const std::int64_t count : sizes) {
    CAPTURE(count);
    Builder b;
    const Representation* pair = b.representations.tuple({b.i64, b.i64});
    const core::Function* twice =
        b.function("twice", 1, b.record({b.local(0, b.i64), b.local(0, b.i64)}));
    const core::Expr* pairs =
        b.array_call(ArrayOperation::Map, {b.value_of(twice), b.iota(b.integer(count))},
                     b.representations.array(1, pair));
    const Value result = b.run(
        b.array_call(ArrayOperation::Reduce,
                     {minus_of_pairs(b), b.record({b.integer(0), b.integer(0)}), pairs}, pair));
    CHECK(integer_of(result.fields()[0]) == reduced(count));
    CHECK(integer_of(result.fields()[1]) == reduced(count));
  }
}

TEST_CASE("bins of one to three dimensions, in order and in segments") {
  for (const std::int64_t count : {0, 100, 8191, 8192, 20'000}) {
    CAPTURE(count);
    // 4 bins that begin with 10, 20, …; elements go around them, and one of 5 to none.
    Integers expected = {10, 20, 30, 40};
    const primitives::Segments cut = primitives::segments(count, 4);
    for (std::int64_t begin = 0; begin < count; begin += cut.length) {
      Integers own = cut.count == 1 ? expected : Integers(4, 0);
      for (std::int64_t i = begin; i < std::min(count, begin + cut.length); ++i)
        if (i % 5 < 4) own[static_cast<std::size_t>(i % 5)] -= i;
      for (std::size_t bin = 0; bin < 4; ++bin)
        expected[bin] = cut.count == 1 ? own[bin] : expected[bin] - own[bin];
    }
    Builder b;
    const auto n = [&](std::int64_t value) { return b.integer(value); };
    const core::Expr* remainder = b.call("%", {b.local(0, b.i64), n(5)});
    const core::Expr* half = b.call("/", {remainder, n(2)});
    const core::Expr* odd = b.call("%", {remainder, n(2)});
    const core::Expr* row = b.integers({10, 20});
    const core::Expr* other = b.integers({30, 40});
    const core::Expr* matrix = b.node(core::ArrayLiteral{{row, other}, {b.i64ss, {}}}, b.i64ss);
    const Representation* cube = b.representations.array(3, b.i64);
    const auto bins_of = [&](ArrayOperation operation, const core::Expr* bins,
                             const core::Expr* index) {
      const core::Expr* indices = b.array_call(
          ArrayOperation::Map, {b.value_of(b.function("index", 1, index)), b.iota(n(count))},
          b.representations.array(1, index->type));
      return integers_of(b.run(b.array_call(
          operation, {n(1), bins, opaque_minus(b), n(0), indices, b.iota(n(count))}, bins->type)));
    };
    CHECK(bins_of(ArrayOperation::Histogram1d, b.integers({10, 20, 30, 40}), remainder) ==
          expected);
    CHECK(bins_of(ArrayOperation::Histogram2d, matrix, b.record({half, odd})) == expected);
    CHECK(bins_of(ArrayOperation::Histogram3d,
                  b.node(core::ArrayLiteral{{matrix}, {cube, {}}}, cube),
                  b.record({n(0), half, odd})) == expected);
  }
}

TEST_CASE("the bins that were given stay as they are if somebody else has them") {
  Builder b;
  const auto n = [&](std::int64_t value) { return b.integer(value); };
  const core::Expr* zeros = b.array_call(
      ArrayOperation::Map, {b.value_of(b.function("zero", 1, n(0))), b.iota(n(10'000))}, b.i64s);
  const core::Expr* binned = b.array_call(
      ArrayOperation::Histogram1d,
      {n(1), b.local(0, b.i64s), opaque_minus(b), n(0), zeros, b.iota(n(10'000))}, b.i64s);
  const Value both =
      b.run(b.let(b.slot(0), b.integers({7, 8}), b.record({binned, b.local(0, b.i64s)})));
  CHECK(integers_of(both.fields()[1]) == Integers{7, 8});
  CHECK(integers_of(both.fields()[0])[1] == 8);
}
