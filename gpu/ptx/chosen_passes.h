// Of the passes that LLVM puts together for a target, those that kernels need.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <llvm/IR/LegacyPassManager.h>

namespace sinter::gpu {

/// The names in chosen_passes.def: as in LLVM's register of passes, or titles.
std::vector<std::string> names_of_passes_to_leave_out();

/// Runs what is added to it except for the passes of chosen_passes.def.
class ChosenPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass* pass) override;
  /// The names of those that were added and do not run.
  const std::set<std::string>& left_out() const { return left_out_; }

private:
  std::set<std::string> left_out_;
};

} // namespace sinter::gpu
