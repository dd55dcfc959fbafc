// Loops that end soon by themselves.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::gpu {

/// Innermost loops that are known to end after few iterations do not count their turns, nor look
/// whether somebody has asked to stop: counting and jumping would be a good part of what a small
/// body costs.  Loops around them look often enough.
///
///   before:  loop while k < 255 && …: turns += 1; if (turns % 1024 == 0) look; body
///   after:   loop while k < 255 && …: body
///
/// Takes what `poll_at_times` (gpu/kernels) has emitted, once variables are registers.
void forget_looks_of_short_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

} // namespace sinter::gpu
