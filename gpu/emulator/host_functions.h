// The functions of the host that kernels call for those of the table.
#pragma once

#include "gpu/emulator/kernel_run.h"
#include "gpu/kernels/abstract_functions.h"

#include <cstdint>

namespace sinter::gpu {

/// All values as words of 64 bits, then the instruction's number.
using HostFunction = std::uint64_t (*)(KernelRun* run, std::uint64_t a, std::uint64_t b,
                                       std::uint32_t site);

/// Null for what code finds in ThreadPlace itself.
HostFunction host_function(AbstractFunction function);

/// Between the threads of a warp.  Their functions take several words at once: the address, where
/// the results come, too, then how many words in the upper half, and in the lower one the operand
/// (none: 0).
bool is_exchange(AbstractFunction function);

} // namespace sinter::gpu
