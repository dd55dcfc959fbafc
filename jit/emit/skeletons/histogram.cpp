// Histograms: an element's values are combined with those of the bin that its indices say, if there
// is one: lane by lane, as several may have the same bin.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/operator_order.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::jit {

using llvm::Value;

HistogramState BodyEmitter::begin_group(const ir::HistogramGroup& group, const ir::Soac&,
                                        std::span<const ir::ValueId>) {
  HistogramState state{&group, {}};
  for (const ir::Operand& destination : group.destinations)
    state.places.push_back(array(destination.value()));
  return state;
}

void BodyEmitter::apply(HistogramState& state, const GroupElement& element) {
  if (state.lists) return deal(state, element);
  const std::size_t index_count = state.group->index_count;
  const auto types = std::span(element.types).subspan(index_count);
  if (!across_lanes_)
    return update_bins(state, element.scalars(index_count),
                       std::span(element.values).subspan(index_count), types);
  const auto one_by_one = [&] {
    for_each_lane(element.scalars(element.values.size()), [&](std::span<const LaneValue> one) {
      const auto elements = one.subspan(index_count);
      update_bins(state, one.first(index_count),
                  std::vector<Emitted>(elements.begin(), elements.end()), types);
    });
  };
  if (!may_keep_bin(state)) return one_by_one();
  // (Elements are all there where no mask says otherwise: then none is asked for one by one.)
  b.if_then_else(
      repeat_bins(state, element.scalars(1)[0]),
      [&] {
        Value* const mask = std::exchange(b.mask, nullptr);
        update_repeated_bins(state, element);
        b.mask = mask;
      },
      one_by_one);
}

void BodyEmitter::update_bins(const HistogramState& state, std::span<const LaneValue> bin,
                              std::span<const Emitted> elements, std::span<const ir::Type> types) {
  under(within(source_.type(state.group->destinations[0]), bin),
        [&] { combine_into_bins(state, bin, elements, types); });
}

/// Of a bin that there is.
void BodyEmitter::combine_into_bins(const HistogramState& state, std::span<const LaneValue> bin,
                                    std::span<const Emitted> elements,
                                    std::span<const ir::Type> types) {
  const ir::Body& op = state.group->combine;
  std::vector<ArrayView> rows;
  std::vector<Emitted> left;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    rows.push_back(b.subarray(state.places[i], bin));
    if (types[i].is_scalar())
      left.push_back(b.load(rows[i], rows[i].offset));
    else
      left.push_back(rows[i]);
  }
  if (is_elementwise(op)) build_in(op, rows);
  // Rows are combined element by element: more lanes than a register has would have no rows left.
  const unsigned lanes = b.kernel.width;
  if (!b.in_lanes()) b.kernel.width = std::min(lanes, b.kernel.row_width);
  const std::vector<Emitted> result = combine(op, left, elements);
  for (std::size_t i = 0; i < elements.size(); ++i)
    put(rows[i], {}, result[i], types[i]);
  b.kernel.width = lanes;
}

std::vector<Emitted> BodyEmitter::results_of(const HistogramState& state) {
  return {state.places.begin(), state.places.end()};
}

void BodyEmitter::merge_bins(const ir::HistogramGroup& group, Value* chunks,
                             const std::function<ArrayView(std::size_t, Value*)>& bins_of_chunk) {
  const ir::Type& shape = source_.type(group.destinations[0].value());
  std::vector<LaneValue> bins;
  for (std::uint32_t d = 0; d < group.index_count; ++d)
    bins.push_back(scalar(shape.extents[d]));
  b.loop(b.i64(0), chunks, 1, [&](Value* chunk) {
    std::vector<ArrayView> privates;
    for (std::size_t i = 0; i < group.destinations.size(); ++i)
      privates.push_back(bins_of_chunk(i, chunk));
    const auto row = [&](const ArrayView& view, std::span<const LaneValue> bin) -> Emitted {
      if (view.strides.size() == bin.size()) return b.load(view, b.element_offset(view, bin));
      return b.subarray(view, bin);
    };
    for_each_index(
        bins,
        [&](std::span<const LaneValue> bin) {
          with_scratch([&] {
            std::vector<Emitted> left, right;
            for (std::size_t i = 0; i < group.destinations.size(); ++i) {
              left.push_back(row(array(group.destinations[i].value()), bin));
              right.push_back(row(privates[i], bin));
            }
            const std::vector<Emitted> merged = combine(group.combine, left, right);
            for (std::size_t i = 0; i < merged.size(); ++i)
              put(array(group.destinations[i].value()), bin, merged[i],
                  source_.type(group.neutral[i]));
          });
        },
        false);
  });
}

// ---- segments ----------------------------------------------------------------------------------

