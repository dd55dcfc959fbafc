// SOACs that no kernel does: element by element, in order.

#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/machine.h"

#include <cassert>

namespace sinter::jit {

using namespace plan;
using Kind = ir::GroupKind;
using SoacGroup = WalkSoac::Group;

namespace {

/// Whether indices lie inside the first dimensions of an array.
bool is_inside(const Leaf& array, std::span<const std::int64_t> indices) {
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (indices[d] < 0 || indices[d] >= array.extents[d]) return false;
  return true;
}

/// A leaf that is going to be written: its contents are in the host's memory.
Leaf own_here(Leaf leaf) {
  (void)leaf.buffer->overwrite();
  return leaf;
}

} // namespace

void Machine::pass_element(const Leaf& array, std::int64_t index, Target to) {
  if (to.is_array)
    arrays_[to.slot] = index_leaf(array, {&index, 1});
  else
    scalars_[to.slot] = load_scalar(array.element, array.buffer->contents(),
                                    array.offset + index * array.strides[0]);
}

/// Runs a group's operator on what its left parameters hold and on values; the results become the
/// left parameters.
bool Machine::combine(const SoacGroup& group, const Step& step, const std::vector<Use>& values,
                      std::uint32_t first_value) {
  const Block& block = step.blocks[group.combine];
  for (std::uint32_t i = 0; i < group.width; ++i) {
    // The operator may consume its operands: they are copies of the reference, not moved.
    Use value = values[first_value + i];
    value.is_last = false;
    pass(value, block.parameters[group.width + i]);
  }
  if (!run_block(block)) return false;
  pass_all(block.results, block.parameters.data());
  return true;
}

/// Makes what the group writes into, and lets its operator begin.
void Machine::begin_group(const SoacGroup& group, const Step& step, std::int64_t extent) {
  for (std::uint32_t i = 0; i < group.results.size(); ++i) {
    Extents extents = integers(group.results[i].extents);
    std::uint32_t at = group.first_target + i;
    if (group.kind == Kind::Filter) {
      ++at; // after the count, which is not known yet
      extents[0] = extent;
    }
    // (The only element's array becomes the result.)
    const bool is_only_array = group.kind == Kind::Map && extent == 1 && extents.size() > 1;
    Leaf& made = arrays_[step.targets[at].slot];
    made = is_only_array
               ? Leaf()
               : allocate_leaf(*context_.memory, group.results[i].element, std::move(extents));
  }
  // Maps and filters read nothing of their own.
  const bool has_uses = group.kind == Kind::Reduce || group.kind == Kind::Scan ||
                        group.kind == Kind::Scatter || group.kind == Kind::Histogram;
  for (std::uint32_t i = 0; has_uses && i < group.width; ++i) {
    const Use& use = step.uses[group.first_use + i];
    if (group.kind == Kind::Reduce || group.kind == Kind::Scan)
      pass({use.slot, use.is_array, false}, step.blocks[group.combine].parameters[i]);
    if (group.kind == Kind::Scatter || group.kind == Kind::Histogram)
      arrays_[step.targets[group.first_target + i].slot] = own_here(writable(take(use)));
  }
  for (const SoacGroup& inner : group.post_groups)
    begin_group(inner, step, extent);
}

/// The array of one element, an array itself, that a map makes.
bool Machine::become_only_element(Leaf& result, const Use& element, Extents extents) {
  Leaf row = arrays_[element.slot];
  if (!is_row_major(row)) {
    result = allocate_leaf(*context_.memory, row.element, std::move(extents));
    const std::int64_t index = 0;
    return store_element(result, {&index, 1}, element);
  }
  row.strides = row_major_strides(extents);
  row.extents = std::move(extents);
  result = std::move(row);
  return true;
}

/// What reductions have come to.
void Machine::end_folds(const SoacGroup& group, const Step& step) {
  if (group.kind == Kind::Reduce)
    for (std::uint32_t i = 0; i < group.width; ++i) {
      Target left = step.blocks[group.combine].parameters[i];
      pass({left.slot, left.is_array, true}, step.targets[group.first_target + i]);
    }
  for (const SoacGroup& inner : group.post_groups)
    end_folds(inner, step);
}

bool Machine::step(const WalkSoac& soac, const Step& step) {
  // Element by element, the host does it: what lies elsewhere is fetched once.
  if (!wait()) return false;
  std::int64_t extent = integer(soac.extent);
  std::vector<std::int64_t> kept(soac.groups.size(), 0);
  for (const SoacGroup& group : soac.groups)
    begin_group(group, step, extent);
  for (std::int64_t index = 0; index < extent; ++index) {
    if (is_interrupted()) return false;
    if (!soac_element(soac, step, index, kept)) {
      if (stopped_.why == Stopped::Why::Failed) stopped_.first_index = index;
      return false;
    }
  }
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const SoacGroup& group = soac.groups[g];
    end_folds(group, step);
    if (group.kind == Kind::Filter) {
      scalars_[step.targets[group.first_target].slot] = Scalar::of(kept[g]);
      for (std::uint32_t i = 0; i < group.width; ++i) {
        Leaf& leaf = arrays_[step.targets[group.first_target + 1 + i].slot];
        leaf.extents[0] = kept[g];
        if (kept[g] < extent / 2) leaf = copy(*context_.memory, leaf);
      }
    }
  }
  return true;
}

