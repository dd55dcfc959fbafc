#include "jit/cpu/launch.h"

#include "jit/cpu/bins_by_thread.h"
#include "jit/cpu/chained_chunks.h"
#include "jit/cpu/chunk_runner.h"
#include "jit/cpu/dealt_updates.h"
#include "jit/cpu/launch_memory.h"
#include "jit/cpu/launch_shape.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <chrono>
#include <utility>

namespace sinter::jit {

using ir::GroupKind;

namespace {

void make_writable(const KernelLayout& layout, std::vector<Datum>& arguments,
                   MemoryBudget& memory) {
  for (const std::uint32_t parameter : layout.consumed) {
    Leaf& leaf = std::get<Leaf>(arguments[parameter]);
    leaf = writable(memory, std::move(leaf));
    (void)leaf.buffer->overwrite();
  }
}

bool run_phases(const KernelLayout& layout, const LaunchShape& shape, LaunchMemory& memory,
                ChunkRunner& runner, const RunContext& context, Workers& workers) {
  const auto conclude = [&] {
    return !layout.has_post ||
           runner.combine(runner.frame(), shape.partition().chunks, &LinkedCode::conclude);
  };
  if (shape.is_chained())
    return ChainedChunks(layout, shape, memory, runner, *context.memory, workers).run() &&
           conclude();
  if (shape.is_dealt()) return DealtUpdates(shape, runner, *context.memory, workers).run();
  if (shape.has_bins_by_thread()) return BinsByThread(shape, memory, runner, workers).run();
  if (!runner.run_chunks(&LinkedCode::run)) return false;
  const bool is_single = shape.partition().chunks == 1;
  const bool has_scan = layout.has(GroupKind::Scan) && !is_single;
  const bool has_finish = has_scan || layout.has(GroupKind::Partition);
  if (has_finish || layout.has(GroupKind::Reduce) ||
      (layout.has(GroupKind::Histogram) && !is_single))
    if (!runner.combine(runner.frame(), shape.partition().chunks)) return false;
  if (has_finish && !runner.run_chunks(&LinkedCode::finish)) return false;
  if (!conclude()) return false;
  if (layout.has(GroupKind::Filter)) memory.pack(shape.partition());
  return true;
}

} // namespace

void write_down(std::span<const Datum> arguments, LaunchNotes& notes) {
  notes.scalars.clear();
  notes.words.clear();
  for (const Datum& argument : arguments) {
    const Scalar* const scalar = std::get_if<Scalar>(&argument);
    notes.scalars.push_back(scalar ? scalar->bits : 0);
    if (scalar) {
      notes.words.push_back(scalar->bits);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(argument);
    notes.words.push_back(reinterpret_cast<std::uint64_t>(first_element(leaf)));
    for (const std::int64_t stride : leaf.strides)
      notes.words.push_back(static_cast<std::uint64_t>(stride));
  }
}

Outcome launch_kernel(const KernelLayout& layout, const CurrentCode& code, NotesKeeper& keeper,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers,
                      WorkMeter& meter) {
  using Clock = std::chrono::steady_clock;
  const NotesKeeper::Borrowed notes(keeper);
  make_writable(layout, arguments, *context.memory);
  write_down(arguments, *notes);
  const LinkedCode& now = *code.load(std::memory_order_acquire);
  const unsigned lanes = now.lanes_along_index, threads = workers.thread_limit(context.threads);
  if (!notes->sizes.are_those_of(layout, arguments, notes->scalars, lanes, threads))
    notes->sizes.find(layout, arguments, notes->scalars, lanes, threads);
  LaunchShape shape(layout, notes->sizes, arguments, notes->scalars, context, workers);
  if (now.deal) shape.consider_dealing(*context.memory);
  shape.choose_threads(meter);
  LaunchMemory memory(layout, shape, *notes, arguments, *context.memory, workers);
  ChunkRunner runner(layout, code, shape, *notes, memory, context, workers);
  const Clock::time_point begin = shape.is_measured() ? Clock::now() : Clock::time_point();
  if (!run_phases(layout, shape, memory, runner, context, workers)) return runner.stopped();
  if (shape.is_measured()) {
    const std::chrono::nanoseconds elapsed = Clock::now() - begin;
    shape.note_time(meter, static_cast<double>(elapsed.count()));
  }
  return memory.take_results(std::move(arguments));
}

} // namespace sinter::jit
