#include "gpu/backend/launch.h"

#include "gpu/backend/chunks.h"
#include "gpu/backend/errors.h"
#include "gpu/backend/launch_memory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace sinter::gpu {

using ir::GroupKind;
using jit::KernelLayout;
using jit::Stopped;

namespace {

constexpr std::uint32_t threads_of_block = 256;
/// Blocks that a multiprocessor may have at once.
constexpr std::uint64_t blocks_of_multiprocessor = 8;

class Launch {
public:
  Launch(LoadedKernel& kernel, LaunchPlace& place, std::vector<jit::Datum>& arguments,
         const jit::RunContext& context)
      : kernel_(kernel), layout_(kernel.layout), place_(place), context_(context),
        pins_(place.cache), memory_(kernel.layout, place, arguments, *context.memory, pins_) {}

  jit::Outcome run() {
    if (is_interrupted()) return interrupted();
    memory_.bind_arguments();
    chunks_ = choose_chunks(layout_, memory_.arguments(), memory_.scalars(), most_partial_bytes());
    memory_.allocate(chunks_, numbers_);
    numbers_.count = chunks_.count;
    numbers_.chunk_size = chunks_.size;
    numbers_.chunks = chunks_.chunks;
    numbers_.fold_unit = chunks_.fold_unit;
    numbers_.fold_units = chunks_.fold_units;
    choose_shape();
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
    while_writing([&] { memory_.pack_kept(chunks_, numbers_); });
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

  std::int64_t most_partial_bytes() const {
    return static_cast<std::int64_t>(place_.device.facts().memory_bytes / 8);
  }

  /// As many threads as the device has at once, or as there are chunks.
  void choose_shape() {
    const auto chunks = static_cast<std::uint64_t>(chunks_.chunks);
    const std::uint64_t most =
        std::max(place_.device.facts().multiprocessors, 1u) * blocks_of_multiprocessor;
    const std::uint64_t blocks = std::min((chunks + threads_of_block - 1) / threads_of_block, most);
    shape_.threads = static_cast<std::uint32_t>(
        blocks > 1 ? threads_of_block : std::max<std::uint64_t>((chunks + 31) / 32 * 32, 32));
    shape_.blocks[0] = static_cast<std::uint32_t>(std::max<std::uint64_t>(blocks, 1));
    // The last write stays: they happen in order.
    if (layout_.has(GroupKind::Scatter)) shape_ = one_thread;
  }

  void allocate_scratch() {
    if (!kernel_.uses_scratch) return;
    const std::uint64_t bytes = kernel_.scratch_bytes;
    const std::uint64_t most = place_.device.facts().memory_bytes / 4;
    const std::uint64_t threads = most / bytes;
    if (threads == 0) throw DeviceFull();
    if (std::uint64_t{shape_.blocks[0]} * shape_.threads > threads) {
      // (A few of them share a block if there is no room for more.)
      shape_.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(shape_.threads, threads));
      shape_.blocks[0] = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(shape_.blocks[0], threads / shape_.threads));
    }
    scratch_ = {};
    scratch_ = place_.cache.allocate(bytes * shape_.blocks[0] * shape_.threads);
    numbers_.scratch = scratch_.address();
    numbers_.scratch_bytes = bytes;
  }
  void ask_for_more_scratch() {
    const std::uint64_t wanted = std::max(report_.control.scratch, 2 * kernel_.scratch_bytes);
    kernel_.scratch_bytes = (wanted + 63) / 64 * 64;
  }

  void launch_all() {
    prepare_control();
    memory_.fill_bins(chunks_, numbers_);
    const StopWatch::Watching watching(place_.stop_watch, context_.interrupt, context_.epoch,
                                       numbers_.control + offsetof(ControlBlock, stop));
    const std::vector<std::uint64_t> words = words_of(numbers_);
    const bool is_single = chunks_.chunks == 1;
    const bool is_scanned = layout_.has(GroupKind::Scan) && !is_single;
    launch(run_entry, shape_, words);
    if (kernel_.has_combine && (is_scanned || layout_.has(GroupKind::Reduce) ||
                                (layout_.has(GroupKind::Histogram) && !is_single)))
      launch(combine_entry, one_thread, words);
    if (is_scanned) launch(finish_entry, shape_, words);
    read_control();
  }
  void launch(std::string_view entry, const LaunchShape& shape,
              std::span<const std::uint64_t> words) {
    place_.device.launch(kernel_.code, entry, shape, words);
  }

  /// The block with the words behind it.
  std::size_t report_bytes() const {
    return sizeof(ControlBlock) + layout_.results.size() * sizeof(std::uint64_t);
  }
  void prepare_control() {
    report_ = {};
    numbers_.control = place_.control.address();
    numbers_.scalars = numbers_.control + sizeof(ControlBlock);
    place_.device.copy_in(numbers_.control,
                          std::as_bytes(std::span(&report_, 1)).first(report_bytes()));
  }
  void read_control() {
    place_.device.copy_out(std::as_writable_bytes(std::span(&report_, 1)).first(report_bytes()),
                           numbers_.control);
  }

  struct Report {
    ControlBlock control;
    std::array<std::uint64_t, most_entry_words> scalars = {}; ///< by result
  };
  static constexpr LaunchShape one_thread{.blocks = {1, 1, 1}, .threads = 1};

  LoadedKernel& kernel_;
  const KernelLayout& layout_;
  LaunchPlace& place_;
  const jit::RunContext& context_;
  DeviceCache::Pins pins_;
  LaunchMemory memory_;
  Chunks chunks_;
  LaunchNumbers numbers_;
  LaunchShape shape_;
  DeviceBlock scratch_;
  Report report_;
};

} // namespace

jit::Outcome launch_on_device(LoadedKernel& kernel, LaunchPlace& place,
                              std::vector<jit::Datum>& arguments, const jit::RunContext& context) {
  const std::lock_guard lock(place.launching);
  return Launch(kernel, place, arguments, context).run();
}

} // namespace sinter::gpu
