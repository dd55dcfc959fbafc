#include "jit/runtime/machine.h"

#include "jit/runtime/iterations.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/piece_sizes.h"
#include "jit/runtime/versioned_kernel.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

namespace sinter::jit {

using namespace plan;

Outcome Machine::run(const Block& block, std::vector<Datum> arguments) {
  assert(arguments.size() == block.parameters.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Target to = block.parameters[i];
    if (to.is_array)
      arrays_[to.slot] = std::move(std::get<Leaf>(arguments[i]));
    else
      scalars_[to.slot] = std::get<Scalar>(arguments[i]);
  }
  arguments.clear();
  if (!run_block(block)) return stopped_;
  std::vector<Datum> results;
  results.reserve(block.results.size());
  for (const Use& use : block.results) {
    // (Within another run, what stays pending is that one's result of a launch.)
    if (context_.run == this && !use.is_array && !resolve(use.slot)) return stopped_;
    results.push_back(take_datum(use));
  }
  return results;
}

bool Machine::run_block(const Block& block) {
  for (Slot slot : block.dead_on_entry)
    arrays_[slot] = {};
  return run_steps(block.steps);
}

bool Machine::run_steps(std::span<const Step> steps) {
  for (const Step& one : steps) {
    step_ = &one;
    bool goes_on =
        std::visit([&](const auto& action) { return this->step(action, one); }, one.action);
    if (!goes_on) return false;
    for (Slot slot : one.releases)
      arrays_[slot] = {};
  }
  return true;
}

void Machine::pass_all(const std::vector<Use>& from, const Target* to) {
  if (from.size() == 1) return pass(from[0], *to);
  // What is passed to an earlier target may be read for a later one.
  std::vector<Datum> passing = std::move(passing_);
  passing.clear();
  for (const Use& use : from)
    passing.push_back(take_datum(use));
  for (std::size_t i = 0; i < passing.size(); ++i)
    if (to[i].is_array)
      arrays_[to[i].slot] = std::move(std::get<Leaf>(passing[i]));
    else
      scalars_[to[i].slot] = std::get<Scalar>(passing[i]);
  passing.clear();
  passing_ = std::move(passing);
}

bool Machine::is_interrupted() {
  if (!context_.interrupt || context_.interrupt->epoch() == context_.epoch) return false;
  stopped_ = {Stopped::Why::Interrupted, 0, {}};
  return true;
}

// ---- places ------------------------------------------------------------------------------------

bool Machine::wait() {
  std::optional<Stopped> stopped = finish();
  if (!stopped) return true;
  stopped_ = std::move(*stopped);
  return false;
}

bool Machine::load(const Leaf& array, std::int64_t position, Scalar& to) {
  if (array.buffer->is_here()) [[likely]] {
    to = load_scalar(array.element, array.buffer->contents(), position);
    return true;
  }
  if (!wait()) return false;
  to = place_of(array).load(array, position);
  return true;
}

bool Machine::resolve(Slot slot) {
  if (!is_pending(slot)) return true;
  const Leaf pending = std::move(pending_[slot]);
  pending_[slot] = {};
  return load(pending, pending.offset, scalars_[slot]);
}

Leaf Machine::writable(Leaf array) {
  if (array.buffer.unique() && is_injective(array)) return array;
  return place_of(array).duplicate(array, context_);
}

// ---- control -----------------------------------------------------------------------------------

bool Machine::step(const Branch& branch, const Step& step) {
  const Block& block = step.blocks[scalars_[branch.condition].bits ? 0 : 1];
  if (!run_block(block)) return false;
  pass_all(block.results, step.targets.data());
  return true;
}

std::uint64_t Machine::state_bytes(const Step& loop) const {
  std::uint64_t bytes = 0;
  for (const Target& target : loop.targets)
    if (target.is_array) bytes += content_bytes(arrays_[target.slot]);
  return bytes;
}

bool Machine::step(const CountedLoop& loop, const Step& step) {
  const Block& body = step.blocks[0];
  Scalar bound = scalars_[loop.bound];
  pass_all(step.uses, step.targets.data());
  Slot index = body.parameters[0].slot;
  // The index's type is the bound's; unsigned ones are compared as such.
  const bool is_empty = !is_unsigned(loop.index_type) && bound.as<std::int64_t>() < 0;
  const std::uint64_t end = is_empty ? 0 : bound.bits;
  bool may_repeat = loop.repeated.has_value();
  Iterations iterations(context_, loop.meter.get(), state_bytes(step));
  TeamOfLoop team;
  for (std::uint64_t i = 0; i < end;) {
    if (is_interrupted()) return false;
    // (What the first iteration leaves behind is our own.)
    if (may_repeat && i > 0) {
      const std::optional<std::uint64_t> done = repeat(loop, step, i, end);
      if (!done) return false;
      may_repeat = *done > 0;
      i += *done;
      continue;
    }
    std::optional<std::size_t> from;
    if (loop.may_go_by_team && i >= team.next_try)
      if (const std::optional<LoopTeam::Ran> ran = run_team(team, step, i, end, iterations)) {
        i += ran->iterations;
        if (!ran->step) continue;
        from = ran->step;
      }
    team.team.reset(); // (It goes on from where it left the state only.)
    scalars_[index] = Scalar{i};
    const bool goes_on = from ? run_steps(std::span(body.steps).subspan(*from)) : run_block(body);
    if (!goes_on) return false;
    pass_all(body.results, step.targets.data());
    iterations.next();
    ++i;
  }
  spare_.clear();
  return true;
}

std::optional<LoopTeam::Ran> Machine::run_team(TeamOfLoop& of, const Step& loop,
                                               std::uint64_t begin, std::uint64_t end,
                                               Iterations& iterations) {
  // To make one takes 4 µs, of which one thread saves 0.1 an iteration, and several more.
  constexpr std::uint64_t fewest_alone = 48, fewest_together = 24;
  const std::uint64_t fewest = way_index() == 0 ? fewest_alone : fewest_together;
  if (end - begin < fewest || !pending_.empty() || !places_.is_host_alone()) return std::nullopt;
  if (!of.team) {
    const auto standing = [&](std::uint32_t number) {
      return standing_[number].by_way[way_index()].launch.get();
    };
    of.team = LoopTeam::of(loop, {scalars_, arrays_}, standing, context_, places_.host());
    if (!of.team) {
      of.next_try = begin + of.patience;
      of.patience *= 2;
      return std::nullopt;
    }
  }
  std::optional<LoopTeam::Ran> ran =
      of.team->run(begin, std::min(end - begin, iterations.left()), context_);
  if (!ran) {
    of = {.next_try = begin + 1};
    return std::nullopt;
  }
  launches_ += ran->launches;
  if (ran->iterations > 0) iterations.next(ran->iterations);
  if (ran->step) of = {.next_try = end};
  return ran;
}

bool Machine::step(const ConditionLoop& loop, const Step& step) {
  const Block& condition = step.blocks[0];
  const Block& body = step.blocks[1];
  pass_all(step.uses, step.targets.data());
  for (Iterations iterations(context_, loop.meter.get(), state_bytes(step));; iterations.next()) {
    if (is_interrupted() || !run_block(condition)) return false;
    if (!scalars_[condition.results[0].slot].bits) {
      spare_.clear();
      return true;
    }
    if (!run_block(body)) return false;
    pass_all(body.results, step.targets.data());
  }
}

LaunchSlots Machine::slots_of(const Step& launch) {
  LaunchSlots slots;
  for (const Use& use : launch.uses)
    if (use.is_array)
      slots.arguments.push_back({nullptr, &arrays_[use.slot], use.is_last});
    else
      slots.arguments.push_back({&scalars_[use.slot], nullptr, false});
  for (const Target& target : launch.targets)
    if (target.is_array)
      slots.results.push_back({nullptr, &arrays_[target.slot]});
    else
      slots.results.push_back({&scalars_[target.slot], nullptr});
  return slots;
}

std::optional<bool> Machine::run_standing(const Launch& launch, const Step& step) {
  // To make one takes as long as some launches: where they are hardly ever the same, that is tried
  // less and less often.
  constexpr std::uint32_t greatest_patience = 256, paid = 16;
  Standing& standing = standing_[launch.number];
  auto& [ready, runs] = standing.by_way[way_index()];
  std::optional<Stopped> stopped;
  if (!ready || !ready->run(context_, stopped)) {
    ready.reset();
    if (std::exchange(runs, 0) >= paid) standing.patience = 1;
    if (++standing.usual < standing.patience) return std::nullopt;
    standing.usual = 0;
    standing.patience = std::min(2 * standing.patience, greatest_patience);
    ready = launch.kernel->stand(slots_of(step), context_);
    if (!ready || !ready->run(context_, stopped)) return std::nullopt;
  }
  ++runs;
  ++launches_;
  if (!stopped) return true;
  ready.reset();
  stopped_ = std::move(*stopped);
  if (!stopped_.span.is_known()) stopped_.span = step.span;
  return false;
}

namespace {

/// Arrays that the block's steps make.
void release_targets(const Block& block, std::vector<Leaf>& arrays) {
  for (const Step& step : block.steps) {
    for (const Target& target : step.targets)
      if (target.is_array) arrays[target.slot] = {};
    for (const Block& inner : step.blocks)
      release_targets(inner, arrays);
  }
}

} // namespace

bool Machine::run_piece(const Block& body) {
  try {
    return run_block(body);
  } catch (const RuntimeError& error) {
    if (error.kind != FailureKind::OutOfMemory) throw;
    stopped_ = Stopped::by(error);
    if (!stopped_.span.is_known()) stopped_.span = where();
    return false;
  }
}

bool Machine::step(const StreamLoop& loop, const Step& step) {
  using Clock = std::chrono::steady_clock;
  const Block& body = step.blocks[0];
  const std::int64_t extent = integer(loop.extent);
  pass_all(step.uses, step.targets.data());
  const MemoryBudget& memory = *context_.memory;
  const std::size_t room = memory.limit() - std::min(memory.limit(), memory.in_use());
  // (Half of it: operations have memory of their own.)
  PieceSizes sizes({.unit = loop.unit,
                    .element_bytes = loop.element_bytes,
                    .threads = places_.host().thread_limit(context_),
                    .cache_bytes = second_level_cache_bytes(),
                    .room_bytes = static_cast<std::int64_t>(room / 2),
                    .forced_size = loop.forced_size});
  const std::int64_t first_size = sizes.size();
  // A state of scalars is still there when a piece fails.
  const bool may_run_again =
      std::ranges::none_of(step.targets, [](const Target& target) { return target.is_array; });
  std::uint64_t pieces = 0;
  Iterations iterations(context_, loop.meter.get(),
                        static_cast<std::uint64_t>(first_size * loop.element_bytes));
  for (std::int64_t begin = 0; begin < extent;) {
    if (is_interrupted()) return false;
    const std::int64_t count = std::min(sizes.size(), extent - begin);
    scalars_[body.parameters[0].slot] = Scalar::of(begin);
    scalars_[body.parameters[1].slot] = Scalar::of(count);
    const Clock::time_point began = Clock::now();
    if (!run_piece(body)) {
      if (stopped_.why != Stopped::Why::OutOfMemory || !may_run_again || !sizes.has_no_room()) {
        stopped_.first_index = {}; // it was counted from the piece's first one
        return false;
      }
      release_targets(body, arrays_);
      spare_.clear();
      continue;
    }
    pass_all(body.results, step.targets.data());
    sizes.took(count, std::chrono::duration<double, std::nano>(Clock::now() - began).count());
    iterations.next();
    begin += count;
    ++pieces;
  }
  spare_.clear();
  loop.pieces->add(pieces, first_size, sizes);
  return true;
}

bool Machine::step(const Launch& launch, const Step& step) {
  if (is_interrupted()) return false;
  if (context_.is_repeated && pending_.empty())
    if (const std::optional<bool> goes_on = run_standing(launch, step)) return *goes_on;
  std::vector<Datum> arguments = std::move(launch_data_);
  arguments.clear();
  arguments.reserve(step.uses.size());
  for (const Use& use : step.uses)
    if (use.is_array)
      arguments.emplace_back(take(use));
    else if (is_pending(use.slot))
      arguments.emplace_back(pending_[use.slot]);
    else
      arguments.emplace_back(scalars_[use.slot]);
  ++launches_;
  Outcome outcome = launch.kernel->launch(std::move(arguments), context_);
  if (auto* stopped = std::get_if<Stopped>(&outcome)) {
    stopped_ = *stopped;
    if (!stopped_.span.is_known()) stopped_.span = step.span;
    return false;
  }
  std::vector<Datum>& results = std::get<std::vector<Datum>>(outcome);
  assert(results.size() == step.targets.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const Target to = step.targets[i]; to.is_array) {
      arrays_[to.slot] = std::move(std::get<Leaf>(results[i]));
    } else if (const Scalar* const number = std::get_if<Scalar>(&results[i])) {
      scalars_[to.slot] = *number;
      if (!pending_.empty()) pending_[to.slot] = {};
    } else {
      pending_[to.slot] = std::move(std::get<Leaf>(results[i]));
      if (!launch.may_be_pending[i] && !resolve(to.slot)) return false;
    }
  launch_data_ = std::move(results);
  launch_data_.clear();
  return true;
}

// ---- views -------------------------------------------------------------------------------------

bool Machine::step(const Load& load, const Step& step) {
  const Leaf& leaf = arrays_[step.uses[0].slot];
  std::int64_t at = leaf.offset;
  for (std::size_t i = 0; i < load.indices.size(); ++i)
    at += integer(load.indices[i]) * leaf.strides[i];
  return this->load(leaf, at, scalars_[load.result]);
}

bool Machine::step(const IndexView& view, const Step& step) {
  Extents indices = integers(view.indices);
  arrays_[step.targets[0].slot] = index_leaf(take(step.uses[0]), indices);
  return true;
}

namespace {

/// Begins and strides of a slice.
struct SliceNumbers {
  Extents begins, strides;
  SliceNumbers(const std::vector<SliceDimension>& dimensions, const std::vector<Scalar>& scalars) {
    for (const SliceDimension& dimension : dimensions) {
      begins.push_back(scalars[dimension.begin].as<std::int64_t>());
      strides.push_back(scalars[dimension.stride].as<std::int64_t>());
    }
  }
};

} // namespace

bool Machine::step(const SliceView& view, const Step& step) {
  SliceNumbers numbers(view.dimensions, scalars_);
  arrays_[step.targets[0].slot] =
      slice_leaf(take(step.uses[0]), numbers.begins, numbers.strides, integers(view.shape.extents));
  return true;
}

bool Machine::step(const TransposeView& view, const Step& step) {
  arrays_[step.targets[0].slot] = transpose_leaf(take(step.uses[0]), view.permutation);
  return true;
}

bool Machine::step(const Reshaped& reshaped, const Step& step) {
  const Extents extents = integers(reshaped.shape.extents);
  Leaf array = take(step.uses[0]);
  if (!reshape_in_place(array, extents)) {
    array = place_of(array).duplicate(array, context_);
    reshape_in_place(array, extents);
  }
  arrays_[step.targets[0].slot] = std::move(array);
  return true;
}

// ---- writes ------------------------------------------------------------------------------------

bool Machine::copy_array(Backend& place, const Leaf& target, const Leaf& source) {
  // (What comes home may be read by whoever decides by it.)
  if (!source.buffer->is_here() && &place == &places_.host() && !wait()) return false;
  place.copy(target, source, context_);
  return !is_interrupted(); // else it may have ended early
}

bool Machine::store_element(const Leaf& array, std::span<const std::int64_t> indices,
                            const Use& value) {
  if (value.is_array) return copy_array(index_leaf(array, indices), arrays_[value.slot]);
  place_of(array).store(array, element_position(array, indices), scalars_[value.slot]);
  return true;
}

bool Machine::step(const Store& store, const Step& step) {
  Leaf array = take(step.uses[0]);
  const Use& value = step.uses[1];
  array = writable(std::move(array));
  if (!store_element(array, integers(store.indices), value)) return false;
  arrays_[step.targets[0].slot] = std::move(array);
  return true;
}

bool Machine::step(const StoreSlice& store, const Step& step) {
  Leaf array = take(step.uses[0]);
  const Leaf& value = arrays_[step.uses[1].slot];
  SliceNumbers numbers(store.dimensions, scalars_);
  // What makes sure of that may be checks of a launch that has not ended.
  if (places_.may_return_early() &&
      !is_slice_inside(array.extents, numbers.begins, numbers.strides, value.extents)) {
    if (wait()) stopped_ = {Stopped::Why::Declined, 0, {}};
    return false;
  }
  array = writable(std::move(array));
  if (!copy_array(slice_leaf(array, numbers.begins, numbers.strides, value.extents), value))
    return false;
  arrays_[step.targets[0].slot] = std::move(array);
  return true;
}

// ---- fresh arrays ------------------------------------------------------------------------------

/// The first part, if nobody else has it and its buffer has room for the others behind it: filters
/// make room for all that they might have kept.  Else nothing.
std::optional<Leaf> Machine::extended_first_part(const Step& step, const Extents& extents) {
  const Use& use = step.uses[0];
  if (!use.is_last) return std::nullopt;
  Leaf& part = arrays_[use.slot];
  if (!part.buffer.unique() || part.offset != 0 || !is_row_major(part)) return std::nullopt;
  // (A little array should not hold on to a large buffer.)
  const std::size_t bytes = block_bytes(part.element, extents), room = part.buffer->bytes();
  if (bytes > room || bytes < room / 8) return std::nullopt;
  Leaf result = take(use);
  result.extents = extents;
  result.strides = row_major_strides(extents);
  return result;
}

bool Machine::step(const Joined& joined, const Step& step) {
  const Extents extents = integers(joined.shape.extents);
  const std::int64_t first_rows = arrays_[step.uses[0].slot].extents[0];
  std::optional<Leaf> extended = extended_first_part(step, extents);
  std::span<const Use> rest = step.uses;
  if (extended) rest = rest.subspan(1);
  std::int64_t at = extended ? first_rows : 0;
  Backend& place = place_of(extended ? *extended : arrays_[step.uses[0].slot]);
  Leaf result = extended ? std::move(*extended)
                         : place.allocate(*context_.memory, joined.shape.element, extents);
  for (const Use& use : rest) {
    const Leaf& part = arrays_[use.slot];
    Leaf target = result;
    target.offset += at * result.strides[0];
    target.extents[0] = part.extents[0];
    if (!copy_array(place, target, part)) return false;
    copied_bytes_ += 2 * content_bytes(part);
    at += part.extents[0];
  }
  assert(at == result.extents[0]);
  arrays_[step.targets[0].slot] = std::move(result);
  return true;
}

bool Machine::step(const Literal& literal, const Step& step) {
  Extents extents = integers(literal.shape.extents);
  if (!step.uses.empty() && step.uses[0].is_array) {
    Backend& place = place_of(arrays_[step.uses[0].slot]);
    Leaf result = place.allocate(*context_.memory, literal.shape.element, std::move(extents));
    for (std::size_t i = 0; i < step.uses.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      if (!copy_array(place, index_leaf(result, {&index, 1}), arrays_[step.uses[i].slot]))
        return false;
    }
    arrays_[step.targets[0].slot] = std::move(result);
    return true;
  }
  std::vector<Scalar> elements;
  elements.reserve(step.uses.size());
  for (const Use& use : step.uses)
    elements.push_back(scalars_[use.slot]);
  Backend& place =
      places_[places_.place_for(elements.size() * byte_size(literal.shape.element), context_)];
  arrays_[step.targets[0].slot] =
      place.list(literal.shape.element, std::move(extents), elements, context_);
  return true;
}

bool Machine::step(const Copied&, const Step& step) {
  const Use& use = step.uses[0];
  // What nobody else has need not be copied.
  Leaf leaf = take(use);
  if (!leaf.buffer.unique()) copied_bytes_ += 2 * content_bytes(leaf);
  arrays_[step.targets[0].slot] = writable(std::move(leaf));
  return true;
}

bool Machine::step(const Filled& filled, const Step& step) {
  if (is_interrupted()) return false;
  Extents extents = integers(filled.shape.extents);
  Backend& place = places_[places_.place_for(block_bytes(filled.shape.element, extents), context_)];
  Leaf result =
      place.fill(filled.shape.element, std::move(extents), scalars_[step.uses[0].slot], context_);
  if (is_interrupted()) return false; // it may have ended early
  copied_bytes_ += content_bytes(result);
  arrays_[step.targets[0].slot] = std::move(result);
  return true;
}

} // namespace sinter::jit
