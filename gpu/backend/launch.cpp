#include "gpu/backend/launch.h"

#include "gpu/backend/errors.h"
#include "gpu/backend/launch_memory.h"
#include "gpu/kernels/abstract_functions.h"
#include "gpu/skeletons/entry_words.h"
#include "jit/cpu/compiler_memory.h"
#include "jit/runtime/compile_threads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter::gpu {

using jit::KernelLayout;
using jit::Stopped;

namespace {

/// Of a launch: with what an earlier one found, and with what its own code asks for.
constexpr int most_plans = 3;

class Launch {
public:
  Launch(LoadedKernel& kernel, LaunchPlace& place, std::vector<jit::Datum>& arguments,
         const jit::RunContext& context)
      : kernel_(kernel), layout_(kernel.layout), place_(place), context_(context),
        pins_(place.cache), memory_(kernel.layout, place, arguments, *context.memory, pins_) {}

  jit::Outcome run() {
    if (is_interrupted()) return interrupted();
    memory_.bind_arguments(kernel_.is_pending);
    LaunchSizes sizes = sizes_at_launch();
    for (int tries = 0; tries < most_plans; ++tries) {
      plan_ = kernel_.plan(sizes);
      if (!make_code()) return interrupted();
      const unsigned blocks = blocks_at_once();
      if (blocks == sizes.blocks_of_multiprocessor) break;
      kernel_.blocks_of_multiprocessor = sizes.blocks_of_multiprocessor = blocks;
    }
    memory_.allocate(plan_, sizes.count, words_);
    memory_.allocate_turned(plan_, words_);
    if (kernel_.may_lack_scratch()) memory_.save_consumed();
    allocate_scratch();
    if (place_.control.address() == 0)
      place_.control = place_.cache.allocate(LaunchQueue::control_bytes);
    memory_.begin_writing();
    if (returns_early()) {
      while_writing([&] { on_device([&] { launch_all(); }); });
      return memory_.take_results({});
    }
    for (;;) {
      std::optional<Stopped> stopped;
      while_writing([&] {
        on_device([&] {
          launch_all();
          stopped = place_.queue.wait(context_.run);
        });
      });
      if (stopped) return *stopped;
      if (place_.queue.wanted_scratch() == 0) break;
      ask_for_more_scratch(place_.queue.wanted_scratch());
      allocate_scratch();
      memory_.restore_consumed();
    }
    std::vector<std::uint64_t> scalars = memory_.read_scalars();
    while_writing([&] { memory_.take_kept(plan_, words_, scalars); });
    return memory_.take_results(scalars);
  }

private:
  bool is_interrupted() const {
    return context_.interrupt && context_.interrupt->epoch() != context_.epoch;
  }
  static Stopped interrupted() { return {Stopped::Why::Interrupted, 0, {}}; }

  /// Of what the plan takes, if there is none yet; false: the evaluation was interrupted.  Throws
  /// DeviceError (NoCode).
  bool make_code() const {
    std::vector<std::string> entries;
    for (const LaunchStep& step : plan_.steps)
      entries.push_back(step.entry);
    if (kernel_.code->has(entries)) return true;
    const auto make = [code = kernel_.code, entries = std::move(entries)](const std::byte*) {
      code->make(entries);
    };
    try {
      if (context_.compile_threads)
        return context_.compile_threads->run(make, context_.interrupt, context_.epoch);
      make(nullptr);
      return true;
    } catch (const DeviceError& error) {
      if (error.kind == DeviceError::Kind::NoCode) throw;
      rethrow(error);
    }
  }

  /// Of the plan's steps that fill the device, or nearly (as many blocks as go into rows of the
  /// same length), as their code turned out: the least.
  unsigned blocks_at_once() const {
    const DeviceFacts& facts = place_.device.facts();
    std::optional<unsigned> least;
    for (const LaunchStep& step : plan_.steps) {
      const std::uint64_t count = threads_of(step.shape) / step.shape.threads;
      if (count == 1 || 2 * count < facts.multiprocessors) continue;
      const CodeFacts code = kernel_.code->of(step.entry)->facts(step.entry);
      const unsigned blocks = blocks_of_multiprocessor(facts, code, step.shape);
      least = std::min(least.value_or(blocks), blocks);
    }
    return least.value_or(kernel_.blocks_of_multiprocessor);
  }

