#include "lang/base/runtime_error.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace sinter;
using namespace sinter::test;

namespace {
/// The array in every disguise: each has the same elements.
std::vector<std::pair<std::string, ArrayRef>> disguises(World& world, const Representation* element,
                                                        const ArrayRef& array) {
  std::vector<std::pair<std::string, ArrayRef>> list;
  std::int64_t n = array->shape[0];
  Extents all = array_extents(array);
  std::span<const std::int64_t> extents = std::span<const std::int64_t>(all).subspan(1);
  list.emplace_back("itself", array);
  list.emplace_back("copy", copy(world.memory, array));
  list.emplace_back("reversed twice",
                    slice_view(slice_view(array, 0, n - 1, n, -1), 0, n - 1, n, -1));
  // Backwards in memory.
  ArrayRef backwards = copy(world.memory, slice_view(array, 0, n - 1, n, -1));
  list.emplace_back("negative stride", slice_view(backwards, 0, n - 1, n, -1));
  // Behind others, and with gaps.
  std::vector<Value> doubled;
  for (std::int64_t i = 0; i < n; ++i) {
    doubled.push_back(get_element(array, n - 1 - i));
    doubled.push_back(get_element(array, i));
  }
  if (n > 0)
    list.emplace_back(
        "every other, offset 1",
        slice_view(make_array_from_elements(world.memory, element, doubled, extents), 0, 1, n, 2));
  // As a column of a matrix: [n][2], transposed to [2][n], row 1.
  ArrayRef pair[] = {slice_view(array, 0, n - 1, n, -1), array};
  std::vector<Value> rows(std::begin(pair), std::end(pair));
  const Representation* row = world.types.array(1, element);
  ArrayRef stacked = make_array_from_elements(world.memory, row, rows);
  ArrayRef columns = copy(world.memory, transpose_view(stacked, 0, 1));
  std::int64_t one = 1;
  list.emplace_back("column", index_view(transpose_view(columns, 0, 1), std::span(&one, 1)));
  return list;
}

bool contents_of_first_leaf_is_shared(const ArrayRef& a, const ArrayRef& b) {
  return a->leaves[0].buffer.get() == b->leaves[0].buffer.get();
}
} // namespace

TEST_CASE("every representation survives being an element, through every kind of view") {
  World world;
  for (const Representation* type : world.every_type())
    for (std::int64_t count : {0, 1, 2, 7})
      for (std::uint64_t seed : {1, 2, 3}) {
        CAPTURE(print(type));
        CAPTURE(count);
        CAPTURE(seed);
        Sampler sampler(world, seed);
        Extents extents = sampler.extents(type, seed == 3 ? 0 : 1, 3);
        std::vector<Value> elements;
        for (std::int64_t i = 0; i < count; ++i)
          elements.push_back(sampler.value(type, extents));
        ArrayRef array = make_array_from_elements(world.memory, type, elements, extents);
        CHECK(array->shape[0] == count);
        CHECK(array->leaves.size() == type->leaf_count);
        CHECK(array_extents(array).size() == 1 + type->extent_count);
        for (auto& [name, view] : disguises(world, type, array)) {
          CAPTURE(name);
          REQUIRE(view->shape == array->shape);
          const Representation* whole = world.types.array(1, type);
          CHECK(equal(view, array, whole));
          for (std::int64_t i = 0; i < count; ++i)
            CHECK(equal(get_element(view, i), elements[static_cast<std::size_t>(i)], type));
          CHECK(equal(row_major(world.memory, view), array, whole));
          CHECK(array_extents(copy(world.memory, view)) == array_extents(array));
        }
      }
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("an array knows all sizes inside it although it is empty") {
  World world;
  const Representation* type =
      world.types.array(1, world.types.record({{"a", world.types.array(2, world.i32())},
                                               {"b", world.types.array(1, world.types.unit())}}));
  Extents extents{0, 3, 4, 5};
  ArrayRef array = allocate_with_extents(world.memory, type, extents);
  CHECK(array_extents(array) == extents);
  std::uint32_t a = 0, b = 1;
  CHECK(extent_at(array, {}, 0) == 0);
  CHECK(extent_at(array, std::span(&a, 1), 1) == 4);
  CHECK(extent_at(array, std::span(&b, 1), 0) == 5);
  CHECK(project(array, 0)->shape == Extents{0, 3, 4});
  CHECK(project(array, 1)->shape == Extents{0, 5});
}

namespace {
std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::Program);
    return error.message;
  }
  FAIL("no error");
  return {};
}
} // namespace

