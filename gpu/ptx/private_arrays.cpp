#include "gpu/ptx/private_arrays.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
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

/// Where an array is accessed, and what decides which element is meant.
struct Place {
  const llvm::AllocaInst* array = nullptr;
  llvm::SmallVector<const llvm::Loop*, 2> counters; ///< loops that count it
  bool is_found_late = false;                       ///< something else, too: nobody counts it
};

/// What decides a place, beside constants.
class Deciders {
public:
  Deciders(Place& place, llvm::ScalarEvolution& evolution, const llvm::LoopInfo& loops)
      : place_(place), evolution_(evolution), loops_(loops) {}

  void add(const llvm::SCEV& address) {
    llvm::SCEVExprContains(&address, [&](const llvm::SCEV* part) {
      if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        place_.counters.push_back(counter->getLoop());
      if (const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(part))
        add_value(*value->getValue());
      return place_.is_found_late;
    });
  }

private:
  /// A value that is not counted evenly: it is known where all that it is made of is.
  void add_value(const llvm::Value& value) {
    if (&value == place_.array || llvm::isa<llvm::Constant>(value)) return;
    if (!seen_.insert(&value).second) return;
    if (const auto* merged = llvm::dyn_cast<llvm::PHINode>(&value)) {
      const llvm::Loop* const loop = loops_.getLoopFor(merged->getParent());
      if (loop && loop->getHeader() == merged->getParent()) place_.counters.push_back(loop);
    }
    const auto* const made = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!made || made->mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(made))
      place_.is_found_late = true;
    else
      for (const llvm::Value* part : made->operands())
        if (!llvm::isa<llvm::BasicBlock>(part))
          add(*evolution_.getSCEV(const_cast<llvm::Value*>(part)));
  }

  Place& place_;
  llvm::ScalarEvolution& evolution_;
  const llvm::LoopInfo& loops_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
};

std::vector<Place> places_in_small_arrays(llvm::Function& function,
                                          llvm::ScalarEvolution& evolution,
                                          const llvm::LoopInfo& loops) {
  std::vector<Place> places;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (!slot || !is_small_array(*slot)) continue;
    places.push_back({.array = slot});
    Deciders(places.back(), evolution, loops)
        .add(*evolution.getSCEV(const_cast<llvm::Value*>(pointer)));
  }
  return places;
}

std::size_t instructions_in(const llvm::Loop& loop) {
  std::size_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    count += block->size();
  return count;
}

/// The loops that places of these arrays want to be unrolled, and that are short enough.
llvm::DenseSet<llvm::Loop*> loops_to_unroll(const std::vector<Place>& places,
                                            const llvm::DenseSet<const llvm::AllocaInst*>& arrays,
                                            llvm::ScalarEvolution& evolution,
                                            const llvm::LoopInfo& loops) {
  const auto counts_places = [&](const llvm::Loop& loop) {
    return llvm::any_of(places, [&](const Place& place) {
      return arrays.contains(place.array) && llvm::is_contained(place.counters, &loop);
    });
  };
  llvm::DenseSet<llvm::Loop*> unrolled;
  // (Inner loops first: their copies count for those around them.)
  const llvm::SmallVector<llvm::Loop*, 4> all = loops.getLoopsInPreorder();
  llvm::DenseMap<const llvm::Loop*, std::size_t> sizes;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    llvm::Loop& loop = **one;
    std::size_t size = instructions_in(loop);
    for (const llvm::Loop* inner : loop.getSubLoops())
      size = size - instructions_in(*inner) + sizes[inner];
    // (How often a loop goes takes long to find out.)
    const unsigned iterations =
        counts_places(loop) ? evolution.getSmallConstantMaxTripCount(&loop) : 0;
    const bool is_short =
        iterations > 0 && iterations <= most_iterations && size * iterations <= most_instructions;
    if (is_short) {
      unrolled.insert(&loop);
      size *= iterations;
    }
    sizes[&loop] = size;
  }
  return unrolled;
}

} // namespace

bool mark_loops_over_private_arrays(llvm::Function& function,
                                    llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const std::vector<Place> places = places_in_small_arrays(function, evolution, loops);
  llvm::DenseSet<const llvm::AllocaInst*> arrays;
  for (const Place& place : places)
    arrays.insert(place.array);
  // An array is in memory as a whole: one place that stays unknown is enough, and then nobody gains
  // anything from the others.
  llvm::DenseSet<llvm::Loop*> unrolled;
  for (bool are_fewer = true; are_fewer;) {
    unrolled = loops_to_unroll(places, arrays, evolution, loops);
    are_fewer = false;
    for (const Place& place : places) {
      const bool is_known =
          !place.is_found_late && llvm::all_of(place.counters, [&](const auto* loop) {
            return unrolled.contains(const_cast<llvm::Loop*>(loop));
          });
      if (!is_known && arrays.erase(place.array)) are_fewer = true;
    }
  }
  for (llvm::Loop* const loop : unrolled)
    llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
  return !unrolled.empty();
}

} // namespace sinter::gpu
