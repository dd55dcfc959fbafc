#include "lang/values/strided.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace sinter;

namespace {

struct Layout {
  const char* name;
  Extents extents, target, source;
};

/// Large enough to take milliseconds, with numbers that differ everywhere.
const std::int64_t many = 1 << 20;
const Layout layouts[] = {
    {"one block", {many}, {1}, {1}},
    {"rows", {1024, 1024}, {1024, 1}, {1025, 1}},
    {"rows, in long pieces", {2, many / 2}, {many / 2, 1}, {many, 1}},
    {"one number again and again", {many}, {1}, {0}},
    {"a transposition", {1024, 1024}, {1024, 1}, {1, 1024}},
    {"backwards", {many}, {1}, {-1}},
    {"every other one", {many}, {2}, {1}},
};

} // namespace

TEST_CASE("large blocks are copied whole, and not after an interruption") {
  for (const Layout& layout : layouts) {
    CAPTURE(std::string(layout.name));
    std::vector<std::int32_t> source(3 * many), target(2 * many, -1);
    for (std::size_t i = 0; i < source.size(); ++i)
      source[i] = static_cast<std::int32_t>(i);
    const auto* first = source.data() + many;
    const auto copy = [&] {
      copy_strided(reinterpret_cast<std::byte*>(target.data()), layout.target,
                   reinterpret_cast<const std::byte*>(first), layout.source, layout.extents,
                   sizeof(std::int32_t));
    };
    const auto equals = [&] {
      return equal_strided(ElementType::I32, reinterpret_cast<std::byte*>(target.data()),
                           layout.target, reinterpret_cast<const std::byte*>(first), layout.source,
                           layout.extents);
    };
    const auto clear = [&] {
      clear_strided(reinterpret_cast<std::byte*>(target.data()), layout.target, layout.extents,
                    sizeof(std::int32_t));
    };
    copy();
    std::size_t wrong = 0;
    const std::int64_t rows = layout.extents.size() == 1 ? 1 : layout.extents[0];
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < layout.extents.back(); ++j) {
        const std::int64_t row_to = rows == 1 ? 0 : layout.target[0];
        const std::int64_t row_from = rows == 1 ? 0 : layout.source[0];
        wrong += target[static_cast<std::size_t>(i * row_to + j * layout.target.back())] !=
                 first[i * row_from + j * layout.source.back()];
      }
    CHECK(wrong == 0);
    CHECK(equals());
    target[static_cast<std::size_t>((layout.extents.back() - 1) * layout.target.back())] ^= 1;
    CHECK(!equals());
    copy();
    InterruptSource source_of_interrupts;
    {
      const Interruptible here(source_of_interrupts);
      source_of_interrupts.raise(InterruptSource::Reason::Interrupt);
      CHECK_THROWS_AS(copy(), RuntimeError);
      CHECK_THROWS_AS(equals(), RuntimeError);
      CHECK_THROWS_AS(clear(), RuntimeError);
    }
    clear();
    CHECK(target[0] == 0);
    CHECK(target[static_cast<std::size_t>((layout.extents.back() - 1) * layout.target.back())] ==
          0);
  }
}