TEST_CASE("a row may be overwritten by what it has, looked at from its end") {
  World world;
  ArrayRef matrix = world.matrix(2, 4);
  const std::int64_t second = 1;
  const ArrayRef row = index_view(matrix, std::span(&second, 1));
  set_element(world.memory, *matrix, second, slice_view(row, 0, 3, 4, -1));
  CHECK(contents(world.memory, matrix) == std::vector<std::int32_t>{0, 1, 2, 3, 7, 6, 5, 4});
}

TEST_CASE("irregular arrays are errors that name both shapes") {
  World world;
  const Representation* row = world.types.array(1, world.i32());
  std::vector<Value> rows{world.vector({1, 2, 3}), world.vector({1, 2})};
  CHECK(failure([&] { make_array_from_elements(world.memory, row, rows); }) ==
        "irregular array: an element of shape [2] among elements of shape [3]");
  const Representation* record = world.types.tuple({world.boolean(), row});
  std::vector<Value> records{Value::record({scalar(true), rows[0]}),
                             Value::record({scalar(true), rows[1]})};
  CHECK(failure([&] { make_array_from_elements(world.memory, record, records); }) ==
        "irregular array: an element of shape [2] among elements of shape [3]");
  ArrayRef matrix = world.matrix(2, 3);
  CHECK(failure([&] { set_element(world.memory, *matrix, 1, rows[1]); }) ==
        "irregular array: an element of shape [2] among elements of shape [3]");
  ArrayRef parts[] = {world.matrix(2, 3), world.matrix(1, 2)};
  CHECK(failure([&] { concatenate(world.memory, parts); }) ==
        "cannot join arrays of shapes [2][3] and [1][2]");
  ArrayRef fields[] = {world.vector({1, 2}), world.vector({1})};
  const Representation* pair = world.types.tuple({world.i32(), world.i32()});
  CHECK(failure([&] { zip(pair, fields); }) == "cannot zip arrays of shapes [2] and [1]");
}

TEST_CASE("an error leaves the array as it was") {
  World world;
  const Representation* row = world.types.array(1, world.i32());
  const Representation* record = world.types.tuple({world.i32(), row, row});
  std::vector<Value> elements{
      Value::record({scalar(1), world.vector({1, 2}), world.vector({3, 4})})};
  ArrayRef array = make_array_from_elements(world.memory, record, elements);
  Value wrong = Value::record({scalar(9), world.vector({9, 9}), world.vector({9})});
  failure([&] { set_element(world.memory, *array, 0, wrong); });
  CHECK(equal(get_element(array, 0), elements[0], record));
}

TEST_CASE("payloads of unknown size make room when they are first seen") {
  World world;
  const Representation* row = world.types.array(1, world.i32());
  const Representation* option = world.types.sum({{"none", {}}, {"some", {row}}});
  Value none = Value::sum(0, {});
  Value some = Value::sum(1, {world.vector({4, 5})});
  std::vector<Value> elements{none, some, none};
  ArrayRef array = make_array_from_elements(world.memory, option, elements);
  CHECK(array_extents(array) == Extents{3, 2});
  for (std::int64_t i = 0; i < 3; ++i)
    CHECK(equal(get_element(array, i), elements[static_cast<std::size_t>(i)], option));
  ArrayRef nones = replicate(world.memory, option, 3, none);
  CHECK(array_extents(nones) == Extents{3, 0});
  const Representation* whole = world.types.array(1, option);
  CHECK_FALSE(equal(nones, array, whole));
  set_element(world.memory, *nones, 1, some);
  CHECK(equal(nones, array, whole));
  // Back to none: no trace of the payload stays.
  set_element(world.memory, *nones, 1, none);
  CHECK(equal(nones, replicate(world.memory, option, 3, none), whole));
  CHECK(equal(nones, copy(world.memory, nones), whole));
  // Joined, in both orders; and rows of rows.
  ArrayRef empties = replicate(world.memory, option, 2, none);
  for (auto& parts : {std::vector{empties, array}, std::vector{array, empties}}) {
    ArrayRef joined = concatenate(world.memory, parts);
    CHECK(array_extents(joined) == Extents{5, 2});
    for (std::int64_t i = 0; i < parts[0]->shape[0]; ++i)
      CHECK(equal(get_element(joined, i), get_element(parts[0], i), option));
    for (std::int64_t i = 0; i < parts[1]->shape[0]; ++i)
      CHECK(equal(get_element(joined, parts[0]->shape[0] + i), get_element(parts[1], i), option));
  }
  std::vector<Value> rows{replicate(world.memory, option, 3, none), array};
  ArrayRef two = make_array_from_elements(world.memory, whole, rows);
  CHECK(array_extents(two) == Extents{2, 3, 2});
  CHECK(equal(get_element(two, 1), array, whole));
  failure([&] { set_element(world.memory, *array, 0, Value::sum(1, {world.vector({1, 2, 3})})); });
}

