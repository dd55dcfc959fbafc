// Reductions that select one of their elements by an order of them (ir/operator_order.h): the least
// of pairs of a distance and an index, say.
//
// Among numbers that have an order it does not show in which one they are folded: lanes then take
// what comes, block by block of the defined order, and note whether they saw a value that is less
// than, equal to or greater than nothing, or a zero that has another sign than the one it is equal
// to.  If so, the block is folded once more, by rows.  How lanes that are folded so come to one
// value: select_lanes.cpp.
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using llvm::Value;

/// A block's results, of operators that select by an order: in any order of folding, unless one of
/// the values is in none.
void BodyEmitter::select_block(const ir::Soac& soac, std::vector<GroupState>& states,
                               const FoldEvents& events, Value* block, Value* end,
                               const std::function<void()>& by_rows) {
  const Variable is_done = b.variable(ElementType::Bool, Shape::Uniform);
  b.set(is_done, b.uniform(b.ir.getFalse(), ElementType::Bool));
  b.if_then(events.needs_rows ? b.ir.CreateNot(events.needs_rows) : b.ir.getTrue(), [&] {
    check_epoch();
    Value* const is_unordered = select_in_any_order(soac, states, block, end);
    b.set(is_done, b.uniform(b.ir.CreateNot(is_unordered), ElementType::Bool));
  });
  b.if_then(b.ir.CreateNot(b.get(is_done).value), by_rows);
}

/// Whether (i1) a value was in no order.
Value* BodyEmitter::select_in_any_order(const ir::Soac& soac, const std::vector<GroupState>& states,
                                        Value* block, Value* end) {
  std::vector<GroupState> any_order = states;
  if (is_one_vector(soac, block, end)) return select_in_one_vector(soac, any_order, block, end);
  Value* result = b.ir.getFalse();
  b.enter_lanes(nullptr);
  const Variable flag = b.variable(ElementType::Bool, Shape::Varying);
  b.set(flag, b.uniform(b.ir.getFalse(), ElementType::Bool));
  b.leave_lanes();
  for (GroupState& state : any_order) {
    auto& reduce = std::get<ReduceState>(state);
    reduce.fold = begin_fold(reduce.fold);
    for (const Emitted& neutral : values_of(reduce.fold.accumulators)) {
      const LaneValue& value = std::get<LaneValue>(neutral);
      if (is_float(value.element)) result = b.ir.CreateOr(result, is_unordered(value.value));
    }
    reduce.is_unordered = flag;
  }
  range_in_lanes(soac, any_order, block, end);
  for (std::size_t g = 0; g < states.size(); ++g) {
    const Folding& folding = *folding_of(states[g]);
    assign_all(folding, folding.block, values_of(fold_of(any_order[g])->accumulators));
  }
  b.enter_lanes(nullptr);
  result = b.ir.CreateOr(result, b.any(b.get(flag).value));
  b.leave_lanes();
  return result;
}

void BodyEmitter::note_unordered(const Variable& flag, std::span<const Emitted> values) {
  for (const Emitted& emitted_value : values) {
    const LaneValue& value = std::get<LaneValue>(emitted_value);
    if (!is_float(value.element)) continue;
    Value* const here = b.and_mask(is_unordered(b.vector(value)));
    const LaneValue before = b.get(flag);
    b.set(flag, b.varying(b.ir.CreateOr(before.value, here), ElementType::Bool));
  }
}

/// Of a number, or each of a vector: whether it is no number, or a negative zero.
Value* BodyEmitter::is_unordered(Value* number) {
  auto* const scalar_type = number->getType()->getScalarType();
  llvm::Type* bits = b.ir.getIntNTy(scalar_type->getScalarSizeInBits());
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(number->getType()))
    bits = llvm::FixedVectorType::get(bits, vector->getNumElements());
  Value* const is_zero = b.ir.CreateICmpEQ(
      b.ir.CreateBitCast(number, bits),
      llvm::ConstantInt::get(bits, llvm::APInt::getSignMask(scalar_type->getScalarSizeInBits())));
  return b.ir.CreateOr(b.ir.CreateFCmpUNO(number, number), is_zero);
}

} // namespace sinter::jit
