#include "gpu/backend/launch.h"

#include "gpu/backend/errors.h"
#include "gpu/backend/launch_memory.h"
#include "gpu/skeletons/entry_words.h"
#include "jit/cpu/compiler_memory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace sinter::gpu {

using jit::KernelLayout;
using jit::Stopped;

namespace {

class Launch {
public:
  Launch(LoadedKernel& kernel, LaunchPlace& place, std::vector<jit::Datum>& arguments,
         const jit::RunContext& context)
      : kernel_(kernel), layout_(kernel.layout), place_(place), context_(context),
        pins_(place.cache), memory_(kernel.layout, place, arguments, *context.memory, pins_) {}

  jit::Outcome run() {
    if (is_interrupted()) return interrupted();
    memory_.bind_arguments();
    const LaunchSizes sizes = sizes_at_launch();
    plan_ = kernel_.plan(sizes);
    memory_.allocate(plan_, sizes.count, words_);
    memory_.allocate_turned(plan_, words_);
    if (kernel_.uses_scratch) memory_.save_consumed();
    if (place_.control.address() == 0) place_.control = place_.cache.allocate(sizeof(Report));
    memory_.begin_writing();
    for (;;) {
      allocate_scratch();
      while_writing([&] { on_device([&] { launch_all(); }); });
      if (is_interrupted() || report_.control.stop != 0) return interrupted();
      if (report_.control.scratch == 0) break;
      ask_for_more_scratch();
      memory_.restore_consumed();
    }
    if (report_.control.failure != UINT64_MAX) return failed();
    while_writing([&] { memory_.take_kept(plan_, words_, report_.scalars); });
    return memory_.take_results(report_.scalars);
  }

private:
  bool is_interrupted() const {
    return context_.interrupt && context_.interrupt->epoch() != context_.epoch;
  }
  static Stopped interrupted() { return {Stopped::Why::Interrupted, 0, {}}; }
  Stopped failed() const {
    Stopped result{Stopped::Why::Failed, site_of_failure(report_.control.failure), {}};
    result.first_index = static_cast<std::int64_t>(index_of_failure(report_.control.failure));
    return result;
  }

  /// Where the device turns out to have no room now, nobody else can do it from what is
  /// overwritten.
  template <typename Work>
  void while_writing(Work&& work) {
    try {
      work();
    } catch (const DeviceFull&) {
      if (layout_.consumed.empty()) throw;
      throw RuntimeError(FailureKind::Unsupported, "the device has no room");
    }
  }

  LaunchSizes sizes_at_launch() const {
    const DeviceFacts& facts = place_.device.facts();
    return {.layout = layout_,
            .arguments = memory_.arguments(),
            .scalars = memory_.scalars(),
            .count = element_count(jit::values_of(layout_.index_space, memory_.scalars())),
            .most_bytes = static_cast<std::int64_t>(facts.memory_bytes / 8),
            .multiprocessors = facts.multiprocessors,
            .shared_bytes = facts.shared_bytes};
  }

  static std::uint64_t threads_of(const LaunchShape& shape) {
    return std::uint64_t{shape.blocks[0]} * shape.blocks[1] * shape.blocks[2] * shape.threads;
  }
  void allocate_scratch() {
    if (!kernel_.uses_scratch) return;
    const std::uint64_t bytes = kernel_.scratch_bytes;
    const std::uint64_t room = place_.device.facts().memory_bytes / 4 / bytes; // for threads
    std::uint64_t most = 0;
    for (LaunchStep& step : plan_.steps) {
      if (threads_of(step.shape) > room) {
        if (room == 0 || !step.is_elastic) throw DeviceFull();
        // (A few of them share a block if there is no room for more.)
        step.shape.threads =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(step.shape.threads, room));
        step.shape.blocks[0] = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(step.shape.blocks[0], room / step.shape.threads));
      }
      most = std::max(most, threads_of(step.shape));
    }
    scratch_ = {};
    scratch_ = place_.cache.allocate(bytes * most);
    words_.scratch = scratch_.address();
    words_.scratch_bytes = bytes;
  }
  void ask_for_more_scratch() {
    const std::uint64_t wanted = std::max(report_.control.scratch, 2 * kernel_.scratch_bytes);
    kernel_.scratch_bytes = (wanted + 63) / 64 * 64;
  }

  void launch_all() {
    prepare_control();
    memory_.fill_areas(plan_, words_);
    const StopWatch::Watching watching(place_.stop_watch, context_.interrupt, context_.epoch,
                                       words_.control + offsetof(ControlBlock, stop));
    memory_.turn_arguments();
    const std::vector<std::uint64_t> words = words_.all();
    for (const LaunchStep& step : plan_.steps)
      place_.device.launch(kernel_.code, step.entry, step.shape, words);
    read_control();
  }

  /// The block with the words behind it.
  std::size_t report_bytes() const {
    return sizeof(ControlBlock) + layout_.results.size() * sizeof(std::uint64_t);
  }
  void prepare_control() {
    report_ = {};
    words_.control = place_.control.address();
    words_.scalars = words_.control + sizeof(ControlBlock);
    place_.device.copy_in(words_.control,
                          std::as_bytes(std::span(&report_, 1)).first(report_bytes()));
  }
  void read_control() {
    place_.device.copy_out(std::as_writable_bytes(std::span(&report_, 1)).first(report_bytes()),
                           words_.control);
  }

  struct Report {
    ControlBlock control;
    std::array<std::uint64_t, most_entry_words> scalars = {}; ///< by result
  };

  LoadedKernel& kernel_;
  const KernelLayout& layout_;
  LaunchPlace& place_;
  const jit::RunContext& context_;
  DeviceCache::Pins pins_;
  LaunchMemory memory_;
  LaunchPlan plan_;
  LaunchWords words_;
  DeviceBlock scratch_;
  Report report_;
};

} // namespace

void LaunchPlace::transpose(const TranspositionWords& words, std::size_t element_bytes) {
  if (!transpositions_) {
    const jit::CompilerMemory memory;
    transpositions_ = device.load(make_transpositions());
  }
  const std::array<std::uint64_t, 4> all = {words.source, words.target, words.rows, words.columns};
  device.launch(transpositions_, transposition_entry(element_bytes),
                transposition_shape(words, element_bytes), all);
}

jit::Outcome launch_on_device(LoadedKernel& kernel, LaunchPlace& place,
                              std::vector<jit::Datum>& arguments, const jit::RunContext& context) {
  const std::lock_guard lock(place.launching);
  return Launch(kernel, place, arguments, context).run();
}

} // namespace sinter::gpu
