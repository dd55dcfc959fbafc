#include "jit/cpu/analyses.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryDependenceAnalysis.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TypeBasedAliasAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Target/TargetMachine.h>

namespace sinter::jit {

Analyses::Analyses(llvm::TargetMachine& machine) {
  modules.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  modules.registerPass([] { return llvm::ProfileSummaryAnalysis(); });
  modules.registerPass([&] { return llvm::FunctionAnalysisManagerModuleProxy(functions); });
  functions.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  functions.registerPass([&] { return machine.getTargetIRAnalysis(); });
  functions.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  functions.registerPass([] { return llvm::AssumptionAnalysis(); });
  functions.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  functions.registerPass([] { return llvm::PostDominatorTreeAnalysis(); });
  functions.registerPass([] { return llvm::LoopAnalysis(); });
  functions.registerPass([] { return llvm::ScalarEvolutionAnalysis(); });
  functions.registerPass([] { return llvm::BranchProbabilityAnalysis(); });
  functions.registerPass([] { return llvm::BlockFrequencyAnalysis(); });
  functions.registerPass([] { return llvm::OptimizationRemarkEmitterAnalysis(); });
  functions.registerPass([] { return llvm::MemorySSAAnalysis(); });
  functions.registerPass([] { return llvm::MemoryDependenceAnalysis(); });
  functions.registerPass([] { return llvm::BasicAA(); });
  functions.registerPass([] { return llvm::ScopedNoAliasAA(); });
  functions.registerPass([] { return llvm::TypeBasedAA(); });
  functions.registerPass([] {
    llvm::AAManager aliases;
    aliases.registerFunctionAnalysis<llvm::BasicAA>();
    aliases.registerFunctionAnalysis<llvm::ScopedNoAliasAA>();
    aliases.registerFunctionAnalysis<llvm::TypeBasedAA>();
    return aliases;
  });
  functions.registerPass([&] { return llvm::ModuleAnalysisManagerFunctionProxy(modules); });
  functions.registerPass([&] { return llvm::LoopAnalysisManagerFunctionProxy(loops); });
  loops.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  loops.registerPass([&] { return llvm::FunctionAnalysisManagerLoopProxy(functions); });
}

Analyses::~Analyses() = default;

} // namespace sinter::jit
