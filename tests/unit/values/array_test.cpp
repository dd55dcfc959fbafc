#include "lang/base/runtime_error.h"
#include "lang/values/strided.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <thread>

using namespace sinter;
using namespace sinter::test;

namespace {

std::vector<std::int32_t> contents(MemoryBudget& memory, const ArrayRef& array) {
  ArrayRef dense = row_major(memory, array);
  const Leaf& leaf = dense->leaves[0];
  auto* data = reinterpret_cast<std::int32_t*>(leaf.buffer->overwrite()) + leaf.offset;
  return {data, data + element_count(leaf.extents)};
}

std::string failure(FailureKind kind, const std::function<void()>& action) {
  try {
    action();
  } catch (const RuntimeError& error) {
    CHECK(error.kind == kind);
    return error.message;
  }
  FAIL("no error");
  return {};
}

} // namespace

TEST_CASE("extents behave as a vector, inside and outside of themselves") {
  for (std::size_t size = 0; size < 12; ++size) {
    Extents list;
    std::vector<std::int64_t> model;
    for (std::size_t i = 0; i < size; ++i) {
      list.push_back(static_cast<std::int64_t>(i * i));
      model.push_back(static_cast<std::int64_t>(i * i));
    }
    CHECK(list == Extents(model));
    Extents copy = list;
    Extents moved = std::move(copy);
    CHECK(moved == list);
    CHECK(copy.empty());
    moved.insert(moved.begin() + size / 2, 77);
    model.insert(model.begin() + static_cast<std::ptrdiff_t>(size / 2), 77);
    CHECK(moved == Extents(model));
    moved.append(moved);
    CHECK(moved.size() == 2 * model.size());
    moved.erase(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(model.size()));
    CHECK(moved == Extents(model));
    moved = list;
    CHECK(moved == list);
    moved = Extents{1, 2, 3, 4, 5, 6};
    CHECK(moved.size() == 6);
    moved.resize(2);
    CHECK(moved == Extents{1, 2});
    moved.resize(9, 4);
    CHECK(moved.back() == 4);
  }
}

TEST_CASE("extents are given to others, whether those are inside or outside of themselves") {
  for (std::size_t from = 0; from < 9; ++from)
    for (std::size_t to = 0; to < 9; ++to) {
      const Extents source(from, 7);
      Extents copied(to, 3), moved(to, 3);
      copied = source;
      moved = Extents(source);
      CHECK(copied == source);
      CHECK(moved == source);
      copied.append(moved);
      CHECK(copied == Extents(2 * from, 7));
      CHECK(source == Extents(from, 7));
    }
}

TEST_CASE("representations are the same object when they are equal, from every thread") {
  World world;
  const Representation* pair = world.types.tuple({world.i32(), world.f32()});
  CHECK(pair == world.types.tuple({world.i32(), world.f32()}));
  CHECK(pair != world.types.tuple({world.f32(), world.i32()}));
  CHECK(world.types.array(1, world.types.array(2, pair)) == world.types.array(3, pair));
  CHECK(indexed(world.types, world.types.array(3, pair), 2) == world.types.array(1, pair));
  CHECK(indexed(world.types, world.types.array(3, pair), 3) == pair);
  CHECK(world.types.array(0, pair) == pair);
  std::vector<std::thread> threads;
  std::vector<const Representation*> made(4);
  for (std::size_t t = 0; t < made.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 1; i < 200; ++i)
        made[t] = world.types.array(i, world.types.tuple({world.i64(), world.types.unit()}));
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const Representation* one : made)
    CHECK(one == made[0]);
}

TEST_CASE("representations print as types") {
  World world;
  auto& t = world.types;
  const Representation* option = t.sum({{"none", {}}, {"some", {world.i32()}}});
  CHECK(print(t.array(2, world.i32())) == "[][]i32");
  CHECK(print(t.unit()) == "()");
  CHECK(print(t.tuple({world.i32(), world.boolean()})) == "(i32, bool)");
  CHECK(print(t.record({{"x", world.f32()}})) == "{x: f32}");
  CHECK(print(t.record({{"0", world.f32()}})) == "{0: f32}");
  CHECK(print(option) == "#none | #some i32");
  CHECK(print(t.array(1, option)) == "[](#none | #some i32)");
  CHECK(print(t.sum({{"two", {option, world.i32()}}})) == "#two (#none | #some i32) i32");
}

