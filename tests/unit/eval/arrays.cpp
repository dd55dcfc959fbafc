// Array operations, indexing, updates in place.
#include "builder.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;
using primitives::ArrayOperation;
using Integers = std::vector<std::int64_t>;

namespace {

const core::Expr* square(Builder& b) {
  return b.value_of(b.function("lambda", 1, b.call("*", {b.local(0, b.i64), b.local(0, b.i64)})));
}
/// [[0, 1, 2], [3, 4, 5]]
const core::Expr* matrix(Builder& b) {
  return b.node(core::ArrayLiteral{{b.integers({0, 1, 2}), b.integers({3, 4, 5})}, {b.i64ss, {}}},
                b.i64ss);
}

} // namespace

TEST_CASE("ranges") {
  Builder b;
  using End = syntax::RangeEnd;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  CHECK(integers_of(b.run(b.range(n(1), nullptr, n(4), End::Inclusive))) == Integers{1, 2, 3, 4});
  CHECK(integers_of(b.run(b.range(n(1), n(3), n(8), End::Inclusive))) == Integers{1, 3, 5, 7});
  CHECK(integers_of(b.run(b.range(n(5), n(3), n(0), End::Inclusive))) == Integers{5, 3, 1});
  CHECK(integers_of(b.run(b.range(n(3), nullptr, n(0), End::DownTo))) == Integers{3, 2, 1});
  CHECK(integers_of(b.run(b.range(n(3), nullptr, n(3)))).empty());
  CHECK(b.error(b.range(n(5), n(4), n(1))).message == "Range 5..4..<1 is invalid.");
  CHECK(b.error(b.range(n(0), n(1), n(-2))).message == "Range 0..1..<-2 is invalid.");
  CHECK(b.error(b.range(n(2), n(2), n(-8))).message == "Range 2..2..<-8 is invalid.");
  CHECK(b.error(b.range(n(1), nullptr, n(0), End::Inclusive)).message == "Range 1...0 is invalid.");
  CHECK(b.error(b.range(n(1), n(1), n(2), End::DownTo)).message == "Range 1..1..>2 is invalid.");
}

TEST_CASE("indexing and slicing") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  const core::Expr* xs = b.integers({10, 11, 12, 13, 14});
  CHECK(integer_of(b.run(b.index(xs, {b.at(n(3))}))) == 13);
  CHECK(integers_of(b.run(b.index(xs, {b.slice(n(1), n(3))}))) == Integers{11, 12});
  CHECK(integers_of(b.run(b.index(xs, {b.slice(nullptr, nullptr, n(-1))}))) ==
        Integers{14, 13, 12, 11, 10});
  CHECK(integers_of(b.run(b.index(xs, {b.slice(n(3), nullptr, n(-2))}))) == Integers{13, 11});
  CHECK(integers_of(b.run(b.index(xs, {b.slice(n(2), n(2))}))).empty());
  CHECK(integers_of(b.run(b.index(matrix(b), {b.slice(nullptr, nullptr), b.at(n(1))}))) ==
        Integers{1, 4});
  CHECK(integers_of(b.run(b.index(matrix(b), {b.at(n(1))}))) == Integers{3, 4, 5});
  auto message = [&](const core::Expr* array, std::vector<core::IndexPart> parts) {
    return b.error(b.index(array, std::move(parts))).message;
  };
  CHECK(message(matrix(b), {b.slice(n(0), n(2)), b.slice(n(1), n(0))}) ==
        "Index [0:2, 1:0] out of bounds for array of shape [2][3].");
  CHECK(message(xs, {b.at(n(-1))}) == "Index [-1] out of bounds for array of shape [5].");
  CHECK(message(xs, {b.at(n(5))}) == "Index [5] out of bounds for array of shape [5].");
  CHECK(message(xs, {b.slice(n(0), n(6))}) == "Index [0:6] out of bounds for array of shape [5].");
  CHECK(message(xs, {b.slice(n(0), n(3), n(0))}) ==
        "Index [0:3:0] out of bounds for array of shape [5].");
  CHECK(message(xs, {b.slice(n(INT64_MIN), n(INT64_MAX), n(INT64_MAX))}) ==
        "Index [-9223372036854775808:9223372036854775807:9223372036854775807] out of bounds for "
        "array of shape [5].");
}

