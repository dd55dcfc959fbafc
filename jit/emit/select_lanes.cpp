// Lanes' values of which one is selected by value and, among equals, by index (ascending.h), where
// all values are numbers: the least or greatest value first, which is an instruction for each
// halving of the lanes, then the first or last of the lanes that have it.  By the operator itself
// each halving would be two comparisons, their conditions' logic and two selections, all waiting
// for each other.
#include "jit/emit/body.h"
#include "jit/ir/walk.h"

#include <vector>

namespace sinter::jit {

using llvm::Value;
using primitives::Operation;

namespace {

bool selects_least(const AscendingSelection& selection) {
  return selection.stays == Operation::Less || selection.stays == Operation::LessEqual;
}
bool selects_first(const AscendingSelection& selection) {
  return selection.stays == Operation::LessEqual || selection.stays == Operation::GreaterEqual;
}

} // namespace

/// A vector's elements as a scalar: the lower half with the upper half, and so on.
Value*
BodyEmitter::folded_by_halves(Value* vector,
                              const std::function<Value*(Value* low, Value* high)>& combine) {
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  for (; lanes > 1; lanes /= 2) {
    std::vector<int> low, high;
    for (unsigned lane = 0; lane < lanes / 2; ++lane) {
      low.push_back(static_cast<int>(lane));
      high.push_back(static_cast<int>(lane + lanes / 2));
    }
    vector = combine(b.ir.CreateShuffleVector(vector, low), b.ir.CreateShuffleVector(vector, high));
  }
  return b.ir.CreateExtractElement(vector, b.i64(0));
}

/// From lane code without a mask: the selected one's value and index, as scalars, if all values are
/// numbers (else they are anything).  Lanes that are not in `among` (null: all are) have the last
/// of all values; lanes with the same index have the same value.
std::vector<LaneValue> BodyEmitter::selected_of_lanes(const AscendingSelection& selection,
                                                      const std::vector<LaneValue>& values,
                                                      Value* among) {
  const bool is_least = selects_least(selection), is_first = selects_first(selection);
  const LaneValue &value = values[selection.value], &index = values[selection.index];
  Value* const numbers = b.vector(value);
  Value* const best = folded_by_halves(numbers, [&](Value* low, Value* high) {
    Value* const stays = is_least ? b.ir.CreateFCmpOLT(low, high) : b.ir.CreateFCmpOGT(low, high);
    return b.ir.CreateSelect(stays, low, high);
  });
  Value* is_best = b.ir.CreateFCmpOEQ(numbers, b.splat(best));
  if (among) is_best = b.ir.CreateAnd(among, is_best);
  Value* const selected = index.shape == Shape::Linear
                              ? selected_lane(is_first, is_best, index.value)
                              : selected_index(is_first, is_best, index);
  // (Which zero it is, its own lane knows.)
  const Variable exact = b.variable(value.element, Shape::Uniform);
  b.set(exact, b.uniform(best, value.element));
  b.if_then(b.ir.CreateFCmpOEQ(best, llvm::ConstantFP::get(best->getType(), 0.0)), [&] {
    Value* const is_selected = b.ir.CreateICmpEQ(b.vector(index), b.splat(selected));
    Value* const lane = b.first_lane(b.ir.CreateAnd(is_best, is_selected));
    b.set(exact, b.uniform(b.ir.CreateExtractElement(numbers, lane), value.element));
  });
  std::vector<LaneValue> result(2);
  result[selection.value] = b.get(exact);
  result[selection.index] = b.uniform(selected, index.element);
  return result;
}

/// The first or last of the lanes (a mask), whose indices follow each other.
Value* BodyEmitter::selected_lane(bool is_first, Value* is_best, Value* first_index) {
  auto* const bits = b.ir.CreateBitCast(is_best, b.ir.getIntNTy(b.lanes()));
  Value* lane = b.ir.CreateBinaryIntrinsic(is_first ? llvm::Intrinsic::cttz : llvm::Intrinsic::ctlz,
                                           bits, b.ir.getFalse());
  lane = b.ir.CreateZExtOrTrunc(lane, first_index->getType());
  if (!is_first)
    lane = b.ir.CreateSub(llvm::ConstantInt::get(lane->getType(), b.lanes() - 1), lane);
  return b.ir.CreateAdd(first_index, lane);
}

/// The same of any indices.
Value* BodyEmitter::selected_index(bool is_first, Value* is_best, const LaneValue& index) {
  auto* const type = llvm::cast<llvm::IntegerType>(b.type(index.element));
  const unsigned bits = type->getBitWidth();
  const llvm::APInt last =
      is_first ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getSignedMinValue(bits);
  Value* const candidates =
      b.ir.CreateSelect(is_best, b.vector(index), b.splat(llvm::ConstantInt::get(type, last)));
  return folded_by_halves(candidates, [&](Value* low, Value* high) {
    return is_first ? b.lesser_of(low, high) : b.greater_of(low, high);
  });
}

// ---- an element for each lane ------------------------------------------------------------------

/// Whether lanes have an element each at most, of one such selection.
bool BodyEmitter::is_one_vector(const ir::Soac& soac, Value* begin, Value* end) const {
  const auto* const first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  const auto* const last = llvm::dyn_cast<llvm::ConstantInt>(end);
  if (!first || !last || soac.groups.size() != 1) return false;
  const std::int64_t count = last->getSExtValue() - first->getSExtValue();
  return count > 0 && count <= std::int64_t{b.kernel.width} &&
         ascending_.find(std::get<ir::ReduceGroup>(soac.groups[0]).combine);
}

/// The block's result; whether (i1) a value was in no order.
Value* BodyEmitter::select_in_one_vector(const ir::Soac& soac, std::vector<GroupState>& states,
                                         Value* begin, Value* end) {
  ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  auto& reduce = std::get<ReduceState>(states[0]);
  const Folding folding = *folding_of(states[0]);
  const AscendingSelection& selection = *ascending_.find(*folding.combine);
  const Fold all = begin_fold(folding);
  Value* const count = b.ir.CreateSub(end, begin);
  const std::int64_t known = llvm::cast<llvm::ConstantInt>(count)->getSExtValue();

  const unsigned lanes = b.kernel.width;
  Value* const among = known < std::int64_t{lanes} ? b.first_lanes(lanes, count) : nullptr;
  b.enter_lanes(among);
  reduce.fold = begin_fold(folding);
  std::vector<LaneValue> taken;
  reduce.only = &taken;
  across_lanes_ = true;
  element(soac, states, b.linear(begin));
  across_lanes_ = false;
  b.mask = nullptr;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i].shape != Shape::Linear || !llvm::isa<llvm::Constant>(taken[i].value))
      taken[i] = b.get(std::get<Variable>(reduce.fold.accumulators[i]));
  LaneValue& value = taken[selection.value];
  Value* numbers = b.vector(value);
  if (among) {
    auto* const last =
        llvm::ConstantFP::getInfinity(b.type(value.element), !selects_least(selection));
    numbers = b.ir.CreateSelect(among, numbers, b.splat(last));
  }
  value = b.varying(numbers, value.element);
  Value* const is_unordered = has_nan(numbers);
  const std::vector<LaneValue> selected = selected_of_lanes(selection, taken, among);
  b.leave_lanes();

  fold_into(folding, all.accumulators, std::vector<Emitted>(selected.begin(), selected.end()));
  assign_all(folding, folding.block, values_of(all.accumulators));
  return is_unordered;
}

/// Whether (i1) one of the lanes' numbers is none: a comparison asks two of them.
Value* BodyEmitter::has_nan(Value* numbers) {
  const unsigned half = b.lanes() / 2;
  std::vector<int> low, high;
  for (unsigned lane = 0; lane < half; ++lane) {
    low.push_back(static_cast<int>(lane));
    high.push_back(static_cast<int>(lane + half));
  }
  Value* const is_nan = b.ir.CreateFCmpUNO(b.ir.CreateShuffleVector(numbers, low),
                                           b.ir.CreateShuffleVector(numbers, high));
  auto* const bits = b.ir.CreateBitCast(is_nan, b.ir.getIntNTy(half));
  return b.ir.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

/// The lanes' elements, of which nothing is combined yet.
void BodyEmitter::take_only(const ReduceState& state, std::span<const Emitted> values) {
  state.only->clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    state.only->push_back(std::get<LaneValue>(values[i]));
    b.set_active(std::get<Variable>(state.fold.accumulators[i]), state.only->back());
  }
}

} // namespace sinter::jit
