// SOACs that no kernel does: element by element.  Reductions, scans and histograms keep the order
// of lang/primitives/fold_order.h, as kernels do.

#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/machine.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/strided.h"

#include <cassert>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

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

using Value = std::vector<Datum>;
using Combine = std::function<Value(Value, Value)>;

/// A histogram whose elements are cut into segments: each has bins of its own.
struct SegmentedBins {
  std::int64_t length = 0; ///< of a segment, in elements
  std::vector<Leaf> whole; ///< the result's bins, with what earlier segments have come to
};

/// What bins hold at a place: numbers, and copies of arrays.
Value values_of_bin(MemoryBudget& memory, std::span<const Leaf* const> bins,
                    std::span<const std::int64_t> place) {
  Value values;
  for (const Leaf* each : bins)
    if (each->extents.size() > place.size())
      values.emplace_back(copy(memory, index_leaf(*each, place)));
    else
      values.emplace_back(
          load_scalar(each->element, each->buffer->contents(), element_position(*each, place)));
  return values;
}

/// Calls `visit` with each index of a space.
template <typename Visit>
bool for_each_index(const Extents& extents, Visit visit) {
  Extents index(extents.size(), 0);
  for (std::int64_t left = element_count(extents); left > 0; --left) {
    if (!visit(std::span<const std::int64_t>(index))) return false;
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
  return true;
}

} // namespace

/// What is known between elements, by group.
struct Machine::Walk {
  std::vector<std::int64_t> kept; ///< by place in the SOAC: elements that filters have kept
  std::unordered_map<const SoacGroup*, std::unique_ptr<primitives::RunningFold<Value, Combine>>>
      folds;
  std::unordered_map<const SoacGroup*, std::unique_ptr<primitives::RunningScan<Value, Combine>>>
      scans;
  std::unordered_map<const SoacGroup*, SegmentedBins> segments;
  /// Of partitions: the kinds of the elements so far, which are stored at their own index.
  std::unordered_map<const SoacGroup*, std::vector<std::size_t>> kinds;
  bool has_failed = false; ///< an operator
};

void Machine::pass_element(const Leaf& array, std::int64_t index, Target to) {
  if (to.is_array)
    arrays_[to.slot] = index_leaf(array, {&index, 1});
  else
    scalars_[to.slot] = load_scalar(array.element, array.buffer->contents(),
                                    array.offset + index * array.strides[0]);
}

Value Machine::data_of(const Use* uses, std::uint32_t count) const {
  Value data;
  for (std::uint32_t i = 0; i < count; ++i)
    if (uses[i].is_array)
      data.emplace_back(arrays_[uses[i].slot]);
    else
      data.emplace_back(scalars_[uses[i].slot]);
  return data;
}

void Machine::put(Value data, const Target* targets) {
  for (std::size_t i = 0; i < data.size(); ++i)
    if (targets[i].is_array)
      arrays_[targets[i].slot] = std::move(std::get<Leaf>(data[i]));
    else
      scalars_[targets[i].slot] = std::get<Scalar>(data[i]);
}

Value Machine::combined(const SoacGroup& group, const Step& step, Value left, Value right,
                        bool& has_failed) {
  if (has_failed) return left;
  const Block& block = step.blocks[group.combine];
  const Value unchanged = left;
  put(std::move(left), block.parameters.data());
  put(std::move(right), block.parameters.data() + group.width);
  if (!run_block(block)) {
    has_failed = true;
    return unchanged;
  }
  Value results;
  for (std::uint32_t i = 0; i < group.width; ++i)
    results.push_back(block.results[i].is_array ? Datum(take(block.results[i]))
                                                : Datum(scalars_[block.results[i].slot]));
  // What parameters hold would keep the next operator from overwriting it.
  for (std::uint32_t i = 0; i < 2 * group.width; ++i)
    if (block.parameters[i].is_array) arrays_[block.parameters[i].slot] = Leaf();
  return results;
}

/// What a fold goes on from, if there is anything.
std::optional<Value> Machine::before(const SoacGroup& group, const Step& step) const {
  if (!group.before_use || !scalars_[step.uses[*group.before_use].slot].as<bool>())
    return std::nullopt;
  return data_of(step.uses.data() + *group.before_use + 1, group.width);
}

