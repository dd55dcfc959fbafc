#include "jit/cpu/standing_launch.h"

#include "jit/cpu/streaming.h"
#include "jit/runtime/spare_buffers.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

namespace {

/// What may be kept for the next launch though nobody else has it meanwhile.
constexpr std::size_t most_partial_bytes = 64 << 10;

bool is_simple(const KernelLayout& layout) {
  return !layout.index_space.empty() && only_maps_and_reduces(layout) && layout.consumed.empty() &&
         !layout.has_post &&
         std::ranges::all_of(layout.results, [](const KernelLayout::Result& result) {
           return result.kind == ResultKind::Scalar || result.kind == ResultKind::Fresh;
         });
}

} // namespace

std::unique_ptr<StandingLaunch>
CpuStandingLaunch::of(const KernelLayout& layout, const CurrentCode& code, const LaunchSlots& slots,
                      const RunContext& context, Workers& workers, WorkMeter& meter) {
  if (!is_simple(layout)) return nullptr;
  std::unique_ptr<CpuStandingLaunch> launch(
      new CpuStandingLaunch(layout, code, slots, context, meter));
  try {
    if (!launch->prepare(workers, meter)) return nullptr;
  } catch (const RuntimeError&) {
    return nullptr; // (a launch that may use its arguments' memory may have room after all)
  }
  return launch;
}

CpuStandingLaunch::CpuStandingLaunch(const KernelLayout& layout, const CurrentCode& code,
                                     const LaunchSlots& slots, const RunContext& context,
                                     const WorkMeter& meter)
    : layout_(layout), current_(code), code_(code.load(std::memory_order_acquire)), slots_(slots),
      context_(context), meter_(meter) {
  for (const LaunchSlots::Argument& argument : slots_.arguments)
    if (argument.array)
      arguments_.emplace_back(*argument.array);
    else
      arguments_.emplace_back(*argument.scalar);
}

bool CpuStandingLaunch::prepare(Workers& workers, WorkMeter& meter) {
  write_down(arguments_, notes_);
  const unsigned threads = workers.thread_limit(context_.threads);
  notes_.sizes.find(layout_, arguments_, notes_.scalars, code_->lanes_along_index, threads);
  std::size_t bytes = 0;
  for (const LaunchSizes::Result& result : notes_.sizes.results())
    bytes += result.bytes;
  if (bytes >= beyond_caches_bytes) return false;
  shape_.emplace(layout_, notes_.sizes, arguments_, notes_.scalars, context_, workers);
  alone_ = meter.nanoseconds_alone(shape_->partition().count);
  shape_->choose_threads(meter);
  if (shape_->is_measured()) return false;
  memory_.emplace(layout_, *shape_, notes_, arguments_, *context_.memory, workers);
  if (memory_->partial_bytes() > most_partial_bytes) return false;
  runner_.emplace(layout_, current_, *shape_, notes_, *memory_, context_, workers);
  notes_.leaves.clear();
  release(nullptr);
  return true;
}

bool CpuStandingLaunch::is_same(const RunContext& context) const {
  if (context.way != context_.way || current_.load(std::memory_order_relaxed) != code_)
    return false;
  if (meter_.nanoseconds_alone(shape_->partition().count) != alone_) return false;
  for (const std::uint32_t parameter : layout_.size_parameters)
    if (slots_.arguments[parameter].scalar->bits != notes_.scalars[parameter]) return false;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    if (const Leaf* const mine = std::get_if<Leaf>(&arguments_[i]);
        mine && slots_.arguments[i].array->strides != mine->strides)
      return false;
  return true;
}

void CpuStandingLaunch::take_arguments() {
  std::size_t word = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const LaunchSlots::Argument& slot = slots_.arguments[i];
    if (slot.scalar) {
      notes_.words[word++] = slot.scalar->bits;
      continue;
    }
    Leaf& mine = std::get<Leaf>(arguments_[i]);
    mine.buffer = slot.is_last ? std::move(slot.array->buffer) : slot.array->buffer;
    mine.offset = slot.array->offset;
    notes_.words[word] = reinterpret_cast<std::uint64_t>(first_element(mine));
    word += 1 + mine.strides.size();
  }
}

bool CpuStandingLaunch::run(const RunContext& context, std::optional<Stopped>& stopped) {
  if (!is_same(context)) return false;
  try {
    take_arguments();
    memory_->renew_results(context.spare);
  } catch (const RuntimeError& error) {
    stopped = Stopped::by(error);
    return true;
  }
  if (runner_->run_chunks_again(&LinkedCode::run) &&
      (!layout_.has(GroupKind::Reduce) ||
       runner_->combine(runner_->frame(), shape_->partition().chunks)))
    put_results();
  else
    stopped = runner_->stopped();
  release(context.spare);
  return true;
}

void CpuStandingLaunch::put_results() {
  for (std::size_t i = 0; i < slots_.results.size(); ++i)
    if (const LaunchSlots::Result& slot = slots_.results[i]; slot.array)
      *slot.array = std::move(notes_.leaves[i]);
    else
      slot.scalar->bits = notes_.result_words[i];
  notes_.leaves.clear();
}

void CpuStandingLaunch::release(SpareBuffers* spare) {
  for (Datum& argument : arguments_)
    if (Leaf* const leaf = std::get_if<Leaf>(&argument)) {
      if (spare) spare->put(std::move(leaf->buffer));
      leaf->buffer = {};
    }
  for (ScratchArena& arena : notes_.arenas)
    arena.give_back();
}

} // namespace sinter::jit
