// Memory of arrays that a loop's launches have done with, for those that they are going to make.
#pragma once

#include "lang/values/buffer.h"

#include <array>
#include <cstddef>
#include <utility>

namespace sinter::jit {

/// A few buffers, none of which anybody else has.  The budget keeps memory for all threads and
/// counts what is taken, for which it needs several locked instructions; after a kernel each of
/// them waits for what the kernel has written.
class SpareBuffers {
public:
  /// Smaller ones come from the heap as quickly; large ones are rather kept by the budget.
  static constexpr std::size_t least_bytes = 4 << 10, most_bytes = 1 << 20;

  /// One with so many bytes, or null.
  BufferRef take(std::size_t bytes) {
    for (BufferRef& buffer : buffers_)
      if (buffer && buffer->bytes() == bytes) return std::exchange(buffer, {});
    return {};
  }
  /// Keeps it if nobody else has it, there is room, and memory is not short; else lets it go.
  void put(BufferRef buffer) {
    if (!buffer.unique() || buffer->bytes() < least_bytes || buffer->bytes() > most_bytes) return;
    if (buffer->elsewhere() || is_short(buffer->budget(), buffer->bytes())) return;
    buffers_[next_] = std::move(buffer);
    next_ = (next_ + 1) % buffers_.size();
  }
  void clear() { buffers_ = {}; }

private:
  /// (Nobody is to lack for long what is kept: all of them are a sixteenth of the limit at most.)
  static bool is_short(const MemoryBudget& budget, std::size_t bytes) {
    return budget.in_use() > budget.limit() / 2 || bytes > budget.limit() / 64;
  }

  std::array<BufferRef, 4> buffers_;
  std::size_t next_ = 0; ///< the one that has been kept longest
};

} // namespace sinter::jit
