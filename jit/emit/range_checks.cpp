#include "jit/emit/range_checks.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

namespace sinter::jit {

using llvm::Value;

Value* emit_range_check(LaneBuilder& builder, Value* one, Value* other) {
  using namespace llvm::PatternMatch;
  const auto is_condition = [](Value* condition, llvm::CmpInst::Predicate expected, Value*& left,
                               Value*& right) {
    const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare || compare->getPredicate() != expected) return false;
    left = compare->getOperand(0);
    right = compare->getOperand(1);
    return true;
  };
  if (!one->getType()->isVectorTy()) return nullptr;
  Value *zero = nullptr, *number = nullptr, *same = nullptr, *bounds = nullptr;
  if (!is_condition(one, llvm::CmpInst::ICMP_SLE, zero, number)) std::swap(one, other);
  Value* narrow = nullptr;
  if (!is_condition(one, llvm::CmpInst::ICMP_SLE, zero, number) ||
      !is_condition(other, llvm::CmpInst::ICMP_SLT, same, bounds) || number != same ||
      !match(zero, m_Zero()) || !match(number, m_SExt(m_Value(narrow))))
    return nullptr;
  Value* const bound = llvm::getSplatValue(bounds);
  if (!bound) return nullptr;
  auto* const type = narrow->getType();
  // (None is below a negative bound; as unsigned numbers negative ones are beyond all others.)
  auto* const beyond = llvm::ConstantInt::get(
      bound->getType(), std::uint64_t{1} << (type->getScalarSizeInBits() - 1));
  Value* const least = builder.ir.CreateBinaryIntrinsic(
      llvm::Intrinsic::smax, bound, llvm::ConstantInt::get(bound->getType(), 0));
  Value* const limit =
      builder.ir.CreateTrunc(builder.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, least, beyond),
                             type->getScalarType());
  return builder.ir.CreateICmpULT(narrow, builder.splat(limit));
}

} // namespace sinter::jit
