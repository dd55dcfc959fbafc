#include "gpu/kernels/rolled_loops.h"

#include <utility>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>

namespace sinter::gpu {

void keep_loop_rolled(llvm::BasicBlock& last) {
  llvm::LLVMContext& context = last.getContext();
  llvm::MDNode* const disabled =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* const loop = llvm::MDNode::getDistinct(context, {nullptr, disabled});
  loop->replaceOperandWith(0, loop);
  last.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void keep_loops_rolled(llvm::Function& function) {
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;
  llvm::SmallVector<Edge, 8> back;
  llvm::FindFunctionBackedges(function, back);
  for (const auto& [last, first] : back)
    keep_loop_rolled(const_cast<llvm::BasicBlock&>(*last));
}

} // namespace sinter::gpu