TEST_CASE("index lists longer than the walker keeps without allocation") {
  Builder b;
  const core::Expr* array = b.integers({5, 6});
  for (int rank = 2; rank <= 5; ++rank) {
    const Representation* type = b.representations.array(1, array->type);
    array = b.node(core::ArrayLiteral{{array}, {type, {}}}, type);
  }
  auto n = [&](std::int64_t v) { return b.integer(v); };
  std::vector<core::IndexPart> parts = {b.at(n(0)), b.at(n(0)), b.at(n(0)), b.at(n(0)), b.at(n(1))};
  CHECK(integer_of(b.run(b.index(array, parts))) == 6);
  parts[4] = b.slice(nullptr, nullptr, n(-1));
  CHECK(integers_of(b.run(b.index(array, parts))) == Integers{6, 5});
  CHECK(integers_of(b.run(b.update(array, {core::IndexStep{parts}}, b.integers({1, 2})))) ==
        Integers{2, 1});
}

TEST_CASE("updates: elements, rows, slices, fields; the original stays") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  using core::FieldStep, core::IndexStep;
  // let xs = iota 4 in (xs with [1] = 9, xs)
  const core::Expr* shared =
      b.let(b.slot(0), b.iota(n(4)),
            b.record({b.update(b.local(0, b.i64s), {IndexStep{{b.at(n(1))}}}, n(9)),
                      b.local(0, b.i64s)}));
  Value pair = b.run(shared);
  CHECK(integers_of(pair.fields()[0]) == Integers{0, 9, 2, 3});
  CHECK(integers_of(pair.fields()[1]) == Integers{0, 1, 2, 3});
  CHECK(integers_of(b.run(b.update(matrix(b), {IndexStep{{b.at(n(0))}}}, b.integers({7, 8, 9})))) ==
        Integers{7, 8, 9, 3, 4, 5});
  CHECK(integers_of(b.run(b.update(matrix(b), {IndexStep{{b.slice(nullptr, nullptr), b.at(n(2))}}},
                                   b.integers({7, 8})))) == Integers{0, 1, 7, 3, 4, 8});
  CHECK(integers_of(b.run(b.update(matrix(b), {IndexStep{{b.at(n(1))}}, IndexStep{{b.at(n(2))}}},
                                   n(50)))) == Integers{0, 1, 2, 3, 4, 50});
  const core::Expr* nested =
      b.update(b.record({n(1), b.iota(n(3))}), {FieldStep{1}, IndexStep{{b.at(n(2))}}}, n(40));
  CHECK(integers_of(b.run(nested).fields()[1]) == Integers{0, 1, 40});
  CHECK(b.error(b.update(b.iota(n(4)), {IndexStep{{b.at(n(4))}}}, n(1))).message ==
        "Index [4] out of bounds for array of shape [4].");
  CHECK(b.error(b.update(b.iota(n(4)), {IndexStep{{b.slice(n(0), n(2))}}}, b.iota(n(3))))
            .message.find("shape [3] cannot be written") != std::string::npos);
  // The replacement may be a view of the array itself.
  const core::Expr* overlapping =
      b.let(b.slot(0), b.iota(n(5)),
            b.update(b.local(0, b.i64s), {IndexStep{{b.slice(n(1), n(5))}}},
                     b.index(b.local(0, b.i64s), {b.slice(n(0), n(4))})));
  CHECK(integers_of(b.run(overlapping)) == Integers{0, 0, 1, 2, 3});
}

TEST_CASE("an update of an element's field: arrays of records") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  const core::Expr* records = b.literal({b.record({n(1), n(2)}), b.record({n(3), n(4)})});
  const core::Expr* updated =
      b.update(records, {core::IndexStep{{b.at(n(1))}}, core::FieldStep{0}}, n(30));
  Value result = unzip(b.run(updated).array());
  CHECK(integers_of(result.fields()[0]) == Integers{1, 30});
  CHECK(integers_of(result.fields()[1]) == Integers{2, 4});
}

TEST_CASE("updates of arrays with one owner are in place, through records and calls") {
  Builder b;
  const std::int64_t count = 20000;
  b.memory.set_limit(b.memory.in_use() + count * 8 + 4096); // no room for a copy
  auto n = [&](std::int64_t v) { return b.integer(v); };
  // set (r: *{0, 1}) i = r with 1[i] = i
  core::Function* set = b.function("set", 2);
  const Representation* pair = b.representations.tuple({b.i64, b.i64s});
  set->body = b.update(b.local(0, pair, true),
                       {core::FieldStep{1}, core::IndexStep{{b.at(b.local(1, b.i64))}}}, n(1));
  const core::Expr* loop = b.node(
      core::Loop{{},
                 b.slot(0),
                 b.record({n(0), b.iota(n(count))}),
                 core::ForLess{1, ElementType::I64, n(count)},
                 b.apply(b.value_of(set), {b.local(0, pair, true), b.local(1, b.i64)}, pair)},
      pair);
  CHECK(integers_of(b.run(loop).fields()[1]) == Integers(count, 1));
}

