// Elements that go to other places than their index: scatters, histograms and filters.
#include "jit/cpu/emit_body.h"
#include "jit/cpu/kernel_shape.h"
#include "jit/ir/operator_order.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

namespace sinter::jit {

using llvm::Value;

/// Whether the indices are within the extents of the place.
LaneValue BodyEmitter::within(const GroupState& state, std::span<const LaneValue> indices,
                              std::size_t place) {
  LaneValue result = b.uniform(b.ir.getTrue(), ElementType::Bool);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const LaneValue extent = scalar(state.types[place].extents[d]);
    const bool is_uniform = indices[d].shape == Shape::Uniform && extent.shape == Shape::Uniform;
    const auto operand = [&](const LaneValue& value) {
      return is_uniform ? value.value : b.vector(value);
    };
    Value* const inside = b.ir.CreateICmpULT(operand(indices[d]), operand(extent));
    const bool was_uniform = result.shape == Shape::Uniform;
    if (is_uniform && was_uniform)
      result.value = b.ir.CreateAnd(result.value, inside);
    else
      result = b.varying(b.ir.CreateAnd(b.vector(result), is_uniform ? b.splat(inside) : inside),
                         ElementType::Bool);
  }
  return result;
}

/// Runs `body` where the condition holds: jumped over in scalar code, masked in lane code.
void BodyEmitter::under(const LaneValue& condition, const std::function<void()>& body) {
  if (condition.shape == Shape::Uniform) {
    b.if_then(condition.value, body);
    return;
  }
  Value* const mask = b.mask;
  b.mask = b.and_mask(condition.value);
  body();
  b.mask = mask;
}

void BodyEmitter::for_each_lane(std::span<const LaneValue> values,
                                const std::function<void(std::span<const LaneValue>)>& body) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = b.mask;
  std::vector<Value*> vectors;
  for (const LaneValue& value : values)
    vectors.push_back(value.shape == Shape::Varying ? value.value : b.vector(value));
  const unsigned lanes = b.lanes();
  b.leave_lanes();
  const auto outer = outer_index_;
  if (b.kernel.is_compact) loop_over_lanes(vectors, values, mask, lanes, body);
  for (unsigned lane = 0; lane < lanes && !b.kernel.is_compact; ++lane) {
    const auto run = [&] {
      std::vector<LaneValue> scalars_only;
      for (std::size_t i = 0; i < values.size(); ++i)
        scalars_only.push_back(
            b.uniform(b.ir.CreateExtractElement(vectors[i], lane), values[i].element));
      body(scalars_only);
    };
    if (mask)
      b.if_then(b.ir.CreateExtractElement(mask, lane), run);
    else
      run();
  }
  b.enter_lanes(mask);
  outer_index_ = outer;
  across_lanes_ = across;
}

void BodyEmitter::loop_over_lanes(std::span<Value* const> vectors,
                                  std::span<const LaneValue> values, Value* mask, unsigned lanes,
                                  const std::function<void(std::span<const LaneValue>)>& body) {
  // By way of memory: a lane with a number that varies is in no register.
  const auto saved = [&](Value* vector, ElementType element) {
    if (element == ElementType::Bool)
      vector = b.ir.CreateZExt(vector, llvm::FixedVectorType::get(b.memory_type(element), lanes));
    Value* const place = b.stack(vector->getType(), 1);
    b.ir.CreateStore(vector, place);
    return place;
  };
  const auto lane_of = [&](Value* place, Value* lane, ElementType element) -> Value* {
    llvm::Type* const type = b.memory_type(element);
    Value* const loaded = b.ir.CreateLoad(type, b.ir.CreateGEP(type, place, lane));
    if (element != ElementType::Bool) return loaded;
    return b.ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(type));
  };
  std::vector<Value*> places;
  for (std::size_t i = 0; i < values.size(); ++i)
    places.push_back(saved(vectors[i], values[i].element));
  Value* const active = mask ? saved(mask, ElementType::Bool) : nullptr;
  b.loop(b.i64(0), b.i64(lanes), 1, [&](Value* lane) {
    const auto run = [&] {
      std::vector<LaneValue> scalars_only;
      for (std::size_t i = 0; i < values.size(); ++i)
        scalars_only.push_back(
            b.uniform(lane_of(places[i], lane, values[i].element), values[i].element));
      body(scalars_only);
    };
    if (active)
      b.if_then(lane_of(active, lane, ElementType::Bool), run);
    else
      run();
  });
}