  /// Not where the host has to know something to go on.
  bool returns_early() const {
    return context_.run && !kernel_.may_lack_scratch() &&
           std::ranges::none_of(layout_.results, [](const KernelLayout::Result& result) {
             return result.kind == KernelLayout::ResultKind::Kept ||
                    result.kind == KernelLayout::ResultKind::Count;
           });
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
            .shared_bytes = facts.shared_bytes,
            .blocks_of_multiprocessor = kernel_.blocks_of_multiprocessor};
  }

  static std::uint64_t threads_of(const LaunchShape& shape) {
    return std::uint64_t{shape.blocks[0]} * shape.blocks[1] * shape.blocks[2] * shape.threads;
  }
  void allocate_scratch() {
    constexpr std::uint64_t most_neighbours = warp_size;
    if (!kernel_.uses_scratch) return;
    const std::uint64_t bytes = set_scratch_bytes();
    if (bytes == 0) { // arrays without elements: they lie somewhere
      words_.scratch = scratch_element_bytes(0);
      return;
    }
    // For threads; of whole warps, or of as many neighbours as are one.
    const std::uint64_t pieces = place_.device.facts().memory_bytes / 4 / bytes;
    const std::uint64_t room = pieces < most_neighbours
                                   ? std::bit_floor(pieces)
                                   : pieces / most_neighbours * most_neighbours;
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
    const std::uint64_t together = std::bit_ceil(std::min(most, most_neighbours));
    words_.scratch_neighbours = static_cast<std::uint64_t>(std::countr_zero(together));
    scratch_ = {};
    scratch_ = place_.cache.allocate(bytes * ((most + together - 1) / together * together));
    words_.scratch = scratch_.address();
  }
  /// The words of what a thread gets; all of it.
  std::uint64_t set_scratch_bytes() {
    const auto known = kernel_.scratch.at(words_.all());
    std::uint64_t sum = 0;
    for (std::size_t region = 0; region < scratch_regions; ++region) {
      words_.scratch_bytes[region] = known[region].value_or(kernel_.scratch_bytes);
      sum += words_.scratch_bytes[region];
    }
    return sum;
  }
  void ask_for_more_scratch(std::uint64_t wanted) {
    wanted = std::max(wanted, 2 * kernel_.scratch_bytes);
    kernel_.scratch_bytes = (wanted + 63) / 64 * 64;
  }

  void launch_all() {
    memory_.fill_areas(plan_, words_);
    if (!place_.queue.begin(context_, place_.control.address(), kernel_.may_lack_scratch())) return;
    memory_.turn_arguments();
    std::vector<std::uint64_t> words = words_.all();
    for (const LaunchStep& step : plan_.steps) {
      const LaunchQueue::Controls controls = place_.queue.begin_step();
      words[static_cast<std::size_t>(Word::Control)] = controls.own;
      words[static_cast<std::size_t>(Word::ControlBefore)] = controls.before;
      place_.device.launch(kernel_.code->of(step.entry), step.entry, step.shape, words);
    }
  }

  LoadedKernel& kernel_;
  const KernelLayout& layout_;
  LaunchPlace& place_;
  const jit::RunContext& context_;
  DeviceCache::Pins pins_;
  LaunchMemory memory_;
  LaunchPlan plan_;
  LaunchWords words_;
  DeviceBlock scratch_;
};

} // namespace

std::vector<bool> read_at_launch(const LoadedKernel& kernel, const ir::Function& function) {
  const KernelLayout& layout = kernel.layout;
  const std::vector<unsigned> needed = kernel.scratch.words();
  std::vector<bool> result;
  auto first = static_cast<unsigned>(Word::FirstOfLists);
  for (const ir::ValueId parameter : function.body.parameters) {
    const unsigned end = first + argument_words(function.type(parameter));
    result.push_back(
        std::ranges::any_of(needed, [&](unsigned word) { return word >= first && word < end; }));
    first = end;
  }
  const auto add = [&](const std::vector<jit::SizeTerm>& terms) {
    for (const jit::SizeTerm& term : terms)
      if (term.parameter) result[*term.parameter] = true;
  };
  add(layout.index_space);
  for (const KernelLayout::Result& one : layout.results)
    add(one.extents);
  for (const KernelLayout::Partial& partial : layout.partials) {
    add(partial.extents);
    if (partial.neutral_parameter) result[*partial.neutral_parameter] = true;
  }
  return result;
}

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
