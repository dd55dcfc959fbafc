// Filters: an element's values are stored behind those that were kept before, if it is kept.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

#include <algorithm>

namespace sinter::jit {

using llvm::Value;

FilterState BodyEmitter::begin_group(const ir::FilterGroup& group, const ir::Soac& soac,
                                     std::span<const ir::ValueId> results) {
  FilterState state{.places = {}, .count = b.variable(ElementType::I64, Shape::Varying)};
  b.set(state.count, b.index(0));
  // As long as if everything were kept; the count is not known yet.
  for (std::uint32_t i = 0; i < group.value_count; ++i) {
    ir::Type type = source_.type(results[i + 1]);
    type.extents[0] = soac.extent;
    state.places.push_back(allocate(type));
  }
  return state;
}

LaneValue BodyEmitter::place_of_kept(const FilterState& state, const LaneValue& count) {
  return state.staging_offset ? b.add(count, b.uniform(state.staging_offset)) : count;
}

void BodyEmitter::apply(FilterState& state, const GroupElement& element) {
  if (across_lanes_) return apply_across_lanes(state, element);
  const LaneValue count = b.get(state.count);
  const LaneValue position = place_of_kept(state, count);
  under(std::get<LaneValue>(element.values[0]), [&] {
    for (std::size_t i = 0; i < state.places.size(); ++i)
      put(state.places[i], {&position, 1}, element.values[i + 1], element.types[i + 1]);
    b.set_active(state.count, b.add(count, b.index(1)));
  });
}

/// Lane code makes arrays of lanes' parts only for bodies that hold no arrays (see the plan), so
/// values are scalars here, and they are written one after the other.
void BodyEmitter::apply_across_lanes(FilterState& state, const GroupElement& element) {
  const bool compresses =
      b.kernel.facts().compresses_lanes && b.lanes() >= 4 &&
      std::all_of(element.types.begin() + 1, element.types.end(),
                  [](const ir::Type& type) { return byte_size(type.element) >= 4; });
  if (compresses) return compress(state, element);
  std::vector<LaneValue> lanes_values = element.scalars(element.values.size());
  lanes_values[0] = b.varying(b.and_mask(b.vector(lanes_values[0])), ElementType::Bool);
  const bool is_whole = !b.mask;
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    const LaneValue now = b.get(state.count);
    const auto store = [&] {
      const LaneValue position = place_of_kept(state, now);
      for (std::size_t i = 0; i < state.places.size(); ++i)
        put(state.places[i], {&position, 1}, one[i + 1], element.types[i + 1]);
    };
    // What is not kept may be stored as long as there is such a place: the next one overwrites it,
    // and no processor has to guess.
    if (is_whole)
      store();
    else
      b.if_then(one[0].value, store);
    b.set(state.count, b.add(now, b.uniform(b.ir.CreateZExt(one[0].value, b.ir.getInt64Ty()))));
  });
}

/// Registers are packed one after the other, so as many lanes at a time as the widest allows.
void BodyEmitter::compress(FilterState& state, const GroupElement& element) {
  Value* const kept = b.and_mask(b.vector(std::get<LaneValue>(element.values[0])));
  std::vector<Value*> vectors;
  unsigned part = b.lanes();
  for (std::size_t i = 1; i < element.values.size(); ++i) {
    vectors.push_back(b.vector(std::get<LaneValue>(element.values[i])));
    part = std::min(part, static_cast<unsigned>(b.kernel.facts().vector_bytes /
                                                byte_size(element.types[i].element)));
  }
  const LaneValue count = b.get(state.count);
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
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      Value* const numbers = b.ir.CreateShuffleVector(vectors[i], order);
      Value* const packed = b.kernel.hooks.compress(b, numbers, part_kept);
      const ArrayView& place = state.places[i];
      const LaneValue position = place_of_kept(state, written);
      Value* const pointer = b.ir.CreateGEP(b.type(place.element), place.base,
                                            b.element_offset(place, {&position, 1}).value);
      const llvm::Align alignment(byte_size(place.element));
      // Whole vectors may be written as long as they stay within what was read so far.
      if (mask)
        b.ir.CreateMaskedStore(packed, pointer, alignment, b.first_lanes(part, number));
      else
        b.ir.CreateAlignedStore(packed, pointer, alignment);
    }
    written = b.add(written, b.uniform(number));
  }
  b.enter_lanes(mask);
  b.set(state.count, written);
}

std::vector<Emitted> BodyEmitter::results_of(const FilterState& state) {
  std::vector<Emitted> results = {b.get(state.count)};
  results.insert(results.end(), state.places.begin(), state.places.end());
  return results;
}

// ---- in a kernel -------------------------------------------------------------------------------

FilterState KernelEmitter::begin_group(const Range& range, const ir::FilterGroup& group,
                                       const GroupPosition& at) {
  LaneBuilder& b = range.entry.body.b;
  FilterState state{.places = {},
                    .count = b.variable(ElementType::I64, Shape::Uniform),
                    .staging_offset = range.begin};
  b.set(state.count, b.index(0));
  for (std::uint32_t i = 0; i < group.value_count; ++i)
    state.places.push_back(result_array(range.entry, at.result + 1 + i));
  return state;
}

void KernelEmitter::leave(const Range& range, const FilterState& state, const GroupPosition& at) {
  store_partial(range.entry, at.partial, range.chunk, range.entry.body.b.get(state.count),
                {ElementType::I64, {}});
}

/// The launcher adds up the counts and moves what was kept together.
void KernelEmitter::combine(const Chunks&, const ir::FilterGroup&, const GroupPosition&) {}

} // namespace sinter::jit
