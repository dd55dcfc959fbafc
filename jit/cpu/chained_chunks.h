// Chunks that hand on what they carry: scans and filters.
//
// A thread takes the next chunk, runs it, waits until the one before has said what it carries on,
// says what it carries on itself, and does its second phase while the chunk is in the cache still
// (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016, without
// the looking back: the chunk before is never far behind).
#pragma once

#include "jit/cpu/chunk_runner.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace sinter::jit {

class ChainedChunks {
public:
  ChainedChunks(const KernelLayout& layout, const LaunchShape& shape, LaunchMemory& memory,
                ChunkRunner& runner, MemoryBudget& budget, Workers& workers);
  /// Whether all went to their ends.
  bool run();

private:
  struct Link { ///< of a thread
    KernelFrame frame;
    std::vector<std::byte*> partials;
    std::vector<std::uint64_t> result_words;
    /// By partial, of filters: kept in the chunk, and in all chunks before it.
    std::vector<std::int64_t> kept, kept_before;
  };
  Link link(unsigned thread) const;
  bool run_link(unsigned thread, std::int64_t chunk);
  void aim_at_chunk(Link& link, std::int64_t chunk, std::int64_t number) const;
  /// Takes what was carried up to the chunk; the chunk's own total begins at slot `number`.
  void take_carry(Link& link, std::int64_t chunk, std::int64_t number);
  void hand_on(Link& link, std::int64_t chunk, std::int64_t total);
  /// Until all chunks before have said what they carry on; false if that will not be.
  bool wait_for_carry(std::int64_t chunk) const;
  /// What chunks carry on, in turns.
  std::byte* carry(std::size_t partial, std::int64_t chunk) {
    return carry_memory_.data() + carries_[partial] +
           (chunk & 1) * memory_.partial_strides()[partial];
  }

  // Filters: what a chunk keeps goes to the thread's staging, with room for all of it, and from
  // there to its place.
  void allocate_staging(MemoryBudget& budget);
  std::int64_t staging_bytes(std::size_t result) const {
    return (row_bytes(memory_.leaves()[result]) * shape_.partition().chunk_size + 63) / 64 * 64;
  }
  std::byte* staging(unsigned thread, std::size_t result) {
    return staging_[result]->overwrite() + thread * staging_bytes(result);
  }
  /// Code writes at the index in the whole space, which then lies in the thread's staging.
  void aim_at_staging(unsigned thread, std::int64_t chunk);
  void copy_kept(const Link& link, unsigned thread);

  const KernelLayout& layout_;
  const LaunchShape& shape_;
  LaunchMemory& memory_;
  ChunkRunner& runner_;
  Workers& workers_;
  std::vector<Link> links_;           ///< by thread
  std::vector<BufferRef> staging_;    ///< by result
  std::vector<std::int64_t> carries_; ///< by partial: where they are in memory
  std::vector<std::byte> carry_memory_;
  std::atomic<std::int64_t> finished_{0}; ///< chunks that have said what they carry on
};

} // namespace sinter::jit