/// As `primitives::segments` says.
Value* BodyEmitter::segment_length(const ir::HistogramGroup& group, Value* extent) {
  const ir::Type& type = source_.type(group.destinations[0].value());
  Value* bins = b.i64(1);
  for (std::uint32_t d = 0; d < group.index_count; ++d)
    bins = b.ir.CreateMul(bins, scalar(type.extents[d]).value);
  const auto divided_up = [&](Value* number, Value* by) {
    return b.ir.CreateUDiv(b.ir.CreateAdd(number, b.ir.CreateSub(by, b.i64(1))), by);
  };
  Value* const least = b.greater_of(b.i64(primitives::block_length),
                                    b.ir.CreateMul(bins, b.i64(primitives::bin_elements)));
  Value* const wanted =
      b.lesser_of(b.i64(primitives::most_segments), b.ir.CreateUDiv(extent, least));
  Value* const is_cut = b.ir.CreateAnd(
      b.ir.CreateICmpSGE(wanted, b.i64(2)),
      b.ir.CreateICmpSLE(bins, b.ir.CreateUDiv(extent, b.i64(2 * primitives::bin_elements))));
  Value* const blocks = divided_up(divided_up(extent, b.greater_of(wanted, b.i64(1))),
                                   b.i64(primitives::block_length));
  return b.ir.CreateSelect(is_cut, b.ir.CreateMul(blocks, b.i64(primitives::block_length)), extent);
}

void BodyEmitter::segmented_range(const ir::Soac& soac, std::vector<GroupState>& states,
                                  Value* extent) {
  assert(!b.in_lanes()); // see can_run_in_lanes
  struct CutUp {
    HistogramState* state;
    std::vector<ArrayView> whole, bins;
  };
  std::vector<CutUp> cut_up;
  for (GroupState& state : states)
    if (auto* histogram = std::get_if<HistogramState>(&state);
        histogram && ir::order_shows(*histogram->group))
      cut_up.push_back({histogram, histogram->places, {}});
  // (Fusion joins only histograms that are cut in the same way.)
  Value* const length = segment_length(*cut_up[0].state->group, extent);
  Value* const is_cut = b.ir.CreateICmpSLT(length, extent);
  for (CutUp& one : cut_up)
    for (std::size_t i = 0; i < one.whole.size(); ++i) {
      one.bins.push_back(allocate(source_.type(one.state->group->destinations[i])));
      one.state->places[i] = either(is_cut, one.bins[i], one.whole[i]);
    }
  const bool folds = keeps_fold_order(soac);
  if (folds) begin_folding(states);
  const auto segment = [&](Value* begin, Value* end) {
    for (const CutUp& one : cut_up)
      b.if_then(is_cut, [&] {
        for (std::size_t i = 0; i < one.bins.size(); ++i)
          fill_bins(*one.state->group, i, one.bins[i]);
      });
    if (folds)
      fold_range(soac, states, begin, b.uniform(end), {});
    else
      soac_range(soac, states, begin, b.uniform(end));
    for (const CutUp& one : cut_up)
      merge_bins(*one.state->group, b.ir.CreateSelect(is_cut, b.i64(1), b.i64(0)),
                 [&](std::size_t i, Value*) { return one.bins[i]; });
  };
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.index(0));
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, extent); },
               [&] {
                 Value* const begin = b.get(next).value;
                 Value* const end = b.lesser_of(b.ir.CreateAdd(begin, length), extent);
                 segment(begin, end);
                 b.set(next, b.uniform(end));
               });
  for (CutUp& one : cut_up)
    one.state->places = std::move(one.whole);
}

void BodyEmitter::fill_bins(const ir::HistogramGroup& group, std::size_t destination,
                            const ArrayView& bins) {
  const ir::Type& type = source_.type(group.destinations[destination].value());
  std::vector<LaneValue> extents_of_bins;
  for (std::uint32_t d = 0; d < group.index_count; ++d)
    extents_of_bins.push_back(scalar(type.extents[d]));
  const ir::Operand& neutral = group.neutral[destination];
  for_each_index(
      extents_of_bins,
      [&](std::span<const LaneValue> bin) {
        put(bins, bin, emitted(neutral), source_.type(neutral));
      },
      source_.type(neutral).is_scalar());
}

// ---- in a kernel -------------------------------------------------------------------------------

/// A chunk of several has bins of its own.
HistogramState KernelEmitter::begin_group(const Range& range, const ir::HistogramGroup& group,
                                          const GroupPosition& at) {
  BodyEmitter& body = range.entry.body;
  HistogramState state{&group, {}};
  for (std::size_t i = 0; i < group.destinations.size(); ++i) {
    const ir::ValueId destination = group.destinations[i].value();
    state.places.push_back(body.either(
        is_only_chunk(range.entry), body.array(destination),
        partial(range.entry, at.partial + i, range.chunk, function_.type(destination))));
  }
  return state;
}

void KernelEmitter::leave(const Range&, const HistogramState&, const GroupPosition&) {}

void KernelEmitter::combine(const Chunks& chunks, const ir::HistogramGroup& group,
                            const GroupPosition& at) {
  // A single chunk has updated the destination itself; its own bins hold nothing.
  LaneBuilder& b = chunks.entry.body.b;
  Value* const with_bins = b.ir.CreateSelect(is_only_chunk(chunks.entry), b.i64(0), chunks.count);
  chunks.entry.body.merge_bins(group, with_bins, [&](std::size_t i, Value* chunk) {
    return partial(chunks.entry, at.partial + i, chunk, function_.type(group.destinations[i]));
  });
}

} // namespace sinter::jit
