// Contents of files that nobody knows the size of.
#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/values/file_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sinter;

namespace {

/// Fills as much of the room as is left of a text.
void add(GrowingBytes& bytes, std::string_view& text) {
  const std::span<char> room = bytes.room();
  REQUIRE(!room.empty());
  REQUIRE(room.size() <= bytes_at_once);
  const std::size_t count = text.copy(room.data(), room.size());
  bytes.add(count);
  text.remove_prefix(count);
}

std::string sample(std::size_t size) {
  std::string text;
  while (text.size() < size)
    text += std::to_string(text.size()) + ",";
  text.resize(size);
  return text;
}

} // namespace

TEST_CASE("what grows in pieces is whole in the end") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 16,
                                 std::size_t{200'000}, bytes_at_once * 16, bytes_at_once * 40 + 7})
    for (const std::size_t expected : {std::size_t{0}, size / 3, size, size + 1}) {
      CAPTURE(size);
      CAPTURE(expected);
      const std::string text = sample(size);
      GrowingBytes bytes("file", expected);
      for (std::string_view rest = text; !rest.empty();)
        add(bytes, rest);
      CHECK(bytes.take() == text);
    }
}

TEST_CASE("pieces are put together until that is interrupted") {
  const std::string text = sample(bytes_at_once * 3);
  GrowingBytes bytes("file");
  for (std::string_view rest = text; !rest.empty();)
    add(bytes, rest);
  InterruptSource source;
  const Interruptible here(source);
  source.raise(InterruptSource::Reason::Interrupt);
  CHECK_THROWS_AS(bytes.take(), RuntimeError);
}
