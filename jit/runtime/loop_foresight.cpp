// What a team's launches find and leave in memory, told before any of them is done: where each
// array lies in each iteration, until that comes again, and when threads have to wait for each
// other.
#include "jit/runtime/loop_team.h"

#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using namespace plan;

namespace {

/// Where arrays lie comes again after a few iterations, or never.
constexpr std::size_t most_iterations = 8;

} // namespace

/// Arrays of the state that nobody else has are memory for what is made later.
void LoopTeam::own_state() {
  for (const Target& parameter : body_.parameters) {
    if (!parameter.is_array) continue;
    const Leaf& leaf = frame_.arrays[parameter.slot];
    if (leaf.buffer.unique() && leaf.buffer->is_here() && !leaf.buffer->elsewhere())
      memory_.push_back(leaf.buffer);
  }
}

bool LoopTeam::foresee() {
  Arrays arrays;
  for (const Slot slot : slots_)
    arrays.push_back(frame_.arrays[slot]);
  const auto where = [](const Leaf& leaf) { return std::pair(leaf.buffer.get(), leaf.offset); };
  for (;;) {
    // (Of what the body makes nobody needs anything between iterations.)
    for (const Step& step : body_.steps)
      for (const Target& target : step.targets)
        if (target.is_array) arrays[local(target.slot)] = {};
    for (std::size_t i = 0; i < iterations_.size(); ++i)
      if (iterations_[i].last_memory == last_memory_ &&
          std::ranges::equal(iterations_[i].before, arrays, {}, where, where)) {
        first_again_ = i;
        foresee_meetings();
        return true;
      }
    if (iterations_.size() == most_iterations) return false;
    Iteration& iteration = iterations_.emplace_back();
    iteration.before = arrays; // (also what nobody reads but who comes after the loop)
    iteration.last_memory = last_memory_;
    for (const Slot slot : body_.dead_on_entry)
      if (local(slot) != SIZE_MAX) arrays[local(slot)] = {};
    for (const Step& step : body_.steps) {
      if (!foresee_step(step, arrays, iteration)) return false;
      for (const Slot slot : step.releases)
        if (local(slot) != SIZE_MAX) arrays[local(slot)] = {};
    }
    Arrays state;
    for (const Use& use : body_.results)
      if (use.is_array) state.push_back(take(use, arrays));
    auto next = state.begin();
    for (std::size_t i = 0; i < body_.results.size(); ++i)
      if (body_.results[i].is_array) {
        Leaf& leaf = arrays[local(loop_.targets[i].slot)];
        if (next->extents != leaf.extents && !leaf.extents.empty()) return false;
        leaf = std::move(*next++);
      }
  }
}

bool LoopTeam::foresee_step(const Step& step, Arrays& arrays, Iteration& iteration) {
  if (std::holds_alternative<plan::Launch>(step.action))
    return foresee_launch(step, arrays, iteration);
  return !is_view(step.action) || foresee_view(step, arrays);
}

bool LoopTeam::foresee_view(const Step& step, Arrays& arrays) const {
  Leaf leaf = take(step.uses[0], arrays);
  if (const auto* transposed = std::get_if<TransposeView>(&step.action)) {
    leaf = transpose_leaf(std::move(leaf), transposed->permutation);
  } else {
    Extents extents;
    for (const Slot extent : std::get<Reshaped>(step.action).shape.extents)
      extents.push_back(frame_.scalars[extent].as<std::int64_t>());
    if (!reshape_in_place(leaf, extents)) return false;
  }
  arrays[local(step.targets[0].slot)] = std::move(leaf);
  return true;
}

bool LoopTeam::foresee_launch(const Step& step, Arrays& arrays, Iteration& iteration) {
  const LaunchParts& parts = *launches_[iteration.launches.size()].parts;
  Foreseen& foreseen = iteration.launches.emplace_back();
  foreseen.before = arrays;
  for (std::size_t i = 0; i < step.uses.size(); ++i) {
    const Use& use = step.uses[i];
    std::uint64_t& place = foreseen.arguments.emplace_back(0);
    if (!use.is_array) continue;
    const Leaf& leaf = arrays[local(use.slot)];
    if (!leaf.buffer || leaf.strides != parts.strides(i)) return false;
    foreseen.read.push_back(leaf.buffer.get());
    place = reinterpret_cast<std::uint64_t>(first_element(leaf));
  }
  for (const Use& use : step.uses)
    if (use.is_array && use.is_last) arrays[local(use.slot)] = {};
  // Which of all array results comes next.
  std::size_t number = 0;
  for (const Foreseen& earlier : iteration.launches)
    number += earlier.memory.size();
  for (std::size_t i = 0; i < step.targets.size(); ++i) {
    std::uint64_t& place = foreseen.results.emplace_back(0);
    LaunchParts::Result result = parts.result(i);
    if (result.is_number) continue;
    result.leaf.buffer = memory_for(result.bytes, last_memory_[number], arrays, foreseen.before);
    last_memory_[number++] = result.leaf.buffer.get();
    foreseen.memory.push_back(result.leaf.buffer.get());
    place = reinterpret_cast<std::uint64_t>(result.leaf.buffer->overwrite_all());
    arrays[local(step.targets[i].slot)] = std::move(result.leaf);
  }
  return true;
}

