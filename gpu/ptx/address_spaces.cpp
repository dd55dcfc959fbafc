#include "gpu/ptx/address_spaces.h"

#include "gpu/kernels/abstract_functions.h"

#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace sinter::gpu {

namespace {

using llvm::Value;

bool is_generic_pointer(const llvm::Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == 0;
}

/// Whether what is read there lies in the device's memory, as far as one sees: neither in the
/// thread's own nor in the block's, where pointers to those may lie.
bool reads_global_memory(const llvm::LoadInst& load) {
  llvm::SmallVector<const Value*, 4> bases;
  llvm::getUnderlyingObjects(load.getPointerOperand(), bases, nullptr, /*MaxLookup=*/0);
  for (const Value* base : bases) {
    const bool is_global =
        base->getType()->isPointerTy() && base->getType()->getPointerAddressSpace() == global_space;
    const bool is_word = llvm::isa<llvm::IntToPtrInst>(base);
    const bool is_loaded = llvm::isa<llvm::LoadInst>(base) && base != &load &&
                           reads_global_memory(*llvm::cast<llvm::LoadInst>(base));
    if (!is_global && !is_word && !is_loaded) return false;
  }
  return true;
}

} // namespace

void make_addresses_global(llvm::Function& function) {
  std::vector<llvm::Instruction*> pointers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!is_generic_pointer(instruction.getType())) continue;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (llvm::isa<llvm::IntToPtrInst>(instruction) || (load && reads_global_memory(*load)))
      pointers.push_back(&instruction);
  }
  for (llvm::Instruction* const pointer : pointers) {
    llvm::IRBuilder<> ir(pointer->getNextNode());
    llvm::Type* const global = ir.getPtrTy(global_space);
    Value* known = nullptr;
    if (auto* const cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer))
      known = ir.CreateIntToPtr(cast->getOperand(0), global);
    else
      known = ir.CreateAddrSpaceCast(pointer, global);
    Value* const generic = ir.CreateAddrSpaceCast(known, pointer->getType());
    pointer->replaceUsesWithIf(generic,
                               [&](const llvm::Use& use) { return use.getUser() != known; });
    if (pointer->use_empty()) pointer->eraseFromParent();
  }
}

} // namespace sinter::gpu
