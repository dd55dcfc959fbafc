#include "lang/base/runtime_error.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

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