void BodyEmitter::apply_histogram(const ir::HistogramGroup& group, const GroupState& state,
                                  std::span<const LaneValue> indices,
                                  std::span<const Emitted> values,
                                  std::span<const ir::Type> types) {
  const auto update = [&](std::span<const LaneValue> bin, std::span<const Emitted> elements) {
    under(within(state, bin, 0), [&] {
      std::vector<ArrayView> rows;
      std::vector<Emitted> left;
      for (std::size_t i = 0; i < elements.size(); ++i) {
        rows.push_back(b.subarray(state.places[i], bin));
        if (types[i].is_scalar())
          left.push_back(b.load(rows[i], rows[i].offset));
        else
          left.push_back(rows[i]);
      }
      if (is_elementwise(group.combine)) build_in(group.combine, rows);
      const std::vector<Emitted> result = combine(group.combine, left, elements);
      for (std::size_t i = 0; i < elements.size(); ++i)
        put(rows[i], {}, result[i], types[i]);
    });
  };
  if (!across_lanes_) return update(indices, values);
  std::vector<LaneValue> lanes_values(indices.begin(), indices.end());
  for (const Emitted& value : values)
    lanes_values.push_back(std::get<LaneValue>(value));
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    const auto elements = one.subspan(indices.size());
    update(one.first(indices.size()), std::vector<Emitted>(elements.begin(), elements.end()));
  });
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

ArrayView BodyEmitter::either(Value* condition, const ArrayView& yes, const ArrayView& no) {
  // What is the same on both sides stays what it is: strides known to be 1 above all.
  const auto select = [&](Value* a, Value* c) {
    return a == c ? a : b.ir.CreateSelect(condition, a, c);
  };
  ArrayView view = no;
  view.base = select(yes.base, no.base);
  view.offset.value = select(yes.offset.value, no.offset.value);
  for (std::size_t d = 0; d < view.strides.size(); ++d)
    view.strides[d] = select(yes.strides[d], no.strides[d]);
  view.is_row_major = yes.is_row_major && no.is_row_major;
  return view;
}

// ---- segments of histograms --------------------------------------------------------------------

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
  const auto is_cut_up = [](const GroupState& state) {
    const auto* histogram = std::get_if<ir::HistogramGroup>(state.group);
    return histogram && ir::order_shows(*histogram) ? histogram : nullptr;
  };
  // (Fusion joins only histograms that are cut in the same way.)
  Value* length = nullptr;
  for (const GroupState& state : states)
    if (const auto* histogram = is_cut_up(state); histogram && !length)
      length = segment_length(*histogram, extent);
  Value* const is_cut = b.ir.CreateICmpSLT(length, extent);
  const std::vector<GroupState> whole = states;
  std::vector<std::vector<ArrayView>> bins(states.size());
  for (std::size_t g = 0; g < states.size(); ++g)
    if (is_cut_up(states[g]))
      for (std::size_t i = 0; i < states[g].places.size(); ++i) {
        bins[g].push_back(allocate(states[g].types[i]));
        states[g].places[i] = either(is_cut, bins[g][i], whole[g].places[i]);
      }
  const bool folds = keeps_fold_order(soac);
  if (folds) begin_folding(states);
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.index(0));
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, extent); },
               [&] {
                 Value* const begin = b.get(next).value;
                 Value* const end = b.lesser_of(b.ir.CreateAdd(begin, length), extent);
                 for (std::size_t g = 0; g < states.size(); ++g)
                   if (const auto* histogram = is_cut_up(states[g]))
                     b.if_then(is_cut, [&] {
                       for (std::size_t i = 0; i < bins[g].size(); ++i)
                         fill_bins(*histogram, i, bins[g][i], states[g].types[i]);
                     });
                 if (folds)
                   fold_range(soac, states, begin, b.uniform(end), {});
                 else
                   soac_range(soac, states, begin, b.uniform(end));
                 for (std::size_t g = 0; g < states.size(); ++g)
                   if (const auto* histogram = is_cut_up(states[g]))
                     merge_bins(*histogram, b.ir.CreateSelect(is_cut, b.i64(1), b.i64(0)),
                                [&](std::size_t i, Value*) { return bins[g][i]; });
                 b.set(next, b.uniform(end));
               });
  for (std::size_t g = 0; g < states.size(); ++g)
    states[g].places = whole[g].places;
}

