// Of the passes that LLVM puts together for a target, those that kernels need.
#pragma once

#include <llvm/IR/LegacyPassManager.h>

namespace sinter::gpu {

/// Runs what is added to it except for the passes of chosen_passes.def.
class ChosenPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass* pass) override;
};

} // namespace sinter::gpu
