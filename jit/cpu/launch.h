// One run of a compiled kernel: memory, chunks, threads, failures (see kernel_abi.h).
#pragma once

#include "jit/cpu/engine.h"
#include "jit/cpu/launch_notes.h"
#include "jit/cpu/parallel.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/backend.h"
#include "jit/runtime/work_meter.h"

#include <atomic>
#include <span>
#include <vector>

namespace sinter::jit {

/// Code of a kernel that may be replaced by equivalent code while it runs.
using CurrentCode = std::atomic<const LinkedCode*>;

/// Runs the kernel on arguments that match its function's parameters; each piece of the work takes
/// what is the current code then.  Where `meter` knows that threads would not pay, one does it all:
/// the results are the same.  `notes` are the kernel's.  Throws RuntimeError{OutOfMemory} where a
/// result cannot be allocated.
Outcome launch_kernel(const KernelLayout& layout, const CurrentCode& code, NotesKeeper& notes,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers,
                      WorkMeter& meter);

/// Writes arguments down as code sees them (kernel_abi.h).
void write_down(std::span<const Datum> arguments, LaunchNotes& notes);

} // namespace sinter::jit
