#include "jit/cpu/chunk_runner.h"

#include "jit/cpu/streaming.h"

#include <algorithm>
#include <array>

namespace sinter::jit {

using ir::GroupKind;

namespace {

/// Where code looks for an epoch if nobody can interrupt it.
const std::atomic<std::uint32_t> no_epoch_to_look_at{0};

bool is_interrupted(const KernelFrame& frame) {
  return frame.epoch->load(std::memory_order_relaxed) != frame.start_epoch;
}

/// Values that go along with what is copied, if they are few.
template <typename T, std::size_t most>
class Few {
public:
  explicit Few(std::span<const T> values) : are_here_(values.size() <= most) {
    if (are_here_) std::ranges::copy(values, values_.begin());
  }
  /// Or else where they are.
  const T* or_else(const T* others) const { return are_here_ ? values_.data() : others; }
  T* or_else(T* others) { return are_here_ ? values_.data() : others; }

private:
  std::array<T, most> values_; ///< (as far as there are any)
  bool are_here_;
};

} // namespace

/// What a thread needs to run a chunk, all of it in one piece.
class ChunkRunner::Call {
public:
  Call(ChunkRunner& runner, Phase phase)
      : frame_(runner.frame_), code_(runner.chunk_code(phase)), arenas_(runner.arenas_.data()),
        runner_(&runner), arguments_(runner.words_), results_(runner.memory_.result_words()),
        partials_(runner.memory_.partials()), strides_(runner.memory_.partial_strides()) {}

  bool operator()(std::int64_t chunk, unsigned thread) const {
    KernelFrame frame = frame_;
    Few<std::uint64_t, few_results> results = results_;
    frame.arguments = arguments_.or_else(frame.arguments);
    frame.results = results.or_else(frame.results);
    frame.partials = partials_.or_else(frame.partials);
    frame.partial_strides = strides_.or_else(frame.partial_strides);
    frame.arena = arenas_ + thread;
    if (!is_interrupted(frame) && code_.run(frame, chunk, chunk)) return true;
    runner_->note_end(frame, chunk);
    return false;
  }

private:
  static constexpr std::size_t few_arguments = 22, few_results = 4, few_partials = 4;

  KernelFrame frame_;
  ChunkCode code_;
  ScratchArena* arenas_; ///< by thread
  ChunkRunner* runner_;  ///< which is looked at where something goes wrong only
  Few<std::uint64_t, few_arguments> arguments_;
  Few<std::uint64_t, few_results> results_;
  Few<std::byte*, few_partials> partials_;
  Few<std::int64_t, few_partials> strides_;
};

/// The same where the runner has been there for a while: what changes from launch to launch, in as
/// few cache lines as will do.
template <std::size_t few_arguments, std::size_t few_results>
class ChunkRunner::CallAgain {
public:
  CallAgain(ChunkRunner& runner, Phase phase)
      : runner_(&runner), phase_(phase), arguments_(runner.words_),
        results_(runner.memory_.result_words()) {}

