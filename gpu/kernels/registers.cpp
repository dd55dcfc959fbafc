#include "gpu/kernels/registers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace sinter::gpu {

namespace {

llvm::CallInst* next_call(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const llvm::Function* const called = call->getCalledFunction();
          called && !called->isDeclaration() &&
          called->hasFnAttribute(llvm::Attribute::AlwaysInline))
        return call;
  return nullptr;
}

} // namespace

void keep_in_registers(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasInternalLinkage() || function.isDeclaration()) continue;
    while (llvm::CallInst* const call = next_call(function)) {
      llvm::InlineFunctionInfo information;
      if (!llvm::InlineFunction(*call, information).isSuccess()) break;
    }
  }
  for (bool is_any = true; is_any;) {
    is_any = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module))
      if (function.hasInternalLinkage() && function.use_empty()) {
        function.eraseFromParent();
        is_any = true;
      }
  }
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  analyses.registerPass([] { return llvm::AssumptionAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // (The first time, what lies in the arrays whose addresses are in the frame escapes.)
    for (int i = 0; i < 2; ++i)
      analyses.invalidate(function,
                          llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses));
  }
}

} // namespace sinter::gpu
