#include "gpu/ptx/byte_stores.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace sinter::gpu {

namespace {

/// Of a store of bytes that are whole words and more than one of them: the words' type.
llvm::Type* words_of(const llvm::StoreInst& store) {
  const auto* bytes = llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType());
  if (!bytes || !bytes->getElementType()->isIntegerTy(8) || !store.isSimple()) return nullptr;
  const unsigned count = bytes->getNumElements();
  if ((count != 8 && count != 16) || store.getAlign().value() < count) return nullptr;
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(store.getContext()), count / 4);
}

/// (A bit cast would do, if code generation did not see through it.)
llvm::Value* packed(llvm::IRBuilder<>& ir, llvm::Value* bytes, llvm::Type* words) {
  llvm::Value* result = llvm::PoisonValue::get(words);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(words)->getNumElements();
  for (unsigned w = 0; w < count; ++w) {
    llvm::Value* word = nullptr;
    for (unsigned b = 0; b < 4; ++b) {
      llvm::Value* const byte =
          ir.CreateZExt(ir.CreateExtractElement(bytes, 4 * w + b), ir.getInt32Ty());
      word = b == 0 ? byte : ir.CreateOr(word, ir.CreateShl(byte, 8 * b));
    }
    result = ir.CreateInsertElement(result, word, w);
  }
  return result;
}

} // namespace

void store_bytes_as_words(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    llvm::Type* const words = store ? words_of(*store) : nullptr;
    if (!words) continue;
    llvm::IRBuilder<> ir(store);
    ir.CreateAlignedStore(packed(ir, store->getValueOperand(), words), store->getPointerOperand(),
                          store->getAlign());
    store->eraseFromParent();
  }
}

} // namespace sinter::gpu