  bool operator()(std::int64_t chunk, unsigned thread) const {
    KernelFrame frame = runner_->frame(thread);
    Few<std::uint64_t, few_results> results = results_;
    frame.arguments = arguments_.or_else(frame.arguments);
    frame.results = results.or_else(frame.results);
    if (!is_interrupted(frame) && runner_->chunk_code(phase_).run(frame, chunk, chunk)) return true;
    runner_->note_end(frame, chunk);
    return false;
  }

private:
  ChunkRunner* runner_;
  Phase phase_;
  Few<std::uint64_t, few_arguments> arguments_;
  Few<std::uint64_t, few_results> results_;
};

ChunkRunner::ChunkRunner(const KernelLayout& layout, const CurrentCode& code,
                         const LaunchShape& shape, LaunchNotes& notes, LaunchMemory& memory,
                         const RunContext& context, Workers& workers)
    : layout_(layout), code_(code), shape_(shape), memory_(memory), words_(notes.words),
      workers_(workers), arenas_(notes.arenas) {
  arenas_.assign(shape.thread_count(), ScratchArena(*context.memory));
  frame_.arguments = words_.data();
  frame_.results = memory.result_words().data();
  frame_.partials = memory.partials().data();
  frame_.partial_strides = memory.partial_strides().data();
  // (One set of bins, which is the destination, unless a thread is told of another.)
  const bool is_one_set = shape.is_dealt() || shape.has_bins_by_thread();
  frame_.chunks = is_one_set ? 1 : shape.partition().chunks;
  frame_.fold_unit = shape.fold_unit();
  frame_.fold_units = shape.fold_units(shape.partition().count);
  frame_.epoch = context.interrupt ? &context.interrupt->epoch_word() : &no_epoch_to_look_at;
  frame_.start_epoch = context.interrupt ? context.epoch : 0;
  frame_.failure = &failure_;
  frame_.streams_results = memory.streams_results() ? 1 : 0;
}

bool ChunkCode::run_range(KernelFrame& frame, std::int64_t begin, std::int64_t end,
                          std::int64_t number) const {
  const bool is_whole = run_slices(frame, begin, end, number);
  order_stores_past_caches(); // (of results, and of rows inside of large arrays)
  return is_whole;
}

bool ChunkCode::run_slices(KernelFrame& frame, std::int64_t begin, std::int64_t end,
                           std::int64_t number) const {
  const auto call = [&](std::int64_t from, std::int64_t to) {
    return (code->load(std::memory_order_acquire)->*phase)(&frame, from, to, number) == 0;
  };
  for (; end - begin > slice_size; begin += slice_size)
    if (!call(begin, begin + slice_size) || is_interrupted(frame)) return false;
  return call(begin, end);
}

bool ChunkRunner::run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk,
                            std::int64_t number) {
  // Those before a failing one still run: they may hold an earlier failure.
  if (chunk > failed_chunk_.load(std::memory_order_relaxed)) return false;
  if (!is_interrupted(frame) && chunk_code(phase).run(frame, chunk, number)) return true;
  note_end(frame, chunk);
  return false;
}

bool ChunkRunner::run_apart(KernelFrame& frame, std::int64_t chunk) const {
  return !is_interrupted(frame) && chunk_code(&LinkedCode::run).run(frame, chunk, chunk);
}

bool ChunkRunner::run_range_apart(KernelFrame& frame, std::int64_t begin, std::int64_t end) const {
  return !is_interrupted(frame) && chunk_code(&LinkedCode::run).run_range(frame, begin, end, 0);
}

bool ChunkRunner::combine_apart(KernelFrame& frame) const {
  return code(&LinkedCode::combine)(&frame, shape_.partition().chunks) == 0;
}

void ChunkRunner::note_end(const KernelFrame& frame, std::int64_t chunk) {
  if (is_interrupted(frame)) was_interrupted_.store(true, std::memory_order_relaxed);
  std::int64_t least = failed_chunk_.load(std::memory_order_relaxed);
  while (chunk < least && !failed_chunk_.compare_exchange_weak(least, chunk))
    ;
}

bool ChunkRunner::run_chunks(Phase phase) {
  return run_chunks_by<Call>(phase);
}

bool ChunkRunner::run_chunks_again(Phase phase) {
  if (words_.size() <= 10 && memory_.result_words().size() <= 2)
    return run_chunks_by<CallAgain<10, 2>>(phase);
  return run_chunks_by<CallAgain<24, 4>>(phase);
}

template <typename OneCall>
bool ChunkRunner::run_chunks_by(Phase phase) {
  static_assert(LoopBody::is_copied<OneCall>, "threads are to have it at once");
  const std::int64_t chunks = shape_.partition().chunks;
  if (chunks == 1 || layout_.has(GroupKind::Scatter)) {
    KernelFrame own = frame();
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
      run_chunk(phase, own, chunk, chunk); // the last write stays: they happen in order
  } else {
    workers_.run(shape_.threads(), chunks, OneCall(*this, phase));
  }
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

bool ChunkRunner::combine(KernelFrame frame, std::int64_t chunks, Join phase) {
  const CombineFunction function = code(phase);
  if (!function) return true;
  if (function(&frame, chunks) == 0) return true;
  if (is_interrupted(frame))
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
