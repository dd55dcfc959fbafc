#include "gpu/ptx/chosen_passes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <llvm/Pass.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>

namespace sinter::gpu {

namespace {

constexpr std::array names_to_leave_out = {
#define SINTER_PTX_PASS_LEFT_OUT(name) std::string_view(name),
#include "gpu/ptx/chosen_passes.def"
#undef SINTER_PTX_PASS_LEFT_OUT
};

/// By the name in LLVM's register; the few that are not registered have only a title.
std::string_view name_of(const llvm::Pass& pass) {
  const llvm::PassInfo* const row =
      llvm::PassRegistry::getPassRegistry()->getPassInfo(pass.getPassID());
  return row ? row->getPassArgument() : pass.getPassName();
}

} // namespace

std::vector<std::string> names_of_passes_to_leave_out() {
  return {names_to_leave_out.begin(), names_to_leave_out.end()};
}

void ChosenPasses::add(llvm::Pass* pass) {
  const std::string_view name = name_of(*pass);
  if (std::ranges::find(names_to_leave_out, name) == names_to_leave_out.end())
    return llvm::legacy::PassManager::add(pass);
  left_out_.emplace(name);
  delete pass; // managers own what is added
}

} // namespace sinter::gpu
