// Running a launch: phases, their chunks, and the failures in them.
#include "jit/cpu/launch_work.h"
#include "jit/cpu/streaming.h"

#include <algorithm>

namespace sinter::jit {

using ir::GroupKind;

bool Launch::run_phases() {
  if (is_chained_) return run_chain();
  if (!run_chunks(&LinkedCode::run)) return false;
  bool is_single = partition_.chunks == 1;
  bool has_scan = layout_.has(GroupKind::Scan) && !is_single;
  if (has_scan || layout_.has(GroupKind::Reduce) ||
      (layout_.has(GroupKind::Histogram) && !is_single))
    if (!combine(frame_, partition_.chunks)) return false;
  if (has_scan && !run_chunks(&LinkedCode::finish)) return false;
  if (layout_.has(GroupKind::Filter)) pack();
  return true;
}

bool Launch::run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number) {
  // Those before a failing one still run: they may hold an earlier failure.
  if (chunk > failed_chunk_.load(std::memory_order_relaxed)) return false;
  if (is_interrupted()) {
    was_interrupted_.store(true, std::memory_order_relaxed);
    return false;
  }
  if (run_slices(phase, frame, chunk, number)) return true;
  if (is_interrupted()) was_interrupted_.store(true, std::memory_order_relaxed);
  std::int64_t least = failed_chunk_.load(std::memory_order_relaxed);
  while (chunk < least && !failed_chunk_.compare_exchange_weak(least, chunk))
    ;
  return false;
}

bool Launch::run_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                        std::int64_t number) const {
  const bool is_whole = run_all_slices(phase, frame, chunk, number);
  if (frame.streams_results != 0) order_stores_past_caches();
  return is_whole;
}

bool Launch::run_all_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                            std::int64_t number) const {
  std::int64_t begin = partition_.begin(chunk);
  const std::int64_t chunk_end = partition_.end(chunk);
  while (chunk_end - begin > slice_size_) {
    if (code(phase)(&frame, begin, begin + slice_size_, number) != 0 || is_interrupted())
      return false;
    begin += slice_size_;
  }
  return code(phase)(&frame, begin, chunk_end, number) == 0;
}

bool Launch::run_chunks(Phase phase) {
  auto one = [&](std::int64_t chunk, unsigned thread) {
    KernelFrame frame = frame_;
    frame.arena = &arenas_[thread];
    run_chunk(phase, frame, chunk, chunk);
  };
  if (partition_.chunks == 1 || layout_.has(GroupKind::Scatter))
    for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk)
      one(chunk, 0); // the last write stays: they happen in order
  else
    workers_.run(context_.threads, partition_.chunks, one);
  if (!has_stopped()) return true;
  if (phase == &LinkedCode::run) find_first_failure();
  return false;
}

void Launch::find_first_failure() {
  constexpr std::int64_t most_lanes = 64;
  if (was_interrupted_.load() || layout_.index_space.size() != 1) return;
  std::int64_t chunk = failed_chunk_.load();
  KernelFrame frame = frame_;
  frame.arena = &arenas_[0];
  if (is_chained_) frame.fold_begin = partition_.begin(chunk);
  while (failure_.is_set) {
    std::int64_t end = failure_.index;
    std::int64_t begin = std::max(partition_.begin(chunk), end - most_lanes);
    if (begin >= end || code(&LinkedCode::run)(&frame, begin, end, is_chained_ ? 0 : chunk) == 0)
      return;
  }
}

bool Launch::combine(KernelFrame frame, std::int64_t chunks) {
  const CombineFunction function = code(&LinkedCode::combine);
  if (!function) return true;
  if (!frame.arena) frame.arena = &arenas_[0];
  if (function(&frame, chunks) == 0) return true;
  if (is_interrupted())
    was_interrupted_.store(true, std::memory_order_relaxed);
  else
    failed_chunk_.store(0, std::memory_order_relaxed);
  return false;
}

} // namespace sinter::jit
