// Blocks of the heap that buffers of medium size gave back, for the next ones of that size.
//
// The heap keeps notes in front of its blocks and behind them, and in those that are free.  Where
// several threads have filled a buffer, the lines of those notes are in another core's cache: to
// free such a buffer and to allocate the next one takes longer than a small kernel does.  It may
// also give memory back to the system, and take fresh pages again.  Here the notes lie apart.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace sinter {

/// Blocks are given back to the heap where there are more than a loop needs.  Thread-safe.
class SpareBlocks {
public:
  static constexpr std::size_t least_bytes = std::size_t{16} << 10;

  SpareBlocks();
  SpareBlocks(const SpareBlocks&) = delete;
  SpareBlocks& operator=(const SpareBlocks&) = delete;
  ~SpareBlocks() { release(); }

  /// A block of just that size, from `malloc`; null if there is none.
  void* take(std::size_t bytes) noexcept;
  void give_back(void* block, std::size_t bytes) noexcept;
  /// Gives all of them back to the heap.
  void release() noexcept;

private:
  struct Block {
    void* base = nullptr;
    std::size_t bytes = 0;
  };
  void release_oldest() noexcept;

  std::mutex mutex_;
  std::vector<Block> blocks_; ///< the oldest first; room for all of them from the beginning
  std::size_t bytes_ = 0;
};

} // namespace sinter
