#include "jit/cpu/chunk_runner.h"

#include "jit/cpu/streaming.h"

#include <algorithm>

namespace sinter::jit {

using ir::GroupKind;

namespace {

/// Where code looks for an epoch if nobody can interrupt it.
const std::atomic<std::uint32_t> no_epoch_to_look_at{0};

} // namespace

ChunkRunner::ChunkRunner(const KernelLayout& layout, const CurrentCode& code,
                         const LaunchShape& shape, LaunchMemory& memory, const std::uint64_t* words,
                         const RunContext& context, Workers& workers,
                         std::pmr::memory_resource& pool)
    : layout_(layout), code_(code), shape_(shape), workers_(workers),
      arenas_(shape.thread_count(), ScratchArena(*context.memory), &pool) {
  frame_.arguments = words;
  frame_.results = memory.result_words().data();
  frame_.partials = memory.partials().data();
  frame_.partial_strides = memory.partial_strides().data();
  frame_.chunks = shape.partition().chunks;
  frame_.fold_unit = shape.fold_unit();
  frame_.fold_units = shape.fold_units(shape.partition().count);
  frame_.epoch = context.interrupt ? &context.interrupt->epoch_word() : &no_epoch_to_look_at;
  frame_.start_epoch = context.interrupt ? context.epoch : 0;
  frame_.failure = &failure_;
  frame_.streams_results = memory.streams_results() ? 1 : 0;
}

bool ChunkRunner::run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk,
                            std::int64_t number) {
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

bool ChunkRunner::run_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                             std::int64_t number) const {
  const bool is_whole = run_all_slices(phase, frame, chunk, number);
  if (frame.streams_results != 0) order_stores_past_caches();
  return is_whole;
}

bool ChunkRunner::run_all_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                                 std::int64_t number) const {
  const std::int64_t slice = shape_.slice_size();
  std::int64_t begin = shape_.partition().begin(chunk);
  const std::int64_t chunk_end = shape_.partition().end(chunk);
  for (; chunk_end - begin > slice; begin += slice)
    if (code(phase)(&frame, begin, begin + slice, number) != 0 || is_interrupted()) return false;
  return code(phase)(&frame, begin, chunk_end, number) == 0;
}

bool ChunkRunner::run_chunks(Phase phase) {
  const std::int64_t chunks = shape_.partition().chunks;
  const auto one = [&](std::int64_t chunk, unsigned thread) {
    KernelFrame own = frame(thread);
    run_chunk(phase, own, chunk, chunk);
  };
  if (chunks == 1 || layout_.has(GroupKind::Scatter))
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      one(chunk, 0); // the last write stays: they happen in order
  else
    workers_.run(shape_.threads(), chunks, one);
  if (!has_stopped()) return true;
  if (phase == &LinkedCode::run) find_first_failure();
  return false;
}

void ChunkRunner::find_first_failure() {
  constexpr std::int64_t most_lanes = 64;
  if (was_interrupted_.load() || layout_.index_space.size() != 1) return;
  const std::int64_t chunk = failed_chunk_.load();
  const std::int64_t chunk_begin = shape_.partition().begin(chunk);
  KernelFrame frame = this->frame();
  if (shape_.is_chained()) frame.fold_begin = chunk_begin;
  while (failure_.is_set) {
    const std::int64_t end = failure_.index;
    const std::int64_t begin = std::max(chunk_begin, end - most_lanes);
    if (begin >= end ||
        code(&LinkedCode::run)(&frame, begin, end, shape_.is_chained() ? 0 : chunk) == 0)
      return;
  }
}

bool ChunkRunner::combine(KernelFrame frame, std::int64_t chunks) {
  const CombineFunction function = code(&LinkedCode::combine);
  if (!function) return true;
  if (function(&frame, chunks) == 0) return true;
  if (is_interrupted())
    was_interrupted_.store(true, std::memory_order_relaxed);
  else
    failed_chunk_.store(0, std::memory_order_relaxed);
  return false;
}

Stopped ChunkRunner::stopped() const {
  if (was_interrupted_.load()) return {Stopped::Why::Interrupted, 0, {}};
  if (!failure_.is_set) return {Stopped::Why::OutOfMemory, 0, {}, refusal()};
  Stopped result{Stopped::Why::Failed, failure_.site, {}};
  if (!layout_.index_space.empty()) result.first_index = failure_.index;
  return result;
}

std::string ChunkRunner::refusal() const {
  for (const ScratchArena& arena : arenas_)
    if (!arena.refusal().empty()) return arena.refusal();
  return "out of memory";
}

} // namespace sinter::jit
