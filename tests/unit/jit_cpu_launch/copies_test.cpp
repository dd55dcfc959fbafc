// Copies and fills of arrays: past the caches, of all sizes, on several threads.
#include "jit/cpu/streaming.h"
#include "tests/unit/jit_cpu_launch/launching.h"

#include <array>
#include <cstring>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

TEST_CASE("copies past the caches write what they should and nothing else") {
  alignas(64) std::array<std::byte, 400> from, to;
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<std::byte>(i % 251);
  for (std::size_t target : {0, 1, 4, 63, 64})
    for (std::size_t source : {0, 3, 16})
      for (std::size_t bytes : {0, 1, 60, 64, 65, 127, 128, 300}) {
        to.fill(std::byte{0xff});
        copy_past_caches(to.data() + target, from.data() + source, bytes);
        bool is_right = true;
        for (std::size_t i = 0; i < to.size(); ++i) {
          const bool is_inside = i >= target && i < target + bytes;
          is_right = is_right && to[i] == (is_inside ? from[source + i - target] : std::byte{0xff});
        }
        CHECK(is_right);
      }
}

TEST_CASE("fills past the caches write what they should and nothing else") {
  alignas(64) std::array<std::byte, 400> to;
  const std::array<std::byte, 8> pattern = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                            std::byte{5}, std::byte{6}, std::byte{7}, std::byte{8}};
  for (std::size_t target : {0, 8, 56, 64})
    for (std::size_t bytes : {0, 8, 56, 64, 72, 128, 136, 304}) {
      to.fill(std::byte{0xff});
      fill_past_caches(to.data() + target, std::bit_cast<std::uint64_t>(pattern), bytes);
      bool is_right = true;
      for (std::size_t i = 0; i < to.size(); ++i) {
        const bool is_inside = i >= target && i < target + bytes;
        is_right = is_right && to[i] == (is_inside ? pattern[(i - target) % 8] : std::byte{0xff});
      }
      CHECK(is_right);
    }
}

TEST_CASE("one element fills arrays of all sizes") {
  MemoryBudget memory;
  const auto fill = [&]<typename T>(ElementType type, T value) {
    for (unsigned threads : {1u, 3u})
      for (std::int64_t bytes : {8, 2 << 20, 40 << 20}) {
        const std::int64_t width = 5, rows = bytes / width / std::int64_t{sizeof(T)} + 1;
        RunContext context{.memory = &memory, .threads = threads};
        Leaf one = allocate_leaf(memory, type, {1});
        std::memcpy(one.buffer->overwrite(), &value, sizeof value);
        one.extents = {rows, width};
        one.strides = {0, 0};
        Leaf target = allocate_leaf(memory, type, {rows, width});
        backend().copy(target, one, context);
        const auto* to = reinterpret_cast<const T*>(target.buffer->contents());
        CHECK(std::all_of(to, to + rows * width, [&](T element) { return element == value; }));
        // Not row-major: the same, by columns.
        Leaf columns = transpose_leaf(target, std::vector<std::uint32_t>{1, 0});
        one.extents = columns.extents;
        const T other = static_cast<T>(value + 1);
        std::memcpy(one.buffer->overwrite(), &other, sizeof other);
        backend().copy(columns, one, context);
        CHECK(std::all_of(to, to + rows * width, [&](T element) { return element == other; }));
      }
  };
  fill(ElementType::I8, std::int8_t{-3});
  fill(ElementType::U16, std::uint16_t{4711});
  fill(ElementType::F32, 2.5f);
  fill(ElementType::I64, std::int64_t{-1} << 40);
}

TEST_CASE("large arrays are copied on several threads") {
  MemoryBudget memory;
  for (unsigned threads : {1u, 3u})
    for (std::int64_t width : {1, 3, 1'000'000}) {
      std::int64_t rows = (width == 1 ? 9'000'001 : 2'000'003) / width;
      RunContext context{.memory = &memory, .threads = threads};
      Leaf source = allocate_leaf(memory, ElementType::I32, {width, rows});
      Leaf target = allocate_leaf(memory, ElementType::I32, {rows, width});
      auto* from = reinterpret_cast<std::int32_t*>(source.buffer->overwrite());
      for (std::int64_t i = 0; i < rows * width; ++i)
        from[i] = static_cast<std::int32_t>(i);
      backend().copy(target, transpose_leaf(source, std::vector<std::uint32_t>{1, 0}), context);
      const auto* to = reinterpret_cast<const std::int32_t*>(target.buffer->contents());
      bool is_right = true;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < width; ++j)
          is_right = is_right && to[i * width + j] == j * rows + i;
      CHECK(is_right);
    }
}
