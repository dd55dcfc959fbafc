#include "jit/cpu/launch.h"

#include "jit/cpu/chained_chunks.h"
#include "jit/cpu/chunk_runner.h"
#include "jit/cpu/dealt_updates.h"
#include "jit/cpu/launch_memory.h"
#include "jit/cpu/launch_shape.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <array>
#include <chrono>
#include <memory_resource>
#include <utility>

namespace sinter::jit {

using ir::GroupKind;

namespace {

/// The arguments of a launch, as code and launcher see them.
class Arguments {
public:
  Arguments(const KernelLayout& layout, std::vector<Datum> data, MemoryBudget& memory,
            std::pmr::memory_resource& pool)
      : data_(std::move(data)), scalars_(data_.size(), 0, &pool), words_(&pool) {
    for (const std::uint32_t parameter : layout.consumed) {
      Leaf& leaf = std::get<Leaf>(data_[parameter]);
      leaf = writable(memory, std::move(leaf));
      (void)leaf.buffer->overwrite();
    }
    words_.reserve(data_.size() * 2);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      if (const Scalar* scalar = std::get_if<Scalar>(&data_[i])) {
        scalars_[i] = scalar->bits;
        words_.push_back(scalar->bits);
        continue;
      }
      const Leaf& leaf = std::get<Leaf>(data_[i]);
      words_.push_back(reinterpret_cast<std::uint64_t>(first_element(leaf)));
      for (const std::int64_t stride : leaf.strides)
        words_.push_back(static_cast<std::uint64_t>(stride));
    }
  }

  std::span<Datum> data() { return data_; }
  std::span<const std::uint64_t> scalars() const { return scalars_; } ///< by parameter
  std::span<const std::uint64_t> words() const { return words_; }

private:
  std::vector<Datum> data_;
  std::pmr::vector<std::uint64_t> scalars_, words_;
};

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
  if (!runner.run_chunks(&LinkedCode::run)) return false;
  const bool is_single = shape.partition().chunks == 1;
  const bool has_scan = layout.has(GroupKind::Scan) && !is_single;
  if (has_scan || layout.has(GroupKind::Reduce) || (layout.has(GroupKind::Histogram) && !is_single))
    if (!runner.combine(runner.frame(), shape.partition().chunks)) return false;
  if (has_scan && !runner.run_chunks(&LinkedCode::finish)) return false;
  if (!conclude()) return false;
  if (layout.has(GroupKind::Filter)) memory.pack(shape.partition());
  return true;
}

} // namespace

Outcome launch_kernel(const KernelLayout& layout, const CurrentCode& code,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers,
                      WorkMeter& meter) {
  using Clock = std::chrono::steady_clock;
  // What a launch remembers is little: no allocations for that.
  std::array<std::byte, 2048> bytes;
  std::pmr::monotonic_buffer_resource pool(bytes.data(), bytes.size());
  Arguments given(layout, std::move(arguments), *context.memory, pool);
  const LinkedCode& now = *code.load(std::memory_order_acquire);
  LaunchShape shape(layout, now.lanes_along_index, given.data(), given.scalars(), context, workers);
  if (now.deal) shape.consider_dealing();
  shape.choose_threads(meter);
  LaunchMemory memory(layout, shape, given.data(), given.scalars(), *context.memory, workers, pool);
  ChunkRunner runner(layout, code, shape, memory, given.words(), context, workers, pool);
  const Clock::time_point begin = shape.is_measured() ? Clock::now() : Clock::time_point();
  if (!run_phases(layout, shape, memory, runner, context, workers)) return runner.stopped();
  if (shape.is_measured()) {
    const std::chrono::nanoseconds elapsed = Clock::now() - begin;
    shape.note_time(meter, static_cast<double>(elapsed.count()));
  }
  return memory.take_results();
}

} // namespace sinter::jit