TEST_CASE("a field's last use moves it out of its record") {
  Builder b;
  const std::int64_t count = 20000;
  b.memory.set_limit(b.memory.in_use() + count * 8 + 4096); // no room for a copy
  auto n = [&](std::int64_t v) { return b.integer(v); };
  // loop r = (iota count, 0) for i < count do (r.0 with [i] = 3, r.1 + 1)
  const Representation* pair = b.representations.tuple({b.i64s, b.i64});
  const core::Expr* array = b.node(core::Project{b.local(0, pair), 0, true}, b.i64s);
  const core::Expr* body =
      b.record({b.update(array, {core::IndexStep{{b.at(b.local(1, b.i64))}}}, n(3)),
                b.call("+", {b.project(b.local(0, pair, true), 1), n(1)})});
  const core::Expr* loop = b.node(core::Loop{{},
                                             b.slot(0),
                                             b.record({b.iota(n(count)), n(0)}),
                                             core::ForLess{1, ElementType::I64, n(count)},
                                             body},
                                  pair);
  Value result = b.run(loop);
  CHECK(integers_of(result.fields()[0]) == Integers(count, 3));
  CHECK(integer_of(result.fields()[1]) == count);
  // A record with another owner keeps its fields.
  const core::Expr* shared =
      b.let(b.slot(2), b.record({b.iota(n(2)), n(7)}),
            b.let(b.slot(0), b.local(2, pair),
                  b.record({array, b.project(b.local(2, pair), 0), b.local(0, pair, true)})));
  b.memory.set_limit(SIZE_MAX);
  CHECK(integers_of(b.run(shared).fields()[1]) == Integers{0, 1});
}

TEST_CASE("map, also over several arrays, rows, and nothing") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::Map, {square(b), b.iota(n(5))}, b.i64s))) ==
        Integers{0, 1, 4, 9, 16});
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::Map2,
                                       {b.operation("-"), b.integers({5, 6}), b.integers({1, 2})},
                                       b.i64s))) == Integers{4, 4});
  CHECK(b.error(b.array_call(ArrayOperation::Map2,
                             {b.operation("-"), b.integers({5, 6}), b.integers({1})}, b.i64s))
            .message == "arrays of different lengths: 2 and 1");
  const core::Expr* iota = b.value_of(b.function("lambda", 1, b.iota(b.local(0, b.i64))));
  CHECK(b.error(b.array_call(ArrayOperation::Map, {iota, b.iota(n(3))}, b.i64ss))
            .message.find("irregular") != std::string::npos);
  Value rows = b.run(b.array_call(ArrayOperation::Map, {iota, b.integers({2, 2, 2})}, b.i64ss));
  CHECK(rows.array()->shape == Extents{3, 2});
  // No element shows the inner size: it comes from the type.
  Value empty =
      b.run(b.array_call(ArrayOperation::Map, {iota, b.iota(n(0))}, b.i64ss, {n(0), n(7)}));
  CHECK(empty.array()->shape == Extents{0, 7});
}

TEST_CASE("reduce and scan go from left to right and begin with the neutral element") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  core::Function* slow =
      b.function("lambda", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)}));
  for (const core::Expr* minus : {b.operation("-"), b.value_of(slow)}) {
    CHECK(integer_of(b.run(b.array_call(ArrayOperation::Reduce,
                                        {minus, n(100), b.integers({1, 2, 3})}, b.i64))) == 94);
    CHECK(integers_of(b.run(b.array_call(ArrayOperation::Scan,
                                         {minus, n(100), b.integers({1, 2, 3})}, b.i64s))) ==
          Integers{99, 97, 94});
    CHECK(integer_of(b.run(
              b.array_call(ArrayOperation::Reduce, {minus, n(5), b.iota(n(0))}, b.i64))) == 5);
  }
  CHECK(b.error(b.array_call(ArrayOperation::Reduce, {b.operation("/"), n(1), b.integers({1, 0})},
                             b.i64))
            .span.begin == 50);
}

