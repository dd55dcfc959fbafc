// Arrays of a thread that registers could hold.
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace sinter::gpu {

/// Marks loops to be unrolled fully if their counters decide which element of a small private array
/// is meant, so that all its places are constants after: not where some of them would be found late
/// all the same.  Gives whether there are any.
bool mark_loops_over_private_arrays(llvm::Function& function,
                                    llvm::FunctionAnalysisManager& analyses);

} // namespace sinter::gpu