/// Makes what the group writes into, and lets its operator begin.
void Machine::begin_group(const SoacGroup& group, const Step& step, std::int64_t extent,
                          Walk& walk) {
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
  const Use* const uses = step.uses.data() + group.first_use;
  const auto combine = [this, &group, &step, &walk](Value left, Value right) {
    return combined(group, step, std::move(left), std::move(right), walk.has_failed);
  };
  if (group.kind == Kind::Reduce)
    walk.folds[&group] = std::make_unique<primitives::RunningFold<Value, Combine>>(
        data_of(uses, group.width), combine, before(group, step));
  if (group.kind == Kind::Scan)
    walk.scans[&group] = std::make_unique<primitives::RunningScan<Value, Combine>>(
        data_of(uses, group.width), combine, before(group, step));
  if (group.kind == Kind::Scatter || group.kind == Kind::Histogram)
    for (std::uint32_t i = 0; i < group.width; ++i)
      arrays_[step.targets[group.first_target + i].slot] = own_here(writable(take(uses[i])));
  if (group.kind == Kind::Histogram) begin_segments(group, step, extent, walk);
  for (const SoacGroup& inner : group.post_groups)
    begin_group(inner, step, extent, walk);
}

/// Gives a histogram's segments bins of their own, if its elements are cut.
void Machine::begin_segments(const SoacGroup& group, const Step& step, std::int64_t extent,
                             Walk& walk) {
  const auto target = [&](std::uint32_t i) -> Leaf& {
    return arrays_[step.targets[group.first_target + i].slot];
  };
  const Extents& extents = target(0).extents;
  const std::int64_t bins = element_count(std::span(extents).first(group.index_count));
  const primitives::Segments cut = primitives::segments(extent, bins);
  if (cut.count == 1) return;
  SegmentedBins& segments = walk.segments[&group];
  segments.length = cut.length;
  for (std::uint32_t i = 0; i < group.width; ++i) {
    segments.whole.push_back(target(i));
    target(i) = allocate_leaf(*context_.memory, target(i).element, target(i).extents);
  }
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
void Machine::end_folds(const SoacGroup& group, const Step& step, Walk& walk) {
  if (group.kind == Kind::Reduce)
    put(std::move(*walk.folds[&group]).result(), step.targets.data() + group.first_target);
  if (const auto cut = walk.segments.find(&group); cut != walk.segments.end())
    for (std::uint32_t i = 0; i < group.width; ++i)
      arrays_[step.targets[group.first_target + i].slot] = std::move(cut->second.whole[i]);
  for (const SoacGroup& inner : group.post_groups)
    end_folds(inner, step, walk);
}

/// Counts the elements of each kind, and puts those of one kind together.
void Machine::end_partition(const SoacGroup& group, const Step& step, Walk& walk) {
  const std::vector<std::size_t>& kinds = walk.kinds[&group];
  Leaf& result = arrays_[step.targets[group.first_target].slot];
  std::vector<std::int64_t> counts(static_cast<std::size_t>(result.extents[0]));
  for (const std::size_t kind : kinds)
    ++counts[kind];
  std::memcpy(result.buffer->overwrite(), counts.data(), counts.size() * sizeof counts[0]);
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::int64_t{0});
  for (std::uint32_t i = 0; i < group.width; ++i) {
    Leaf& values = arrays_[step.targets[group.first_target + 1 + i].slot];
    Leaf ordered = allocate_leaf(*context_.memory, values.element, values.extents);
    const std::span<const std::int64_t> row(values.extents.begin() + 1, values.extents.end());
    const auto bytes = static_cast<std::size_t>(element_count(row)) * byte_size(values.element);
    const std::byte* const from = values.buffer->contents();
    std::byte* const to = ordered.buffer->overwrite();
    std::vector<std::int64_t> next = counts;
    for (std::size_t element = 0; element < kinds.size(); ++element)
      std::memcpy(to + static_cast<std::size_t>(next[kinds[element]]++) * bytes,
                  from + element * bytes, bytes);
    values = std::move(ordered);
  }
}

