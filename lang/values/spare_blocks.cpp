#include "lang/values/spare_blocks.h"

#include "lang/values/forbidden_memory.h"

#include <cstdlib>

namespace sinter {

namespace {

constexpr std::size_t most_blocks = 16, most_bytes = std::size_t{4} << 20;

} // namespace

SpareBlocks::SpareBlocks() {
  blocks_.reserve(most_blocks);
}

void* SpareBlocks::take(std::size_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (blocks_[i].bytes != bytes) continue;
    void* const base = blocks_[i].base;
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    bytes_ -= bytes;
    allow(static_cast<std::byte*>(base), bytes);
    return base;
  }
  return nullptr;
}

void SpareBlocks::give_back(void* block, std::size_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  forbid(static_cast<std::byte*>(block), bytes);
  while (!blocks_.empty() && (blocks_.size() == most_blocks || bytes_ + bytes > most_bytes))
    release_oldest();
  blocks_.push_back({block, bytes});
  bytes_ += bytes;
}

void SpareBlocks::release() noexcept {
  std::lock_guard lock(mutex_);
  while (!blocks_.empty())
    release_oldest();
}

void SpareBlocks::release_oldest() noexcept {
  const Block oldest = blocks_.front();
  blocks_.erase(blocks_.begin());
  bytes_ -= oldest.bytes;
  allow(static_cast<std::byte*>(oldest.base), oldest.bytes);
  std::free(oldest.base);
}

} // namespace sinter
