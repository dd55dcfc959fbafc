#include "lang/values/spare_blocks.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <vector>

using namespace sinter;

namespace {

constexpr std::size_t size = SpareBlocks::least_bytes;

} // namespace

TEST_CASE("a block serves the next buffer of its size, the last one first") {
  SpareBlocks blocks;
  CHECK(blocks.take(size) == nullptr);
  void* const first = std::malloc(size);
  void* const second = std::malloc(size);
  void* const larger = std::malloc(2 * size);
  blocks.give_back(first, size);
  blocks.give_back(second, size);
  blocks.give_back(larger, 2 * size);
  CHECK(blocks.take(size + 64) == nullptr);
  CHECK(blocks.take(size) == second);
  CHECK(blocks.take(size) == first);
  CHECK(blocks.take(size) == nullptr);
  CHECK(blocks.take(2 * size) == larger);
  std::free(first);
  std::free(second);
  std::free(larger);
}

TEST_CASE("blocks that no loop needs go back to the heap") {
  SpareBlocks blocks;
  constexpr std::size_t many = 100;
  for (std::size_t i = 0; i < many; ++i)
    blocks.give_back(std::malloc(size), size);
  std::vector<void*> kept;
  while (void* const block = blocks.take(size))
    kept.push_back(block);
  CHECK(kept.size() >= 8);
  CHECK(kept.size() < many);
  CHECK(std::set<void*>(kept.begin(), kept.end()).size() == kept.size());
  // Many bytes are as little wanted as many blocks.
  constexpr std::size_t large = std::size_t{3} << 20;
  blocks.give_back(kept[0], size);
  blocks.give_back(std::malloc(large), large);
  blocks.give_back(std::malloc(large), large);
  CHECK(blocks.take(size) == nullptr);
  void* const last = blocks.take(large);
  CHECK(last != nullptr);
  CHECK(blocks.take(large) == nullptr);
  blocks.give_back(last, large);
  blocks.release();
  CHECK(blocks.take(large) == nullptr);
  for (std::size_t i = 1; i < kept.size(); ++i)
    std::free(kept[i]);
}