TEST_CASE("leaves follow a depth-first walk") {
  World world;
  auto& t = world.types;
  const Representation* type =
      t.record({{"a", t.array(2, t.tuple({world.i32(), t.array(1, world.f32())}))},
                {"b", t.sum({{"x", {t.array(1, world.i64())}}, {"y", {}}})},
                {"c", t.array(1, t.unit())}});
  REQUIRE(type->leaves.size() == 5);
  CHECK(type->extent_count == 5);
  CHECK(type->leaves[0].dimensions == std::vector<std::uint32_t>{0, 1});
  CHECK(type->leaves[1].dimensions == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(type->leaves[2].dimensions.empty());
  CHECK(type->leaves[2].element == ElementType::U8);
  CHECK_FALSE(type->leaves[2].is_payload);
  CHECK(type->leaves[3].dimensions == std::vector<std::uint32_t>{3});
  CHECK(type->leaves[3].is_payload);
  CHECK(type->leaves[4].is_unit);
  CHECK(type->leaves[4].dimensions == std::vector<std::uint32_t>{4});
  const Representation* array = t.array(1, type);
  CHECK(array->leaf_count == 5);
  CHECK(array->extent_count == 6);
  CHECK(array->leaves[1].dimensions == std::vector<std::uint32_t>{0, 1, 2, 3});
}

TEST_CASE("a budget counts every byte, and gets all of them back") {
  MemoryBudget memory(10'000);
  {
    BufferRef a = Buffer::allocate(memory, 6'000);
    CHECK(memory.in_use() == 6'000);
    CHECK(reinterpret_cast<std::uintptr_t>(a->contents()) % 64 == 0);
    BufferRef b = a;
    CHECK_FALSE(a.unique());
    std::string message =
        failure(FailureKind::OutOfMemory, [&] { Buffer::allocate(memory, 5'000); });
    CHECK(message == "out of memory: an array needs 4.9 KiB, the limit is 9.8 KiB, of which 5.9 "
                     "KiB are in use");
    CHECK(memory.in_use() == 6'000);
    a = {};
    CHECK(b.unique());
    CHECK(memory.in_use() == 6'000);
    b = {};
    CHECK(memory.in_use() == 0);
    BufferRef c = Buffer::allocate(memory, 0);
    CHECK(c->contents() != nullptr);
    CHECK(c->bytes() == 0);
  }
  memory.set_limit(SIZE_MAX);
  for (std::size_t bytes : {std::size_t{3} << 20, (std::size_t{5} << 20) + 13}) {
    // The second time, from the pages that the first one gave back.
    for (bool is_spare : {false, true}) {
      CHECK((memory.spare() >= bytes) == is_spare);
      BufferRef large = Buffer::allocate_zeroed(memory, bytes);
      CHECK(memory.in_use() == bytes);
      CHECK(memory.spare() < bytes);
      CHECK(reinterpret_cast<std::uintptr_t>(large->contents()) % 64 == 0);
      for (std::size_t i = 0; i < bytes; i += 4096)
        CHECK(large->contents()[i] == std::byte{0});
      std::memset(large->overwrite(), 1, bytes);
    }
  }
  CHECK(memory.in_use() == 0);
  CHECK(memory.spare() >= std::size_t{6} << 20);
  memory.release_spare();
  CHECK(memory.spare() == 0);
}

TEST_CASE("memory that is kept and memory in use stay below the limit together") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  MemoryBudget memory(40 * mebibyte);
  BufferRef a = Buffer::allocate(memory, 20 * mebibyte);
  BufferRef b = Buffer::allocate(memory, 16 * mebibyte);
  a = {};
  CHECK(memory.spare() >= 20 * mebibyte);
  // More than was kept in one piece.
  a = Buffer::allocate(memory, 22 * mebibyte);
  CHECK(memory.in_use() + memory.spare() <= 40 * mebibyte);
  a = {};
  b = {};
  CHECK(memory.spare() <= 40 * mebibyte);
  memory.set_limit(10 * mebibyte);
  b = Buffer::allocate(memory, 3 * mebibyte);
  b = {};
  CHECK(memory.spare() <= 10 * mebibyte);
}

TEST_CASE("memory that is kept does not keep a larger array from being made") {
  MemoryBudget memory(std::size_t{40} << 20);
  for (std::size_t bytes = std::size_t{1} << 20; bytes <= std::size_t{38} << 20;
       bytes += std::size_t{3} << 20) {
    BufferRef buffer = Buffer::allocate(memory, bytes);
    std::memset(buffer->overwrite(), 1, bytes);
    CHECK(memory.in_use() == bytes);
  }
  CHECK(memory.in_use() == 0);
}

TEST_CASE("absurd sizes are errors, not crashes") {
  World world;
  auto allocate = [&](Extents shape) {
    return [&world, shape] { allocate_array(world.memory, world.i64(), shape); };
  };
  std::int64_t huge = std::int64_t{1} << 60;
  CHECK(
      failure(FailureKind::OutOfMemory, allocate({huge})) ==
      "out of memory: an array of shape [1152921504606846976] is larger than any machine's memory");
  CHECK(failure(FailureKind::OutOfMemory, allocate({huge, huge})).find("can be counted") !=
        std::string::npos);
  std::string message = failure(FailureKind::OutOfMemory, allocate({std::int64_t{1} << 50}));
  CHECK(message.starts_with("out of memory: an array needs 8.0 PiB, the machine has "));
  CHECK(failure(FailureKind::Program, allocate({3, -1})) ==
        "an array cannot have the shape [3][-1]: a size is negative");
  failure(FailureKind::Program, [&] { allocate_array(world.memory, world.types.unit(), {-1}); });
  // Nothing is needed for no elements.
  CHECK(allocate_array(world.memory, world.i64(), {0, huge, huge})->shape.size() == 3);
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("views show the elements that they should") {
  World world;
  MemoryBudget& memory = world.memory;
  ArrayRef m = world.matrix(3, 4);
  std::int64_t one = 1;
  CHECK(contents(memory, index_view(m, std::span(&one, 1))) ==
        std::vector<std::int32_t>{4, 5, 6, 7});
  CHECK(contents(memory, transpose_view(m, 0, 1)) ==
        std::vector<std::int32_t>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(contents(memory, slice_view(m, 1, 3, 2, -2)) ==
        std::vector<std::int32_t>{3, 1, 7, 5, 11, 9});
  CHECK(contents(memory, slice_view(slice_view(m, 0, 2, 3, -1), 1, 1, 2, 1)) ==
        std::vector<std::int32_t>{9, 10, 5, 6, 1, 2});
  CHECK(contents(memory, slice_view(m, 0, 3, 0, 1)).empty());
  ArrayRef flat = reshape_view(m, {12}, 2);
  REQUIRE(flat);
  CHECK(contents(memory, flat)[7] == 7);
  CHECK(contents(memory, reshape_view(flat, {2, 1, 6, 1}, 1)) == contents(memory, m));
  CHECK_FALSE(reshape_view(transpose_view(m, 0, 1), {12}, 2));
  CHECK(contents(memory, reshape(memory, transpose_view(m, 0, 1), {2, 6}, 2)) ==
        contents(memory, transpose_view(m, 0, 1)));
  // Half of the columns can't be flattened, but split.
  ArrayRef columns = slice_view(m, 1, 1, 2, 1);
  CHECK_FALSE(reshape_view(columns, {6}, 2));
  ArrayRef split = reshape_view(columns, {3, 1, 2}, 2);
  REQUIRE(split);
  CHECK(contents(memory, split) == contents(memory, columns));
  CHECK(is_row_major(m->leaves[0]));
  CHECK_FALSE(is_row_major(columns->leaves[0]));
  CHECK(row_major(memory, m).get() == m.get());
  CHECK(copy(memory, m).get() != m.get());
}

TEST_CASE("large transpositions and copies, also of one-byte and eight-byte elements") {
  World world;
  for (ElementType element :
       {ElementType::U8, ElementType::I16, ElementType::F32, ElementType::I64})
    for (auto [rows, columns] : {std::pair{100, 70}, {33, 1000}, {1, 50}, {64, 64}}) {
      ArrayRef m = allocate_array(world.memory, world.of(element), {2, rows, columns});
      for (std::int64_t i = 0; i < 2 * rows * columns; ++i)
        with_cpp_type(element, [&]<typename T>() {
          store_scalar(element, m->leaves[0].buffer->overwrite(), i,
                       Scalar::of(static_cast<T>(i % 251)));
        });
      ArrayRef t = copy(world.memory, transpose_view(m, 1, 2));
      bool same = true;
      for (std::int64_t k = 0; k < 2; ++k)
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j) {
            std::int64_t there[] = {k, j, i}, here[] = {k, i, j};
            same &= get_element(t, there).scalar() == get_element(m, here).scalar();
          }
      CHECK(same);
    }
}

TEST_CASE("copying over oneself") {
  World world;
  ArrayRef v = world.vector({0, 1, 2, 3, 4, 5, 6, 7});
  copy_into(*slice_view(v, 0, 1, 7, 1), *slice_view(v, 0, 0, 7, 1));
  CHECK(contents(world.memory, v) == std::vector<std::int32_t>{0, 0, 1, 2, 3, 4, 5, 6});
  copy_into(*slice_view(v, 0, 0, 7, 1), *slice_view(v, 0, 1, 7, 1));
  CHECK(contents(world.memory, v) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 6});
  copy_into(*v, *slice_view(v, 0, 7, 8, -1));
  CHECK(contents(world.memory, v) == std::vector<std::int32_t>{6, 6, 5, 4, 3, 2, 1, 0});
  ArrayRef m = world.matrix(3, 3);
  copy_into(*m, *transpose_view(m, 0, 1));
  CHECK(contents(world.memory, m) == std::vector<std::int32_t>{0, 3, 6, 1, 4, 7, 2, 5, 8});
}

TEST_CASE("writable copies only what others can see") {
  World world;
  ArrayRef v = world.vector({1, 2, 3});
  ArrayObject* object = v.get();
  std::byte* data = v->leaves[0].buffer->overwrite();
  v = writable(world.memory, std::move(v));
  CHECK(v.get() == object);
  CHECK(v->leaves[0].buffer->contents() == data);
  {
    ArrayRef other = v;
    ArrayRef mine = writable(world.memory, std::move(v));
    CHECK(mine.get() != object);
    set_element(world.memory, *mine, 0, scalar(9));
    CHECK(contents(world.memory, other) == std::vector<std::int32_t>{1, 2, 3});
    v = std::move(other);
  }
  // A view of it lives: the object is ours alone, the buffer is not.
  ArrayRef tail = slice_view(v, 0, 1, 2, 1);
  v = writable(world.memory, std::move(v));
  set_element(world.memory, *v, 1, scalar(9));
  CHECK(contents(world.memory, tail) == std::vector<std::int32_t>{2, 3});
  // One array twice in a pair of arrays: the leaves must part.
  const Representation* pair = world.types.tuple({world.i32(), world.i32()});
  ArrayRef both[] = {v, v};
  ArrayRef zipped = zip(pair, both);
  both[0] = both[1] = v = {};
  zipped = writable(world.memory, std::move(zipped));
  set_element(world.memory, *zipped, 0, Value::record({scalar(5), scalar(6)}));
  Value first = get_element(zipped, 0);
  CHECK(first.fields()[0].scalar().as<std::int32_t>() == 5);
  CHECK(first.fields()[1].scalar().as<std::int32_t>() == 6);
  // Elements that share a place (a stride of 0) must part too.
  ArrayRef row = world.vector({7});
  row->shape[0] = 3;
  row->leaves[0].extents[0] = 3;
  row->leaves[0].strides[0] = 0;
  row = writable(world.memory, std::move(row));
  set_element(world.memory, *row, 1, scalar(8));
  CHECK(contents(world.memory, row) == std::vector<std::int32_t>{7, 8, 7});
}