bool Machine::step(const WalkSoac& soac, const Step& step) {
  // Element by element, the host does it: what lies elsewhere is fetched once.
  if (!wait()) return false;
  std::int64_t extent = integer(soac.extent);
  Walk walk;
  walk.kept.resize(soac.groups.size());
  for (const SoacGroup& group : soac.groups)
    begin_group(group, step, extent, walk);
  const auto failed_at = [&](std::int64_t index) {
    if (stopped_.why == Stopped::Why::Failed) stopped_.first_index = index;
    return false;
  };
  for (std::int64_t index = 0; index < extent; ++index) {
    if (is_interrupted()) return false;
    if (!soac_element(soac, step, index, walk)) return failed_at(index);
  }
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const SoacGroup& group = soac.groups[g];
    if (walk.segments.contains(&group) && !end_segment(group, step, walk))
      return failed_at(extent - 1);
    end_folds(group, step, walk);
    if (walk.has_failed) return failed_at(extent - 1);
    if (group.kind == Kind::Partition) end_partition(group, step, walk);
    if (group.kind == Kind::Filter) {
      scalars_[step.targets[group.first_target].slot] = Scalar::of(walk.kept[g]);
      for (std::uint32_t i = 0; i < group.width; ++i) {
        Leaf& leaf = arrays_[step.targets[group.first_target + 1 + i].slot];
        leaf.extents[0] = walk.kept[g];
        if (walk.kept[g] < extent / 2) leaf = copy(*context_.memory, leaf);
      }
    }
  }
  return true;
}

bool Machine::soac_element(const WalkSoac& soac, const Step& step, std::int64_t index, Walk& walk) {
  const Block& body = step.blocks[0];
  scalars_[body.parameters[0].slot] = Scalar::of(index);
  for (std::uint32_t i = 0; i < soac.input_count; ++i)
    pass_element(arrays_[step.uses[i].slot], index, body.parameters[i + 1]);
  if (!run_block(body)) return false;
  return element_of_groups(soac.groups, body, step, index, walk);
}

/// Runs a scan's post on the prefixes, which the operator's left parameters hold, and on what is
/// passed by.
bool Machine::run_post(const SoacGroup& group, const Block& body, const Step& step,
                       std::int64_t index, Walk& walk) {
  const Block& post = step.blocks[group.post];
  scalars_[post.parameters[0].slot] = Scalar::of(index);
  for (std::uint32_t i = 0; i < group.width; ++i)
    pass({step.blocks[group.combine].parameters[i].slot, false, false}, post.parameters[1 + i]);
  for (std::uint32_t i = 0; i < group.passed; ++i)
    pass(body.results[group.first_result + group.width + i], post.parameters[1 + group.width + i]);
  return run_block(post) && element_of_groups(group.post_groups, post, step, index, walk);
}

bool Machine::scan_element(const SoacGroup& group, const Block& body, const Step& step,
                           std::int64_t index, Walk& walk) {
  // (The post reads what goes by it of the body's results: operators leave those alone.)
  Value prefix =
      walk.scans[&group]->push(data_of(body.results.data() + group.first_result, group.width));
  if (walk.has_failed) return false;
  const std::vector<Target>& left = step.blocks[group.combine].parameters;
  put(std::move(prefix), left.data());
  if (!group.post_groups.empty()) return run_post(group, body, step, index, walk);
  for (std::uint32_t i = 0; i < group.width; ++i)
    if (!store_element(arrays_[step.targets[group.first_target + i].slot], {&index, 1},
                       {left[i].slot, left[i].is_array, false}))
      return false;
  return true;
}

/// Combines what the bin has with values.
bool Machine::hit_bin(const SoacGroup& group, const Step& step, std::span<const std::int64_t> bin,
                      Value values) {
  const std::vector<Target>& left = step.blocks[group.combine].parameters;
  std::vector<const Leaf*> bins;
  for (std::uint32_t i = 0; i < group.width; ++i)
    bins.push_back(&arrays_[step.targets[group.first_target + i].slot]);
  Value before = values_of_bin(*context_.memory, bins, bin);
  bool has_failed = false;
  put(combined(group, step, std::move(before), std::move(values), has_failed), left.data());
  if (has_failed) return false;
  for (std::uint32_t i = 0; i < group.width; ++i)
    if (!store_element(arrays_[step.targets[group.first_target + i].slot], bin,
                       {left[i].slot, left[i].is_array, false}))
      return false;
  return true;
}

