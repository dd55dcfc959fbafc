// How index spaces are cut up.
#include "jit/cpu/partition.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace sinter::jit;

namespace {

std::int64_t chunks(const PartitionQuestion& question) {
  const Partition cut = partition(question);
  CHECK(cut.count == question.count);
  CHECK(cut.begin(cut.chunks - 1) < cut.count);
  CHECK(cut.end(cut.chunks - 1) == cut.count);
  CHECK(cut.chunk_size * cut.chunks >= cut.count);
  return cut.chunks;
}

} // namespace

TEST_CASE("few indices with much work are shared by all threads") {
  const auto of = [](std::int64_t count, unsigned threads) {
    return chunks({.count = count, .element_nanoseconds = 1e6, .threads = threads});
  };
  CHECK(of(2, 2) == 2);
  CHECK(of(10, 2) == 2);
  CHECK(of(17, 2) == 2);
  CHECK(of(3, 8) == 3);
  CHECK(of(63, 16) == 16);
  CHECK(of(10, 1) == 1);
}

TEST_CASE("little work is one chunk, and much of it has chunks of whole vectors") {
  CHECK(chunks({.count = 10, .element_nanoseconds = 1, .threads = 2}) == 1);
  CHECK(chunks({.count = 1, .element_nanoseconds = 1e9, .threads = 2}) == 1);
  for (const std::int64_t count : {64, 1000, 12345, 1 << 20}) {
    const Partition cut = partition({.count = count, .element_nanoseconds = 1e5, .threads = 2});
    CHECK(cut.chunks > 1);
    CHECK(cut.chunk_size % 16 == 0);
  }
}

TEST_CASE("no more chunks than there may be") {
  CHECK(chunks({.count = 50, .element_nanoseconds = 1e6, .chunk_limit = 3, .threads = 8}) <= 3);
  CHECK(chunks({.count = 5000, .element_nanoseconds = 1e6, .chunk_limit = 3, .threads = 8}) <= 3);
  CHECK(chunks({.count = 50, .element_nanoseconds = 1e6, .chunk_limit = 1, .threads = 8}) == 1);
}

TEST_CASE("chunks are whole vectors, however heavy their elements are") {
  for (const std::int64_t lanes : {1, 8, 32, 64})
    for (const std::int64_t count : {128, 1000, 2048}) {
      const Partition cut =
          partition({.count = count, .element_nanoseconds = 1e6, .threads = 2, .lanes = lanes});
      CHECK(cut.chunks > 1);
      CHECK(cut.chunk_size % lanes == 0);
    }
}

TEST_CASE("threads share what would be a vector for one of them") {
  CHECK(chunks({.count = 64, .element_nanoseconds = 1e6, .threads = 4, .lanes = 32}) == 4);
}
