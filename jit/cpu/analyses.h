// What LLVM's passes over IR ask for.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace sinter::jit {

/// The analyses of the passes that kernels go through.  (LLVM's pass builder registers all that
/// there are, and would bring every pass with them: half of what a process has to map and relocate
/// before it can compile anything.)
struct Analyses {
  /// The machine must outlive them.
  explicit Analyses(llvm::TargetMachine& machine);
  ~Analyses();
  // (In the order in which they go: results of loops refer to those of functions.)
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::ModuleAnalysisManager modules;
};

} // namespace sinter::jit
