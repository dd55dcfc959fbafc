#include "gpu/ptx/short_loops.h"

#include "gpu/kernels/gpu_hooks.h"

#include <cstddef>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace sinter::gpu {

namespace {

/// Of all iterations of a loop.  (With a thousand turns of a loop around it between two looks, that
/// is a fraction of a second.)
constexpr std::size_t most_short_instructions = 1 << 14;

bool is_short(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  std::size_t instructions = 0;
  for (const llvm::BasicBlock* const block : loop.blocks())
    instructions += block->size();
  const std::size_t iterations = evolution.getSmallConstantMaxTripCount(&loop);
  return iterations > 0 && iterations * instructions <= most_short_instructions;
}

/// The branch to the look, and the sum that counts up to it, if that is what the branch is.
bool forget_look(llvm::BranchInst& branch) {
  using namespace llvm::PatternMatch;
  if (!branch.isConditional() || !branch.hasMetadata(look_name)) return false;
  llvm::Value *turns = nullptr, *before = nullptr;
  llvm::ICmpInst::Predicate predicate = {};
  if (!match(branch.getCondition(),
             m_ICmp(predicate, m_And(m_Value(turns), m_ConstantInt()), m_Zero())) ||
      predicate != llvm::CmpInst::ICMP_EQ || !match(turns, m_Add(m_Value(before), m_One())))
    return false;
  branch.setCondition(llvm::ConstantInt::getFalse(branch.getContext()));
  turns->replaceAllUsesWith(before);
  return true;
}

} // namespace

void forget_looks_of_short_loops(llvm::Function& function,
                                 llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool is_any = false;
  for (llvm::Loop* const loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !is_short(*loop, evolution)) continue;
    for (llvm::BasicBlock* const block : loop->blocks())
      if (auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()))
        is_any |= forget_look(*branch);
  }
  if (is_any) analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

} // namespace sinter::gpu