bool Machine::soac_element(const WalkSoac& soac, const Step& step, std::int64_t index,
                           std::vector<std::int64_t>& kept) {
  const Block& body = step.blocks[0];
  scalars_[body.parameters[0].slot] = Scalar::of(index);
  for (std::uint32_t i = 0; i < soac.input_count; ++i)
    pass_element(arrays_[step.uses[i].slot], index, body.parameters[i + 1]);
  if (!run_block(body)) return false;
  return element_of_groups(soac.groups, body, step, index, kept);
}

/// Runs a scan's post on what its operator's left parameters hold, and on what is passed by.
bool Machine::run_post(const SoacGroup& group, const Block& body, const Step& step,
                       std::int64_t index, std::vector<std::int64_t>& kept) {
  const Block& post = step.blocks[group.post];
  scalars_[post.parameters[0].slot] = Scalar::of(index);
  for (std::uint32_t i = 0; i < group.width; ++i)
    pass({step.blocks[group.combine].parameters[i].slot, false, false}, post.parameters[1 + i]);
  for (std::uint32_t i = 0; i < group.passed; ++i)
    pass(body.results[group.first_result + group.width + i], post.parameters[1 + group.width + i]);
  return run_block(post) && element_of_groups(group.post_groups, post, step, index, kept);
}

bool Machine::element_of_groups(const std::vector<SoacGroup>& groups, const Block& body,
                                const Step& step, std::int64_t index,
                                std::vector<std::int64_t>& kept) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SoacGroup& group = groups[g];
    const Use* values = body.results.data() + group.first_result + group.index_count;
    auto target = [&](std::uint32_t i) -> Leaf& {
      return arrays_[step.targets[group.first_target + i].slot];
    };
    Extents indices(group.index_count);
    for (std::uint32_t i = 0; i < group.index_count; ++i)
      indices[i] = integer(body.results[group.first_result + i].slot);
    switch (group.kind) {
    case Kind::Map:
      if (Leaf& only = target(0); !only.buffer) {
        if (!become_only_element(only, values[0], integers(group.results[0].extents))) return false;
        break;
      }
      if (!store_element(target(0), {&index, 1}, values[0])) return false;
      break;
    case Kind::Reduce:
      if (!combine(group, step, body.results, group.first_result)) return false;
      break;
    case Kind::Scan:
      if (!combine(group, step, body.results, group.first_result)) return false;
      if (!group.post_groups.empty()) {
        if (!run_post(group, body, step, index, kept)) return false;
        break;
      }
      for (std::uint32_t i = 0; i < group.width; ++i) {
        Target left = step.blocks[group.combine].parameters[i];
        if (!store_element(target(i), {&index, 1}, {left.slot, left.is_array, false})) return false;
      }
      break;
    case Kind::Scatter:
      if (is_inside(target(0), indices) && !store_element(target(0), indices, values[0]))
        return false;
      break;
    case Kind::Histogram: {
      if (!is_inside(target(0), indices)) break;
      const Block& block = step.blocks[group.combine];
      for (std::uint32_t i = 0; i < group.width; ++i) {
        Target left = block.parameters[i];
        if (left.is_array)
          arrays_[left.slot] = copy(*context_.memory, index_leaf(target(i), indices));
        else
          scalars_[left.slot] = load_scalar(target(i).element, target(i).buffer->contents(),
                                            element_position(target(i), indices));
      }
      if (!combine(group, step, body.results, group.first_result + group.index_count)) return false;
      for (std::uint32_t i = 0; i < group.width; ++i) {
        Target left = block.parameters[i];
        if (!store_element(target(i), indices, {left.slot, left.is_array, false})) return false;
      }
      break;
    }
    case Kind::Filter:
      if (!indices[0]) break;
      for (std::uint32_t i = 0; i < group.width; ++i)
        if (!store_element(target(1 + i), {&kept[g], 1}, values[i])) return false;
      ++kept[g];
      break;
    }
  }
  return true;
}

} // namespace sinter::jit
