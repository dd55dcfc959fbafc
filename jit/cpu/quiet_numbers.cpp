#include "jit/cpu/quiet_numbers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace sinter::jit {

namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::Value;

bool is_range(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::x86_avx512_mask_range_ps_128:
  case llvm::Intrinsic::x86_avx512_mask_range_ps_256:
  case llvm::Intrinsic::x86_avx512_mask_range_ps_512:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_128:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_256:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_512:
    return true;
  default:
    return false;
  }
}

bool is_quiet(const llvm::Constant& number) {
  if (const auto* one = dyn_cast<llvm::ConstantFP>(&number))
    return !one->getValueAPF().isSignaling();
  if (llvm::isa<llvm::UndefValue>(number)) return false;
  if (llvm::isa<llvm::ConstantAggregateZero>(number)) return true;
  if (const auto* row = dyn_cast<llvm::ConstantDataVector>(&number)) {
    for (unsigned lane = 0; lane < row->getNumElements(); ++lane)
      if (row->getElementAsAPFloat(lane).isSignaling()) return false;
    return true;
  }
  return false;
}

/// Whether numbers are results of arithmetic, on whatever way they come.
class Quietness {
public:
  bool of(const Value* number) {
    // On its way around a loop a number is what it was before.
    if (!seen_.insert(number).second) return true;
    if (const auto* constant = dyn_cast<llvm::Constant>(number)) return is_quiet(*constant);
    const auto* made = dyn_cast<Instruction>(number);
    return made && of_made(*made);
  }

private:
  bool of_made(const Instruction& made) {
    switch (made.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return true;
    case Instruction::FNeg:
    case Instruction::Freeze:
    case Instruction::ExtractElement:
      return of(made.getOperand(0));
    case Instruction::InsertElement:
      return of(made.getOperand(0)) && of(made.getOperand(1));
    case Instruction::Select:
      return of(made.getOperand(1)) && of(made.getOperand(2));
    case Instruction::PHI:
      return llvm::all_of(llvm::cast<llvm::PHINode>(made).incoming_values(),
                          [&](const Value* each) { return of(each); });
    case Instruction::ShuffleVector: {
      const auto& shuffle = llvm::cast<llvm::ShuffleVectorInst>(made);
      const int width = static_cast<int>(
          llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
      const auto takes = [&](bool from_second) {
        return llvm::any_of(shuffle.getShuffleMask(),
                            [&](int lane) { return lane >= 0 && (lane >= width) == from_second; });
      };
      return (!takes(false) || of(shuffle.getOperand(0))) &&
             (!takes(true) || of(shuffle.getOperand(1)));
    }
    default:
      break;
    }
    const auto* call = dyn_cast<llvm::IntrinsicInst>(&made);
    return call && (is_range(*call) || call->getIntrinsicID() == llvm::Intrinsic::fma ||
                    call->getIntrinsicID() == llvm::Intrinsic::sqrt);
  }

  llvm::SmallPtrSet<const Value*, 16> seen_;
};

} // namespace

void drop_quieting(llvm::Function& function) {
  for (Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const call = dyn_cast<llvm::IntrinsicInst>(&each);
    if (!call || !is_range(*call)) continue;
    Value* const number = call->getArgOperand(0);
    if (number != call->getArgOperand(1) || !Quietness().of(number)) continue;
    call->replaceAllUsesWith(number);
    call->eraseFromParent();
  }
}

} // namespace sinter::jit