TEST_CASE("filter, partition, flatmap") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  const core::Expr* odd = b.value_of(
      b.function("lambda", 1, b.call("==", {b.call("%", {b.local(0, b.i64), n(2)}), n(1)})));
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::Filter, {odd, b.iota(n(7))}, b.i64s))) ==
        Integers{1, 3, 5});
  const core::Expr* parity =
      b.value_of(b.function("lambda", 1, b.call("%", {b.local(0, b.i64), n(3)})));
  const core::Expr* three = b.node(core::Constant{Scalar::of(std::int32_t{3})}, b.i32);
  Value parts = b.run(b.array_call(ArrayOperation::Partition, {three, parity, b.iota(n(7))},
                                   b.representations.tuple({b.i64s, b.i64s})));
  CHECK(integers_of(parts.fields()[0]) == Integers{0, 3, 6, 1, 4, 2, 5});
  CHECK(integers_of(parts.fields()[1]) == Integers{3, 2, 2});
  const core::Expr* pieces =
      b.value_of(b.function("lambda", 1, b.record({b.iota(b.local(0, b.i64)), b.local(0, b.i64)})));
  const Representation* bools = b.representations.array(1, b.boolean);
  const Representation* type = b.representations.tuple({b.i64s, bools, b.i64s, b.i64s, b.i64s});
  Value joined =
      b.run(b.array_call(ArrayOperation::Flatmap, {pieces, b.integers({2, 0, 3})}, type));
  CHECK(integers_of(joined.fields()[0]) == Integers{2, 0, 3});
  CHECK(integers_of(joined.fields()[1]) == Integers{1, 0, 1, 0, 0});
  CHECK(integers_of(joined.fields()[2]) == Integers{0, 2, 2});
  CHECK(integers_of(joined.fields()[3]) == Integers{0, 1, 0, 1, 2});
  CHECK(integers_of(joined.fields()[4]) == Integers{2, 0, 3});
  Value nothing = b.run(b.array_call(ArrayOperation::Flatmap, {pieces, b.iota(n(0))}, type,
                                     {n(0), n(0), n(0), n(0), n(0)}));
  CHECK(integers_of(nothing.fields()[3]).empty());
}

TEST_CASE("scatter and histograms ignore what is out of bounds") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  CHECK(integers_of(b.run(b.array_call(
            ArrayOperation::Scatter,
            {b.iota(n(4)), b.integers({-1, 2, 4, 0, 0}), b.integers({9, 8, 7, 6, 5})}, b.i64s))) ==
        Integers{5, 1, 8, 3});
  const core::Expr* places = b.literal({b.record({n(1), n(2)}), b.record({n(0), n(3)})});
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::Scatter2d,
                                       {matrix(b), places, b.integers({70, 80})}, b.i64ss))) ==
        Integers{0, 1, 2, 3, 4, 70});
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::Histogram1d,
                                       {n(1), b.integers({100, 200}), b.operation("+"), n(0),
                                        b.integers({0, 1, 0, 5, -1}), b.integers({1, 2, 3, 4, 5})},
                                       b.i64s))) == Integers{104, 202});
}

TEST_CASE("accumulators: the last write stays, or an operator combines") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  const Representation* acc = b.representations.accumulator();
  // f acc i = acc_write (acc_write acc i 10) (i + 1) i
  const core::Expr* first = b.array_call(ArrayOperation::AccumulatorWrite,
                                         {b.local(0, acc, true), b.local(1, b.i64), n(10)}, acc);
  const core::Expr* second =
      b.array_call(ArrayOperation::AccumulatorWrite,
                   {first, b.call("+", {b.local(1, b.i64), n(1)}), b.local(1, b.i64)}, acc);
  const core::Expr* f = b.value_of(b.function("f", 2, second));
  CHECK(integers_of(b.run(b.array_call(ArrayOperation::ScatterStream,
                                       {b.integers({7, 7, 7}), f, b.iota(n(3))}, b.i64s))) ==
        Integers{10, 10, 10});
  CHECK(integers_of(
            b.run(b.array_call(ArrayOperation::HistogramStream,
                               {b.integers({7, 7, 7}), b.operation("+"), n(0), f, b.iota(n(3))},
                               b.i64s))) == Integers{17, 17, 18});
}

