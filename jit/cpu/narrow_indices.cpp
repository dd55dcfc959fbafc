#include "jit/cpu/narrow_indices.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace sinter::jit {

namespace {

using llvm::dyn_cast;

/// The vector of i32 that these indices are extended from by their sign, in another block; null if
/// there is none.
llvm::Value* extended_elsewhere(llvm::Value* indices, const llvm::BasicBlock& here) {
  using namespace llvm::PatternMatch;
  auto* const extension = dyn_cast<llvm::Instruction>(indices);
  if (!extension || extension->getParent() == &here) return nullptr;
  llvm::Value* narrow = nullptr;
  const bool keeps_sign =
      match(extension, m_SExt(m_Value(narrow))) || match(extension, m_NNegZExt(m_Value(narrow)));
  return keeps_sign && narrow->getType()->getScalarSizeInBits() == 32 ? narrow : nullptr;
}

} // namespace

void narrow_indices(llvm::Function& function) {
  for (llvm::Instruction& each : llvm::instructions(function)) {
    auto* const call = dyn_cast<llvm::IntrinsicInst>(&each);
    if (!call) continue;
    const bool is_gather = call->getIntrinsicID() == llvm::Intrinsic::masked_gather;
    if (!is_gather && call->getIntrinsicID() != llvm::Intrinsic::masked_scatter) continue;
    const unsigned place = is_gather ? 0 : 1;
    auto* const places = dyn_cast<llvm::GetElementPtrInst>(call->getArgOperand(place));
    if (!places || places->getNumIndices() != 1 ||
        places->getPointerOperand()->getType()->isVectorTy())
      continue;
    llvm::Value* const narrow = extended_elsewhere(places->getOperand(1), *call->getParent());
    if (!narrow) continue;
    llvm::IRBuilder<> builder(call);
    llvm::Value* const wide = builder.CreateSExt(narrow, places->getOperand(1)->getType());
    call->setArgOperand(place, builder.CreateGEP(places->getSourceElementType(),
                                                 places->getPointerOperand(), wide));
  }
}

} // namespace sinter::jit