TEST_CASE("elements and rows can be overwritten in every representation") {
  World world;
  for (const Representation* type : world.every_type()) {
    CAPTURE(print(type));
    Sampler sampler(world, 11);
    const Representation* matrix = world.types.array(2, type);
    Extents extents = sampler.extents(matrix, 1, 3);
    std::span<const std::int64_t> inner = std::span<const std::int64_t>(extents).subspan(2);
    ArrayRef array = sampler.value(matrix, extents).array();
    ArrayRef before = copy(world.memory, array);
    Value element = sampler.value(type, inner);
    array = writable(world.memory, std::move(array));
    std::int64_t last[] = {extents[0] - 1, extents[1] - 1};
    set_element(world.memory, *array, last, element);
    CHECK(equal(get_element(array, last), element, type));
    const Representation* row_type = world.types.array(1, type);
    Value row = sampler.value(row_type, std::span<const std::int64_t>(extents).subspan(1));
    set_element(world.memory, *array, 0, row);
    CHECK(equal(get_element(array, 0), row, row_type));
    // Through a transposed view of the whole.
    ArrayRef transposed = copy(world.memory, transpose_view(before, 0, 1));
    transposed = transpose_view(std::move(transposed), 0, 1);
    set_element(world.memory, *transposed, last, element);
    CHECK(equal(get_element(transposed, last), element, type));
    for (std::int64_t i = 0; i < extents[0]; ++i)
      for (std::int64_t j = 0; j < extents[1]; ++j)
        if (i != last[0] || j != last[1]) {
          std::int64_t at[] = {i, j};
          CHECK(equal(get_element(transposed, at), get_element(before, at), type));
        }
  }
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("replicate, concatenate, zip and unzip in every representation") {
  World world;
  for (const Representation* type : world.every_type())
    for (std::uint64_t seed : {5, 6}) {
      CAPTURE(print(type));
      Sampler sampler(world, seed);
      Extents extents = sampler.extents(type, 0, 2);
      Value value = sampler.value(type, extents);
      for (std::int64_t count : {0, 1, 5}) {
        ArrayRef many = replicate(world.memory, type, count, value);
        CHECK(many->shape[0] == count);
        for (std::int64_t i = 0; i < count; ++i)
          CHECK(equal(get_element(many, i), value, type));
      }
      const Representation* whole = world.types.array(1, type);
      Extents all{4};
      all.append(extents);
      Value four = sampler.value(whole, all);
      ArrayRef halves[] = {slice_view(four.array(), 0, 0, 1, 1),
                           slice_view(four.array(), 0, 1, 3, 1)};
      CHECK(equal(concatenate(world.memory, halves), four, whole));
      ArrayRef backwards = slice_view(four.array(), 0, 3, 4, -1);
      const Representation* pair = world.types.tuple({type, whole, world.i32()});
      std::vector<Value> rows(4, four);
      ArrayRef fields[] = {four.array(), make_array_from_elements(world.memory, whole, rows),
                           world.vector({1, 2, 3, 4})};
      ArrayRef zipped = zip(pair, fields);
      Value record = get_element(zipped, 2);
      CHECK(equal(record.fields()[0], get_element(four.array(), 2), type));
      CHECK(equal(record.fields()[1], four, whole));
      CHECK(record.fields()[2].scalar().as<std::int32_t>() == 3);
      Value parts = unzip(slice_view(zipped, 0, 3, 4, -1));
      CHECK(equal(parts.fields()[0], backwards, whole));
      CHECK(parts.fields()[1].array()->shape[1] == 4);
      CHECK(contents_of_first_leaf_is_shared(parts.fields()[0].array(), four.array()));
    }
  // Along an inner dimension.
  ArrayRef a = world.matrix(2, 1), b = world.matrix(2, 3);
  ArrayRef parts[] = {a, b};
  ArrayRef joined = concatenate(world.memory, parts, 1);
  CHECK(joined->shape == Extents{2, 4});
  std::int64_t at[] = {1, 1};
  CHECK(get_element(joined, at).scalar().as<std::int32_t>() == 3);
  // Two dimensions at once.
  ArrayRef grids[] = {world.matrix(2, 3), world.matrix(2, 3)};
  ArrayRef grid = zip(world.types.tuple({world.i32(), world.i32()}), grids, 2);
  CHECK(grid->shape == Extents{2, 3});
}

TEST_CASE("sizes are read off values along paths") {
  World world;
  auto& t = world.types;
  const Representation* row = t.array(1, world.i32());
  Value record = Value::record({world.matrix(2, 5), Value::record({world.vector({1, 2, 3})})});
  std::uint32_t zero[] = {0}, one_zero[] = {1, 0}, one[] = {1};
  CHECK(extent_at(record, zero, 1) == 5);
  CHECK(extent_at(record, one_zero, 0) == 3);
  CHECK(extent_at(record, one, 0) == std::nullopt);
  CHECK(extent_at(record, zero, 2) == std::nullopt);
  const Representation* inner = t.array(2, t.tuple({world.boolean(), row}));
  const Representation* outer = t.tuple({row, inner});
  Extents extents{4, 7, 2, 3, 6};
  ArrayRef array = allocate_with_extents(world.memory, t.array(1, outer), extents);
  std::uint32_t path_inner[] = {1}, path_deep[] = {1, 1}, path_row[] = {0}, path_bool[] = {1, 0};
  CHECK(extent_at(array, {}, 0) == 4);
  CHECK(extent_at(array, path_row, 0) == 7);
  CHECK(extent_at(array, path_inner, 0) == 2);
  CHECK(extent_at(array, path_inner, 1) == 3);
  CHECK(extent_at(array, path_deep, 0) == 6);
  CHECK(extent_at(array, path_bool, 0) == std::nullopt);
  Value sum = Value::sum(1, {scalar(true), world.vector({1, 2})});
  std::uint32_t there[] = {1, 1}, elsewhere[] = {0, 0};
  CHECK(extent_at(sum, there, 0) == 2);
  CHECK(extent_at(sum, elsewhere, 0) == std::nullopt);
  const Representation* sum_type = t.sum({{"a", {row}}, {"b", {world.boolean(), row}}});
  std::vector<Value> sums{sum};
  ArrayRef sum_array = make_array_from_elements(world.memory, sum_type, sums);
  CHECK(extent_at(sum_array, there, 0) == 2);
}

TEST_CASE("equality is the language's") {
  World world;
  float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(equal(scalar(nan), scalar(nan), world.f32()));
  CHECK(equal(scalar(0.0f), scalar(-0.0f), world.f32()));
  const Representation* whole = world.types.array(1, world.f32());
  ArrayRef zeros = replicate(world.memory, world.f32(), 3, scalar(0.0f));
  CHECK(equal(zeros, replicate(world.memory, world.f32(), 3, scalar(-0.0f)), whole));
  CHECK_FALSE(equal(zeros, replicate(world.memory, world.f32(), 2, scalar(0.0f)), whole));
  set_element(world.memory, *zeros, 1, scalar(nan));
  CHECK_FALSE(equal(zeros, zeros, whole));
  CHECK_FALSE(equal(Value::sum(0, {}), Value::sum(1, {}), world.types.sum({{"a", {}}, {"b", {}}})));
}

TEST_CASE("a value may be replaced by a part of itself") {
  World world;
  Value value = Value::record({Value::record({scalar(1), scalar(2)}), scalar(3)});
  CHECK(value.unique());
  Value inner = value.fields()[0];
  value = std::move(value.fields()[0]);
  CHECK(value.fields()[1].scalar().as<std::int32_t>() == 2);
  CHECK_FALSE(value.unique());
  value = value.fields()[0];
  CHECK(value.scalar().as<std::int32_t>() == 1);
  CHECK(inner.unique());
}
