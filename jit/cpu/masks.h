// Masks in LLVM's IR: vectors of bits, one for each lane.
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>

namespace sinter::jit {

inline bool is_mask(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) && vector->getNumElements() > 1;
}
inline unsigned lanes_of(const llvm::Value& mask) {
  return llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
}
/// Whether a mask is made of masks of as many lanes, lane by lane.
inline bool joins_masks(const llvm::Value& value) {
  if (!is_mask(value.getType())) return false;
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction &&
         (llvm::isa<llvm::PHINode, llvm::FreezeInst, llvm::SelectInst>(instruction) ||
          instruction->isBitwiseLogicOp());
}

} // namespace sinter::jit
