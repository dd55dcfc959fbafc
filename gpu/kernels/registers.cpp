#include "gpu/kernels/registers.h"

#include "gpu/kernels/gpu_hooks.h"

#include <vector>

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

/// The call, if it is one of a function of the module that is to be inlined.
llvm::CallInst* as_inlined_call(llvm::Instruction& instruction) {
  auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
  const bool is_inlined =
      called && !called->isDeclaration() && called->hasFnAttribute(llvm::Attribute::AlwaysInline);
  return is_inlined ? call : nullptr;
}

/// (The last call first: what follows a call is moved when it is inlined.)
void inline_calls(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  const auto add = [&](llvm::Instruction& instruction) {
    if (llvm::CallInst* const call = as_inlined_call(instruction)) calls.push_back(call);
  };
  for (llvm::Instruction& instruction : llvm::instructions(function))
    add(instruction);
  while (!calls.empty()) {
    llvm::InlineFunctionInfo information;
    llvm::CallInst* const call = calls.back();
    calls.pop_back();
    if (!llvm::InlineFunction(*call, information).isSuccess()) continue;
    for (llvm::CallBase* const inner : information.InlinedCallSites)
      add(*inner);
  }
}

} // namespace

void keep_in_registers(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasInternalLinkage() || function.isDeclaration()) continue;
    inline_calls(function);
    share_counter_of_turns(function);
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