TEST_CASE("rearranging") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  auto run = [&](ArrayOperation operation, Exprs arguments, const Representation* type) {
    return b.run(b.array_call(operation, std::move(arguments), type));
  };
  CHECK(integers_of(run(ArrayOperation::Concat, {b.integers({1, 2}), b.integers({3})}, b.i64s)) ==
        Integers{1, 2, 3});
  CHECK(integers_of(run(ArrayOperation::Concat, {b.iota(n(0)), b.integers({3})}, b.i64s)) ==
        Integers{3});
  CHECK(integers_of(run(ArrayOperation::Rotate, {n(-1), b.iota(n(4))}, b.i64s)) ==
        Integers{3, 0, 1, 2});
  CHECK(integers_of(run(ArrayOperation::Rotate, {n(5), b.iota(n(4))}, b.i64s)) ==
        Integers{1, 2, 3, 0});
  Value transposed = run(ArrayOperation::Transpose, {matrix(b)}, b.i64ss);
  CHECK(integers_of(transposed) == Integers{0, 3, 1, 4, 2, 5});
  const core::Expr* turned = b.array_call(ArrayOperation::Transpose, {matrix(b)}, b.i64ss);
  CHECK(integers_of(run(ArrayOperation::Flatten, {turned}, b.i64s)) == Integers{0, 3, 1, 4, 2, 5});
  CHECK(run(ArrayOperation::Unflatten, {n(2), n(3), b.iota(n(6))}, b.i64ss).array()->shape ==
        Extents{2, 3});
  CHECK(b.error(b.array_call(ArrayOperation::Unflatten, {n(-2), n(-2), b.iota(n(4))}, b.i64ss))
            .message == "Cannot unflatten array of shape [4] to array of shape [-2][-2]");
  CHECK(integers_of(run(ArrayOperation::Replicate, {n(3), n(8)}, b.i64s)) == Integers{8, 8, 8});
  CHECK(b.error(b.array_call(ArrayOperation::Replicate, {n(-2), n(8)}, b.i64s)).message ==
        "Range 0..1..<-2 is invalid.");
  const Representation* pairs = b.representations.array(1, b.representations.tuple({b.i64, b.i64}));
  const core::Expr* zipped =
      b.array_call(ArrayOperation::Zip, {b.integers({1, 2}), b.integers({3, 4})}, pairs);
  Value unzipped = run(ArrayOperation::Unzip, {zipped}, b.representations.tuple({b.i64s, b.i64s}));
  CHECK(integers_of(unzipped.fields()[0]) == Integers{1, 2});
  CHECK(integers_of(unzipped.fields()[1]) == Integers{3, 4});
  CHECK(run(ArrayOperation::Equal, {matrix(b), matrix(b)}, b.boolean).scalar().as<bool>());
  CHECK(run(ArrayOperation::NotEqual, {b.iota(n(2)), b.iota(n(3))}, b.boolean).scalar().as<bool>());
}

TEST_CASE("flat views and updates through them") {
  Builder b;
  auto n = [&](std::int64_t v) { return b.integer(v); };
  auto flat = [&](std::int64_t offset, std::int64_t n1, std::int64_t s1, std::int64_t n2,
                  std::int64_t s2) {
    return b.array_call(ArrayOperation::FlatIndex2d,
                        {b.iota(n(10)), n(offset), n(n1), n(s1), n(n2), n(s2)}, b.i64ss);
  };
  CHECK(integers_of(b.run(flat(1, 2, 4, 3, 1))) == Integers{1, 2, 3, 5, 6, 7});
  CHECK(integers_of(b.run(flat(9, 2, -4, 2, -1))) == Integers{9, 8, 5, 4});
  CHECK(b.error(flat(1, 3, 4, 3, 1)).message.find("out of bounds") != std::string::npos);
  CHECK(b.run(flat(100, 0, 4, 3, 1)).array()->shape == Extents{0, 3});
  CHECK(integers_of(b.run(b.array_call(
            ArrayOperation::FlatUpdate2d,
            {b.iota(n(6)), n(0), n(3), n(2),
             b.node(core::ArrayLiteral{{b.integers({70, 71}), b.integers({80, 81})}, {b.i64ss, {}}},
                    b.i64ss)},
            b.i64s))) == Integers{70, 1, 71, 80, 4, 81});
}

TEST_CASE("derivatives say that they cannot be evaluated") {
  Builder b;
  RuntimeError error =
      b.error(b.array_call(ArrayOperation::Jvp2, {square(b), b.integer(1), b.integer(1)},
                           b.representations.tuple({b.i64, b.i64})));
  CHECK(error.kind == FailureKind::Unsupported);
}

TEST_CASE("an empty literal has the sizes of its type") {
  Builder b;
  Value empty =
      b.run(b.node(core::ArrayLiteral{{}, {b.i64ss, {b.integer(0), b.integer(4)}}}, b.i64ss));
  CHECK(empty.array()->shape == Extents{0, 4});
}
