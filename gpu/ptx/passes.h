// What is done to a kernel's LLVM IR before PTX is made from it.
#pragma once

#include "gpu/kernels/gpu_module.h"

#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace sinter::gpu {

/// Inlines all functions into entry points and optimises these.  Emission has decided about lanes
/// and loops already; what is left is redundancy, loop-invariant code, the memory that pointers lie
/// in, and arrays of a thread that registers could hold.
///
///   before:  acc = alloca [4 x float]; for (i = 0; i < 4; ++i) acc[i] += …
///   after:   acc0 += …; acc1 += …; …
///
/// Arrays that are none of these lie in shared memory where an entry point has some for them.
///
/// Only loops that index such arrays are unrolled: the assembler does that well with others, and
/// much code takes long to make.
void optimise_for_ptx(llvm::Module& module, const std::vector<EntryPoint>& entries,
                      llvm::TargetMachine& machine);

} // namespace sinter::gpu
