#include "gpu/ptx/private_arrays.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <vector>

namespace sinter::gpu {

namespace {

/// What registers may hold, and how much code may come of it.
constexpr std::uint64_t most_array_bytes = 512;
constexpr unsigned most_iterations = 64;
constexpr std::size_t most_instructions = 2048;

/// An array that is in memory because of where it is accessed.
bool is_small_array(const llvm::AllocaInst& slot) {
  const auto bytes = slot.getAllocationSize(slot.getModule()->getDataLayout());
  return bytes && !bytes->isScalable() && bytes->getFixedValue() <= most_array_bytes;
}

std::vector<const llvm::Value*> places_in_small_arrays(llvm::Function& function) {
  std::vector<const llvm::Value*> places;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (slot && is_small_array(*slot)) places.push_back(pointer);
  }
  return places;
}

std::size_t instructions_in(const llvm::Loop& loop) {
  std::size_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    count += block->size();
  return count;
}

} // namespace

bool mark_loops_over_private_arrays(llvm::Function& function,
                                    llvm::FunctionAnalysisManager& analyses) {
  const std::vector<const llvm::Value*> places = places_in_small_arrays(function);
  if (places.empty()) return false;
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto counts_places = [&](const llvm::Loop& loop) {
    for (const llvm::Value* place : places) {
      const llvm::SCEV* const address = evolution.getSCEV(const_cast<llvm::Value*>(place));
      const bool is_counted = llvm::SCEVExprContains(address, [&](const llvm::SCEV* part) {
        const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
        return counter && counter->getLoop() == &loop;
      });
      if (is_counted) return true;
    }
    return false;
  };
  bool is_any = false;
  // (Inner loops first: their copies count for those around them.)
  const llvm::SmallVector<llvm::Loop*, 4> all = loops.getLoopsInPreorder();
  llvm::DenseMap<const llvm::Loop*, std::size_t> sizes;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    llvm::Loop& loop = **one;
    std::size_t size = instructions_in(loop);
    for (const llvm::Loop* inner : loop.getSubLoops())
      size = size - instructions_in(*inner) + sizes[inner];
    const unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
    const bool is_short =
        iterations > 0 && iterations <= most_iterations && size * iterations <= most_instructions;
    if (is_short && counts_places(loop)) {
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
      size *= iterations;
      is_any = true;
    }
    sizes[&loop] = size;
  }
  return is_any;
}

} // namespace sinter::gpu