bool Machine::count_element(const SoacGroup& group, const Block& body, const Step& step,
                            std::int64_t index, Walk& walk) {
  const Leaf& bins = arrays_[step.targets[group.first_target].slot];
  if (const auto cut = walk.segments.find(&group); cut != walk.segments.end()) {
    const std::int64_t place = index % cut->second.length;
    if (place == 0 && index > 0 && !end_segment(group, step, walk)) return false;
    if (place == 0) {
      const Extents space(bins.extents.begin(), bins.extents.begin() + group.index_count);
      const bool is_filled = for_each_index(space, [&](std::span<const std::int64_t> bin) {
        for (std::uint32_t i = 0; i < group.width; ++i)
          if (!store_element(arrays_[step.targets[group.first_target + i].slot], bin,
                             step.uses[group.neutral_use + i]))
            return false;
        return true;
      });
      if (!is_filled) return false;
    }
  }
  Extents bin(group.index_count);
  for (std::uint32_t i = 0; i < group.index_count; ++i)
    bin[i] = integer(body.results[group.first_result + i].slot);
  if (!is_inside(bins, bin)) return true;
  return hit_bin(
      group, step, bin,
      data_of(body.results.data() + group.first_result + group.index_count, group.width));
}

/// Each bin of the result takes what the segment's bin has come to.
bool Machine::end_segment(const SoacGroup& group, const Step& step, Walk& walk) {
  SegmentedBins& segments = walk.segments[&group];
  const auto exchange = [&] {
    for (std::uint32_t i = 0; i < group.width; ++i)
      std::swap(segments.whole[i], arrays_[step.targets[group.first_target + i].slot]);
  };
  exchange();
  const Leaf& bins = segments.whole[0];
  const Extents space(bins.extents.begin(), bins.extents.begin() + group.index_count);
  std::vector<const Leaf*> own;
  for (const Leaf& each : segments.whole)
    own.push_back(&each);
  const bool is_done = for_each_index(space, [&](std::span<const std::int64_t> bin) {
    return hit_bin(group, step, bin, values_of_bin(*context_.memory, own, bin));
  });
  exchange();
  return is_done;
}

bool Machine::element_of_groups(const std::vector<SoacGroup>& groups, const Block& body,
                                const Step& step, std::int64_t index, Walk& walk) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SoacGroup& group = groups[g];
    const Use* values = body.results.data() + group.first_result + group.index_count;
    auto target = [&](std::uint32_t i) -> Leaf& {
      return arrays_[step.targets[group.first_target + i].slot];
    };
    switch (group.kind) {
    case Kind::Map:
      if (Leaf& only = target(0); !only.buffer) {
        if (!become_only_element(only, values[0], integers(group.results[0].extents))) return false;
        break;
      }
      if (!store_element(target(0), {&index, 1}, values[0])) return false;
      break;
    case Kind::Reduce:
      walk.folds[&group]->push(data_of(values, group.width));
      if (walk.has_failed) return false;
      break;
    case Kind::Scan:
      if (!scan_element(group, body, step, index, walk)) return false;
      break;
    case Kind::Scatter: {
      Extents place(group.index_count);
      for (std::uint32_t i = 0; i < group.index_count; ++i)
        place[i] = integer(body.results[group.first_result + i].slot);
      if (is_inside(target(0), place) && !store_element(target(0), place, values[0])) return false;
      break;
    }
    case Kind::Histogram:
      if (!count_element(group, body, step, index, walk)) return false;
      break;
    case Kind::Filter:
      if (!integer(body.results[group.first_result].slot)) break;
      for (std::uint32_t i = 0; i < group.width; ++i)
        if (!store_element(target(1 + i), {&walk.kept[g], 1}, values[i])) return false;
      ++walk.kept[g];
      break;
    case Kind::Partition:
      walk.kinds[&group].push_back(
          static_cast<std::size_t>(integer(body.results[group.first_result].slot)));
      for (std::uint32_t i = 0; i < group.width; ++i)
        if (!store_element(target(1 + i), {&index, 1}, values[i])) return false;
      break;
    }
  }
  return true;
}

} // namespace sinter::jit
