// Elements that go to other places than their index, or to none: conditions and lanes, one by one.
#include "jit/emit/body.h"

namespace sinter::jit {

using llvm::Value;

/// Whether the indices are within the extents of the type.
LaneValue BodyEmitter::within(const ir::Type& type, std::span<const LaneValue> indices) {
  LaneValue result = b.uniform(b.ir.getTrue(), ElementType::Bool);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const LaneValue extent = scalar(type.extents[d]);
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

} // namespace sinter::jit
