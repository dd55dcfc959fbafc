#include "gpu/ptx/passes.h"

#include "gpu/kernels/gpu_hooks.h"
#include "gpu/kernels/gpu_module.h"
#include "gpu/ptx/address_spaces.h"
#include "gpu/ptx/lower_functions.h"
#include "gpu/ptx/private_arrays.h"
#include "gpu/ptx/rules.h"
#include "gpu/ptx/running_products.h"
#include "gpu/ptx/shared_arrays.h"
#include "gpu/ptx/short_loops.h"
#include "jit/cpu/analyses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/Sink.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace sinter::gpu {

namespace {

llvm::InstCombinePass combine() {
  return llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false));
}

/// What is hoisted out of a loop has registers for as long as that runs: out of long ones, around
/// whole bodies with loops of their own, it costs more than it brings; where registers are short,
/// out of all but innermost ones.
class HoistFromShortLoops : public llvm::PassInfoMixin<HoistFromShortLoops> {
public:
  explicit HoistFromShortLoops(bool only_innermost) : only_innermost_(only_innermost) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results,
                              llvm::LPMUpdater& updater) {
    std::size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks())
      instructions += block->size();
    if (instructions > most_instructions || (only_innermost_ && !loop.isInnermost()))
      return llvm::PreservedAnalyses::all();
    return hoist_.run(loop, analyses, results, updater);
  }

private:
  static constexpr std::size_t most_instructions = 256;
  bool only_innermost_;
  llvm::LICMPass hoist_{llvm::LICMOptions()};
};

auto hoist(bool only_innermost) {
  return llvm::createFunctionToLoopPassAdaptor(HoistFromShortLoops(only_innermost),
                                               /*UseMemorySSA=*/true);
}

void add_registers(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(combine());
  passes.addPass(llvm::SimplifyCFGPass());
}

/// Only the loops that say so.
llvm::FunctionPassManager unrolling() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(
      /*OptLevel=*/2, /*OnlyWhenForced=*/true, /*ForgetSCEV=*/true)));
  add_registers(passes);
  return passes;
}

/// Whether a kernel has more numbers than registers: where there is scratch memory, each array is
/// an address and sizes, and what surrounds them are rows of sequential work.  (Not those with
/// vectors: their parts would be taken out where they are needed, and vectors that several blocks
/// need lie in memory.)
bool is_short_of_registers(llvm::Function& function) {
  bool has_scratch = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.getType()->isVectorTy()) return false;
    has_scratch = has_scratch || instruction.hasMetadata(scratch_end_name);
  }
  return has_scratch;
}

void optimise(llvm::Function& entry, const EntryPoint& point,
              llvm::FunctionAnalysisManager& analyses, bool is_global) {
  const auto run = [&](llvm::FunctionPassManager& passes) {
    analyses.invalidate(entry, passes.run(entry, analyses));
  };
  llvm::FunctionPassManager registers;
  add_registers(registers);
  run(registers);
  if (mark_loops_over_private_arrays(entry, analyses)) {
    llvm::FunctionPassManager passes = unrolling();
    run(passes);
  }
  if (point.shared_bytes_of_arrays > 0 &&
      share_own_arrays(entry, point.threads, point.shared_bytes_of_arrays, read_thread_index) > 0)
    analyses.invalidate(entry, llvm::PreservedAnalyses::none());
  forget_looks_of_short_loops(entry, analyses);
  if (is_global) {
    make_addresses_global(entry);
    analyses.invalidate(entry, llvm::PreservedAnalyses::none());
  }
  const bool is_short = is_short_of_registers(entry);
  llvm::FunctionPassManager rest;
  rest.addPass(llvm::InferAddressSpacesPass());
  rest.addPass(hoist(is_short));
  // (Global value numbering finds no more in any kernel of the benchmarks, in three times as long.)
  rest.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  rest.addPass(hoist(is_short));
  rest.addPass(combine());
  rest.addPass(llvm::SimplifyCFGPass());
  rest.addPass(llvm::LoopSimplifyPass());
  run(rest);
  keep_products_running(entry, analyses);
  if (!is_short) return;
  llvm::FunctionPassManager late;
  late.addPass(llvm::SinkingPass());
  run(late);
}

} // namespace

void optimise_for_ptx(llvm::Module& module, const std::vector<EntryPoint>& entries,
                      llvm::TargetMachine& machine) {
  jit::Analyses analyses(machine);
  llvm::ModulePassManager inlining;
  inlining.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  inlining.run(module, analyses.modules);
  const bool is_global = promises_global_addresses(module);
  for (const EntryPoint& entry : entries)
    optimise(*module.getFunction(entry.name), entry, analyses.functions, is_global);
}

} // namespace sinter::gpu