void BodyEmitter::fill_bins(const ir::HistogramGroup& group, std::size_t destination,
                            const ArrayView& bins, const ir::Type& type) {
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

void BodyEmitter::apply_filter(GroupState& state, const LaneValue& keep,
                               std::span<const Emitted> values, std::span<const ir::Type> types) {
  const auto at = [&](const LaneValue& count) {
    return state.staging_offset ? b.add(count, b.uniform(state.staging_offset)) : count;
  };
  if (!across_lanes_) {
    const LaneValue count = b.get(*state.count);
    const LaneValue position = at(count);
    under(keep, [&] {
      for (std::size_t i = 0; i < values.size(); ++i)
        put(state.places[i], {&position, 1}, values[i], types[i]);
      b.set_active(*state.count, b.add(count, b.index(1)));
    });
    return;
  }
  // Lane code makes arrays of lanes' parts only for bodies that hold no arrays (see the plan), so
  // values are scalars here, and they are written one after the other.
  Value* const kept = b.and_mask(b.vector(keep));
  std::vector<Value*> vectors;
  for (const Emitted& value : values)
    vectors.push_back(b.vector(std::get<LaneValue>(value)));
  const auto pack = [&](Value* mask, Value* numbers) {
    return b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {numbers->getType()},
                                {numbers, llvm::Constant::getNullValue(numbers->getType()), mask});
  };
  const LaneValue count = b.get(*state.count);
  const bool compresses = b.kernel.has_avx512 && b.lanes() >= 4 &&
                          std::all_of(types.begin(), types.end(), [](const ir::Type& type) {
                            return byte_size(type.element) >= 4;
                          });
  if (compresses) {
    // Registers are packed one after the other, so as many lanes at a time as the widest allows.
    unsigned part = b.lanes();
    for (const ir::Type& type : types)
      part = std::min(part, static_cast<unsigned>(64 / byte_size(type.element)));
    Value* const mask = b.mask;
    const unsigned lanes = b.lanes();
    LaneValue written = count;
    b.leave_lanes();
    for (unsigned first = 0; first < lanes; first += part) {
      std::vector<int> order;
      for (unsigned lane = first; lane < first + part; ++lane)
        order.push_back(static_cast<int>(lane));
      Value* const part_kept = b.ir.CreateShuffleVector(kept, order);
      auto* const bits = b.ir.CreateBitCast(part_kept, b.ir.getIntNTy(part));
      Value* const number = b.ir.CreateZExtOrTrunc(
          b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), b.ir.getInt64Ty());
      for (std::size_t i = 0; i < values.size(); ++i) {
        Value* const packed = pack(part_kept, b.ir.CreateShuffleVector(vectors[i], order));
        const ArrayView& place = state.places[i];
        const LaneValue position = at(written);
        Value* const pointer = b.ir.CreateGEP(b.type(types[i].element), place.base,
                                              b.element_offset(place, {&position, 1}).value);
        const llvm::Align alignment(byte_size(types[i].element));
        // Whole vectors may be written as long as they stay within what was read so far.
        if (mask)
          b.ir.CreateMaskedStore(packed, pointer, alignment, b.first_lanes(part, number));
        else
          b.ir.CreateAlignedStore(packed, pointer, alignment);
      }
      written = b.add(written, b.uniform(number));
    }
    b.enter_lanes(mask);
    b.set(*state.count, written);
    return;
  }
  std::vector<LaneValue> lanes_values = {b.varying(kept, ElementType::Bool)};
  for (const Emitted& value : values)
    lanes_values.push_back(std::get<LaneValue>(value));
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    b.if_then(one[0].value, [&] {
      const LaneValue now = b.get(*state.count);
      const LaneValue position = at(now);
      for (std::size_t i = 0; i + 1 < one.size(); ++i)
        put(state.places[i], {&position, 1}, one[i + 1], types[i]);
      b.set(*state.count, b.add(now, b.index(1)));
    });
  });
}

} // namespace sinter::jit
