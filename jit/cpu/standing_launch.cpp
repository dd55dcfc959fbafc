#include "jit/cpu/standing_launch.h"

#include "jit/cpu/streaming.h"
#include "jit/runtime/spare_buffers.h"
#include "lang/primitives/fold_order.h"

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
CpuStandingLaunch::of(const KernelLayout& layout,
                      std::span<const std::optional<jit::Reach>> reaches, const CurrentCode& code,
                      const LaunchSlots& slots, const RunContext& context, Workers& workers,
                      WorkMeter& meter) {
  if (!is_simple(layout)) return nullptr;
  std::unique_ptr<CpuStandingLaunch> launch(
      new CpuStandingLaunch(layout, reaches, code, slots, context, meter));
  try {
    if (!launch->prepare(workers, meter)) return nullptr;
  } catch (const RuntimeError&) {
    return nullptr; // (a launch that may use its arguments' memory may have room after all)
  }
  return launch;
}

CpuStandingLaunch::CpuStandingLaunch(const KernelLayout& layout,
                                     std::span<const std::optional<jit::Reach>> reaches,
                                     const CurrentCode& code, const LaunchSlots& slots,
                                     const RunContext& context, const WorkMeter& meter)
    : layout_(layout), reaches_(reaches), current_(code),
      code_(code.load(std::memory_order_acquire)), slots_(slots), context_(context), meter_(meter) {
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

bool CpuStandingLaunch::stands(const RunContext& context) const {
  return context.way == context_.way && current_.load(std::memory_order_relaxed) == code_ &&
         std::ranges::all_of(layout_.size_parameters, [&](std::uint32_t parameter) {
           return slots_.arguments[parameter].scalar->bits == notes_.scalars[parameter];
         });
}

bool CpuStandingLaunch::is_same(const RunContext& context) const {
  if (!stands(context)) return false;
  if (meter_.nanoseconds_alone(shape_->partition().count) != alone_) return false;
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

LaunchParts* CpuStandingLaunch::parts(unsigned threads) {
  // (Each thread combines numbers for itself; an array is one for all of them.)
  if (std::ranges::any_of(layout_.partials, [](const KernelLayout::Partial& partial) {
        return !partial.extents.empty();
      }))
    return nullptr;
  // (All threads combine, also what one alone has run.)
  if (notes_.arenas.size() < threads) notes_.arenas.resize(threads, ScratchArena(*context_.memory));
  if (memory_by_turn_ || layout_.partials.empty()) return this;
  // Blocks are few, and several threads write theirs: what is left of each is in lines of its own.
  constexpr std::int64_t line = 64;
  const auto partials = static_cast<std::int64_t>(layout_.partials.size());
  const bool are_blocks = shape_->fold_unit() == primitives::block_length;
  constexpr auto widest = static_cast<std::int64_t>(sizeof(std::uint64_t));
  const std::int64_t block_bytes = (partials * widest + line - 1) / line * line;
  const auto bytes_of = [&](std::size_t partial) {
    const std::int64_t bytes =
        notes_.partial_strides[partial] * shape_->slots(layout_.partials[partial]);
    return (bytes + line - 1) / line * line;
  };
  std::int64_t bytes = 0;
  for (std::size_t p = 0; p < layout_.partials.size(); ++p)
    bytes += are_blocks ? block_bytes * shape_->slots(layout_.partials[p]) : bytes_of(p);
  try {
    memory_by_turn_ = Buffer::allocate(*context_.memory, static_cast<std::size_t>(2 * bytes));
  } catch (const RuntimeError&) {
    return nullptr;
  }
  std::byte* at = memory_by_turn_->overwrite_all();
  for (std::vector<std::byte*>& by_partial : partials_by_turn_) {
    std::byte* next = at;
    for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
      by_partial.push_back(next);
      next += are_blocks ? widest : bytes_of(p);
    }
    at += bytes;
  }
  strides_by_turn_ = notes_.partial_strides;
  if (are_blocks) std::ranges::fill(strides_by_turn_, block_bytes);
  return this;
}

std::int64_t CpuStandingLaunch::rows() const {
  return value_of(layout_.index_space[0], notes_.scalars);
}

std::optional<LaunchParts::Reach> CpuStandingLaunch::reach(std::size_t parameter) const {
  const std::optional<jit::Reach>& known = reaches_[parameter];
  if (!known) return std::nullopt;
  LaunchParts::Reach reach;
  for (const std::vector<Distance>* distances : {&known->least, &known->greatest})
    for (const Distance& distance : *distances)
      if (distance.bound && distance.bound->parameter)
        reach.parameters.push_back(*distance.bound->parameter);
  reach.before = farthest_before(*known, rows(), notes_.scalars);
  reach.behind = farthest_behind(*known, notes_.scalars);
  return reach;
}

LaunchParts::Result CpuStandingLaunch::result(std::size_t index) const {
  if (layout_.results[index].kind == ResultKind::Scalar) return {.is_number = true};
  const LaunchSizes::Result& result = notes_.sizes.results()[index];
  return {.leaf = result.leaf, .bytes = result.bytes};
}

KernelFrame CpuStandingLaunch::frame(const Call& call, FailureNote& failure) {
  KernelFrame frame = runner_->frame(call.thread);
  frame.arguments = call.arguments;
  frame.results = call.results;
  frame.partials = partials_by_turn_[call.turn].data();
  frame.partial_strides = strides_by_turn_.data();
  frame.failure = &failure;
  return frame;
}

bool CpuStandingLaunch::run(const Call& call, std::int64_t part) {
  FailureNote failure;
  KernelFrame frame = this->frame(call, failure);
  return runner_->run_apart(frame, part);
}

bool CpuStandingLaunch::run_range(const Call& call, std::int64_t begin, std::int64_t end) {
  FailureNote failure;
  KernelFrame frame = this->frame(call, failure);
  return runner_->run_range_apart(frame, begin, end);
}

bool CpuStandingLaunch::combine(const Call& call) {
  FailureNote failure;
  KernelFrame frame = this->frame(call, failure);
  return runner_->combine_apart(frame);
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
  rest();
}

void CpuStandingLaunch::rest() {
  for (ScratchArena& arena : notes_.arenas)
    arena.give_back();
}

} // namespace sinter::jit
