#include "jit/cpu/scratch.h"

#include "lang/base/runtime_error.h"

#include <algorithm>
#include <new>

namespace sinter::jit {

void* ScratchArena::allocate(std::int64_t bytes) noexcept {
  constexpr std::int64_t alignment = Buffer::alignment, most = std::int64_t{1} << 60;
  if (bytes < 0 || bytes > most) bytes = most; // more than any machine has
  bytes = std::max((bytes + alignment - 1) & ~(alignment - 1), alignment);
  auto fits = [&](const Block& block) {
    return static_cast<std::int64_t>(block.buffer->bytes()) - block.used >= bytes;
  };
  try {
    if (blocks_.empty() || !fits(blocks_[current_])) {
      std::size_t next = blocks_.empty() ? 0 : current_ + 1;
      // Empty blocks that are too small make room for a larger one.
      if (next < blocks_.size() && !fits(blocks_[next])) blocks_.resize(next);
      if (next == blocks_.size()) {
        std::int64_t begin = 0, wanted = first_block_bytes;
        if (next > 0) {
          const Block& last = blocks_[next - 1];
          auto size = static_cast<std::int64_t>(last.buffer->bytes());
          begin = last.begin + size;
          wanted = 2 * size;
        }
        wanted = std::max(wanted, bytes);
        blocks_.push_back({Buffer::allocate(*memory_, static_cast<std::size_t>(wanted)), begin, 0});
      }
      current_ = next;
    }
  } catch (const RuntimeError& error) {
    refuse(error.message);
    return nullptr;
  } catch (const std::bad_alloc&) {
    refuse("out of memory");
    return nullptr;
  }
  Block& block = blocks_[current_];
  void* result = block.buffer->overwrite() + block.used;
  block.used += bytes;
  return result;
}

void ScratchArena::give_back() noexcept {
  blocks_.clear();
  current_ = 0;
}

void ScratchArena::refuse(const std::string& why) noexcept {
  try {
    refusal_ = why;
  } catch (const std::bad_alloc&) { // then there is no memory for words either
  }
}

std::int64_t ScratchArena::mark() const noexcept {
  return blocks_.empty() ? 0 : blocks_[current_].begin + blocks_[current_].used;
}

void ScratchArena::release(std::int64_t mark) noexcept {
  if (blocks_.empty()) return;
  while (current_ > 0 && blocks_[current_].begin >= mark && blocks_[current_].begin > 0) {
    blocks_[current_].used = 0;
    --current_;
  }
  Block& block = blocks_[current_];
  block.used = std::min(block.used, mark - block.begin);
}

} // namespace sinter::jit
