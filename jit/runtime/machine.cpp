#include "jit/runtime/machine.h"

#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/versioned_kernel.h"
#include "lang/values/strided.h"

#include <cassert>

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
  for (const Use& use : block.results)
    results.push_back(take_datum(use));
  return results;
}

bool Machine::run_block(const Block& block) {
  for (Slot slot : block.dead_on_entry)
    arrays_[slot] = {};
  for (const Step& one : block.steps) {
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

namespace {

/// Says that iterations follow each other; ends with the loop.
class IterationScope {
public:
  explicit IterationScope(bool& is_repeated) : is_repeated_(is_repeated), before_(is_repeated) {}
  ~IterationScope() { is_repeated_ = before_; }
  IterationScope(const IterationScope&) = delete;
  IterationScope& operator=(const IterationScope&) = delete;
  void next() { is_repeated_ = true; }

private:
  bool& is_repeated_;
  bool before_;
};

} // namespace

bool Machine::is_interrupted() {
  if (!context_.interrupt || context_.interrupt->epoch() == context_.epoch) return false;
  stopped_ = {Stopped::Why::Interrupted, 0, {}};
  return true;
}

// ---- control -----------------------------------------------------------------------------------

bool Machine::step(const Branch& branch, const Step& step) {
  const Block& block = step.blocks[scalars_[branch.condition].bits ? 0 : 1];
  if (!run_block(block)) return false;
  pass_all(block.results, step.targets.data());
  return true;
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
  IterationScope iterations(context_.is_repeated);
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
    scalars_[index] = Scalar{i};
    if (!run_block(body)) return false;
    pass_all(body.results, step.targets.data());
    iterations.next();
    ++i;
  }
  return true;
}

bool Machine::step(const ConditionLoop&, const Step& step) {
  const Block& condition = step.blocks[0];
  const Block& body = step.blocks[1];
  pass_all(step.uses, step.targets.data());
  for (IterationScope iterations(context_.is_repeated);; iterations.next()) {
    if (is_interrupted() || !run_block(condition)) return false;
    if (!scalars_[condition.results[0].slot].bits) return true;
    if (!run_block(body)) return false;
    pass_all(body.results, step.targets.data());
  }
}

bool Machine::step(const Launch& launch, const Step& step) {
  if (is_interrupted()) return false;
  std::vector<Datum> arguments;
  arguments.reserve(step.uses.size());
  for (const Use& use : step.uses)
    arguments.push_back(take_datum(use));
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
    if (step.targets[i].is_array)
      arrays_[step.targets[i].slot] = std::move(std::get<Leaf>(results[i]));
    else
      scalars_[step.targets[i].slot] = std::get<Scalar>(results[i]);
  return true;
}

// ---- views -------------------------------------------------------------------------------------

bool Machine::step(const Load& load, const Step& step) {
  const Leaf& leaf = arrays_[step.uses[0].slot];
  std::int64_t at = leaf.offset;
  for (std::size_t i = 0; i < load.indices.size(); ++i)
    at += integer(load.indices[i]) * leaf.strides[i];
  scalars_[load.result] = load_scalar(leaf.element, leaf.buffer->contents(), at);
  return true;
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
  arrays_[step.targets[0].slot] =
      reshape_leaf(*context_.memory, take(step.uses[0]), integers(reshaped.shape.extents));
  return true;
}

// ---- writes ------------------------------------------------------------------------------------

bool Machine::copy_array(const Leaf& target, const Leaf& source) {
  if (!backend_) {
    copy_elements(target, source);
    return true;
  }
  backend_->copy(target, source, context_);
  return !is_interrupted(); // else it may have ended early
}

bool Machine::store_element(const Leaf& array, std::span<const std::int64_t> indices,
                            const Use& value) {
  if (value.is_array) return copy_array(index_leaf(array, indices), arrays_[value.slot]);
  store_scalar(array.element, array.buffer->overwrite(), element_position(array, indices),
               scalars_[value.slot]);
  return true;
}

bool Machine::step(const Store& store, const Step& step) {
  Leaf array = take(step.uses[0]);
  const Use& value = step.uses[1];
  array = writable(*context_.memory, std::move(array));
  if (!store_element(array, integers(store.indices), value)) return false;
  arrays_[step.targets[0].slot] = std::move(array);
  return true;
}

bool Machine::step(const StoreSlice& store, const Step& step) {
  Leaf array = take(step.uses[0]);
  const Leaf& value = arrays_[step.uses[1].slot];
  array = writable(*context_.memory, std::move(array));
  SliceNumbers numbers(store.dimensions, scalars_);
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
  Leaf result = extended ? std::move(*extended)
                         : allocate_leaf(*context_.memory, joined.shape.element, extents);
  for (const Use& use : rest) {
    const Leaf& part = arrays_[use.slot];
    Leaf place = result;
    place.offset += at * result.strides[0];
    place.extents[0] = part.extents[0];
    if (!copy_array(place, part)) return false;
    copied_bytes_ += 2 * content_bytes(part);
    at += part.extents[0];
  }
  assert(at == result.extents[0]);
  arrays_[step.targets[0].slot] = std::move(result);
  return true;
}

bool Machine::step(const Literal& literal, const Step& step) {
  Leaf result =
      allocate_leaf(*context_.memory, literal.shape.element, integers(literal.shape.extents));
  for (std::size_t i = 0; i < step.uses.size(); ++i) {
    auto index = static_cast<std::int64_t>(i);
    if (!store_element(result, {&index, 1}, step.uses[i])) return false;
  }
  arrays_[step.targets[0].slot] = std::move(result);
  return true;
}

bool Machine::step(const Copied&, const Step& step) {
  const Use& use = step.uses[0];
  // What nobody else has need not be copied.
  Leaf leaf = take(use);
  if (!leaf.buffer.unique()) copied_bytes_ += 2 * content_bytes(leaf);
  arrays_[step.targets[0].slot] = writable(*context_.memory, std::move(leaf));
  return true;
}

bool Machine::step(const Filled& filled, const Step& step) {
  if (is_interrupted()) return false;
  Leaf result =
      allocate_leaf(*context_.memory, filled.shape.element, integers(filled.shape.extents));
  Leaf element = allocate_leaf(*context_.memory, filled.shape.element, {1});
  store_scalar(element.element, element.buffer->overwrite(), 0, scalars_[step.uses[0].slot]);
  element.extents = result.extents;
  element.strides.assign(result.extents.size(), 0);
  if (!copy_array(result, element)) return false;
  copied_bytes_ += content_bytes(result);
  arrays_[step.targets[0].slot] = std::move(result);
  return true;
}

} // namespace sinter::jit
