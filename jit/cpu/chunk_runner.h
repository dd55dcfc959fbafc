// A launch's code, run for its chunks, and what became of it.
#pragma once

#include "jit/cpu/launch.h"
#include "jit/cpu/launch_memory.h"
#include "jit/cpu/launch_shape.h"
#include "jit/cpu/runtime_functions.h"
#include "jit/cpu/scratch.h"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinter::jit {

/// Code that a chunk is run by, and how the index space is cut up.
struct ChunkCode {
  using Phase = RunFunction LinkedCode::*;

  const CurrentCode* code = nullptr;
  Phase phase = nullptr;
  Partition partition;
  std::int64_t slice_size = INT64_MAX; ///< indices of one call

  /// Whether the chunk, which code knows by a number, went to its end.  A large one that leaves
  /// nothing but elements behind is run in several calls, between which it may be interrupted.
  bool run(KernelFrame& frame, std::int64_t chunk, std::int64_t number) const {
    return run_range(frame, partition.begin(chunk), partition.end(chunk), number);
  }
  bool run_range(KernelFrame& frame, std::int64_t begin, std::int64_t end,
                 std::int64_t number) const;

private:
  bool run_slices(KernelFrame& frame, std::int64_t begin, std::int64_t end,
                  std::int64_t number) const;
};

class ChunkRunner {
public:
  using Phase = ChunkCode::Phase;

  ChunkRunner(const KernelLayout& layout, const CurrentCode& code, const LaunchShape& shape,
              LaunchNotes& notes, LaunchMemory& memory, const RunContext& context,
              Workers& workers);
  ChunkRunner(const ChunkRunner&) = delete;
  ChunkRunner& operator=(const ChunkRunner&) = delete;

  /// What code of this launch begins with, on a thread.
  KernelFrame frame(unsigned thread = 0) {
    KernelFrame frame = frame_;
    frame.arena = &arenas_[thread];
    return frame;
  }
  /// Runs code for all chunks.  Whether all went to their ends.
  bool run_chunks(Phase phase);
  /// The same, where this has run other launches before: but for arguments and results, all that
  /// other threads need of it is in their caches.
  bool run_chunks_again(Phase phase);
  /// Runs code for a chunk, which it knows by a number.  Whether it went to its end.
  bool run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number);
  /// The same for somebody who has a frame of his own, with its failures, and tells nobody.
  bool run_apart(KernelFrame& frame, std::int64_t chunk) const;
  bool run_range_apart(KernelFrame& frame, std::int64_t begin, std::int64_t end) const;
  bool combine_apart(KernelFrame& frame) const;
  /// Does the updates of a share of the bins that are in so many slots.  (Operators of such bins
  /// cannot fail, and a round is not interrupted in its midst.)
  void accumulate(KernelFrame& frame, std::int64_t slots, std::int64_t share) const {
    [[maybe_unused]] const std::int64_t stopped =
        code(&LinkedCode::accumulate)(&frame, 0, slots, share);
    assert(stopped == 0);
  }
  using Join = CombineFunction LinkedCode::*;
  /// Joins what so many chunks have left, in one of the phases for that.  Whether it went to its
  /// end.
  bool combine(KernelFrame frame, std::int64_t chunks, Join phase = &LinkedCode::combine);

  bool has_stopped() const {
    return was_interrupted_.load(std::memory_order_relaxed) ||
           failed_chunk_.load(std::memory_order_relaxed) != INT64_MAX;
  }
  /// Whether a chunk need not go on: it was interrupted, or one before it has failed.
  bool is_pointless(std::int64_t chunk) const {
    return was_interrupted_.load(std::memory_order_relaxed) ||
           failed_chunk_.load(std::memory_order_relaxed) < chunk;
  }
  /// Lanes meet a check together, so that one may fail an early check when the one before it would
  /// have failed a later one: what lies just before the failing index is asked again.
  void find_first_failure();
  /// Of a launch that has stopped.
  Stopped stopped() const;

private:
  /// A function of the current code.
  template <typename Function>
  Function code(Function LinkedCode::*function) const {
    return code_.load(std::memory_order_acquire)->*function;
  }
  class Call;
  template <std::size_t few_arguments, std::size_t few_results>
  class CallAgain;
  template <typename OneCall>
  bool run_chunks_by(Phase phase);
  ChunkCode chunk_code(Phase phase) const {
    return {&code_, phase, shape_.partition(), shape_.slice_size()};
  }
  /// Of a chunk that did not go to its end.
  void note_end(const KernelFrame& frame, std::int64_t chunk);
  /// Of the thread that got no scratch memory.
  std::string refusal() const;

  const KernelLayout& layout_;
  const CurrentCode& code_;
  const LaunchShape& shape_;
  LaunchMemory& memory_;
  std::span<const std::uint64_t> words_;
  Workers& workers_;
  std::vector<ScratchArena>& arenas_; ///< by thread
  KernelFrame frame_;
  FailureNote failure_;
  std::atomic<std::int64_t> failed_chunk_{INT64_MAX};
  std::atomic<bool> was_interrupted_{false};
};

} // namespace sinter::jit
