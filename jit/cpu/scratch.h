// Scratch memory for arrays inside the bodies of kernels.
#pragma once

#include "lang/values/array.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::jit {

/// A stack of memory, of one thread.  Blocks are taken from the budget when they are first needed
/// and kept until the end.
class ScratchArena {
public:
  explicit ScratchArena(MemoryBudget& memory) : memory_(&memory) {}
  /// 64-byte-aligned; null if the memory limit is reached: then `refusal` says so.
  void* allocate(std::int64_t bytes) noexcept;
  /// Why the last allocation failed; empty if it did not.
  const std::string& refusal() const noexcept { return refusal_; }
  /// Gives its blocks back to the budget, when nothing is in them.
  void give_back() noexcept;
  /// How full the stack is, for `release`.
  std::int64_t mark() const noexcept;
  void release(std::int64_t mark) noexcept;

private:
  void refuse(const std::string& why) noexcept;

  /// Marks count block sizes as if all blocks lay one after the other.
  struct Block {
    BufferRef buffer;
    std::int64_t begin = 0; ///< bytes in the blocks before
    std::int64_t used = 0;
  };
  static constexpr std::int64_t first_block_bytes = 64 << 10;

  MemoryBudget* memory_;
  std::vector<Block> blocks_;
  std::size_t current_ = 0; ///< the block that is being filled; those after it are empty
  std::string refusal_;
};

} // namespace sinter::jit
