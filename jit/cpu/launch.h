// One run of a compiled kernel: memory, chunks, threads, failures (see kernel_abi.h).
#pragma once

#include "jit/cpu/engine.h"
#include "jit/cpu/kernel_layout.h"
#include "jit/cpu/parallel.h"
#include "jit/runtime/backend.h"

#include <vector>

namespace sinter::jit {

/// Runs the kernel on arguments that match its function's parameters.  Throws
/// RuntimeError{OutOfMemory} where a result cannot be allocated.
Outcome launch_kernel(const KernelLayout& layout, const LinkedCode& code,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers);

} // namespace sinter::jit