/// For a result: what the same one had last, if that is free; else any that is, or a new one.
/// (`before` may hold arguments that `arrays` has no longer.)
BufferRef LoopTeam::memory_for(std::size_t bytes, const Buffer* last, const Arrays& arrays,
                               const Arrays& before) {
  const auto is_free = [&](const BufferRef& buffer) {
    const auto holds_it = [&](const Leaf& leaf) { return leaf.buffer.get() == buffer.get(); };
    return buffer->bytes() == bytes && std::ranges::none_of(arrays, holds_it) &&
           std::ranges::none_of(before, holds_it);
  };
  for (const BufferRef& buffer : memory_)
    if (buffer.get() == last && is_free(buffer)) return buffer;
  for (const BufferRef& buffer : memory_)
    if (is_free(buffer)) return buffer;
  return memory_.emplace_back(Buffer::allocate(*context_.memory, bytes));
}

void LoopTeam::foresee_meetings() {
  if (threads_ == 1) return;
  const auto next_of = [&](std::size_t launch) {
    return launch + 1 < launches_.size() ? launch + 1 : 0;
  };
  for (std::size_t i = 0; i < iterations_.size(); ++i)
    for (std::size_t l = 0; l < launches_.size(); ++l) {
      const std::size_t next = next_of(l);
      Foreseen& at = iterations_[i].launches[l];
      const Foreseen& with_next = iterations_[next > 0 ? i : after(i)].launches[next];
      if (launches_[l].has_numbers || overwrites(with_next, at)) continue;
      const std::optional<Ends> rows = rows_of_others(l, at, next, with_next);
      if (!rows) continue;
      // The one before, if nobody has waited for that.
      if (l > 0 && iterations_[i].launches[l - 1].to_next != Link::Meeting &&
          rows_of_others(l - 1, iterations_[i].launches[l - 1], next, with_next) != Ends{})
        continue;
      const LaunchParts& parts = *launches_[next].parts;
      if (*rows == Ends{}) {
        // (One that makes arrays might overwrite what the one before this still reads.)
        if (launches_[next].makes_arrays) continue;
        at.to_next = Link::None;
      } else {
        // Ends that are not much less than all are not worth it.
        constexpr std::int64_t most_share = 8;
        if (launches_[next].has_numbers || l == 0 || next == 0 ||
            iterations_[i].launches[l - 1].to_next != Link::Meeting)
          continue;
        if ((rows->before + rows->behind) * most_share > parts.rows() / parts.count()) continue;
        at.to_next = Link::InsideFirst;
        const std::int64_t of_row = parts.begin(parts.count()) / parts.rows();
        at.ends = {rows->before * of_row, rows->behind * of_row};
      }
    }
}

/// Whether results of a launch lie where another one's arguments are.
bool LoopTeam::overwrites(const Foreseen& later, const Foreseen& earlier) const {
  return std::ranges::any_of(later.memory, [&](const Buffer* made) {
    return std::ranges::find(earlier.read, made) != earlier.read.end();
  });
}

/// How many rows beyond its own a thread needs in the next launch of what others have made in this
/// one; nothing if that is unknown, or if its own are others.
std::optional<LoopTeam::Ends> LoopTeam::rows_of_others(std::size_t launch, const Foreseen& at,
                                                       std::size_t next_launch,
                                                       const Foreseen& next) const {
  const LaunchParts& parts = *launches_[launch].parts;
  const LaunchParts& next_parts = *launches_[next_launch].parts;
  const Step& next_step = *launch_steps_[next_launch];
  if (parts.count() == 1 || parts.count() != next_parts.count()) return std::nullopt;
  const std::int64_t indices = parts.begin(parts.count());
  const std::int64_t next_indices = next_parts.begin(parts.count()), rows = next_parts.rows();
  Ends most;
  for (std::size_t i = 0; i < next_step.uses.size(); ++i) {
    if (!next_step.uses[i].is_array) continue;
    const Leaf& argument = next.before[local(next_step.uses[i].slot)];
    if (std::ranges::find(at.memory, argument.buffer.get()) == at.memory.end()) continue;
    // All of what was made, and as many elements for each index of both launches.
    const std::int64_t elements = element_count(argument.extents);
    if (argument.offset != 0 || !is_row_major(argument) || argument.extents[0] != rows ||
        elements % indices != 0 || elements % rows != 0 || next_indices % rows != 0)
      return std::nullopt;
    const std::optional<LaunchParts::Reach> reach = next_parts.reach(i);
    if (!reach || std::ranges::any_of(reach->parameters, [&](std::uint32_t parameter) {
          return bool(changes_[next_step.uses[parameter].slot]);
        }))
      return std::nullopt;
    // A thread has the same rows in both, and has them whole.
    for (std::int64_t part = 0; part <= parts.count(); ++part) {
      const std::int64_t element = parts.begin(part) * (elements / indices);
      const std::int64_t row = element / (elements / rows);
      if (element % (elements / rows) != 0 || next_parts.begin(part) != row * (next_indices / rows))
        return std::nullopt;
    }
    most.before = std::max(most.before, reach->before);
    most.behind = std::max(most.behind, reach->behind);
  }
  return most;
}

} // namespace sinter::jit
