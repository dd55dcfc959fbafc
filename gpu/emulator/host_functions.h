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

/// For exchanges of several words at once: their address, where the results come, then how many
/// they are above the operand, if there is one.  Null for what is no exchange.
HostFunction host_function_of_words(AbstractFunction function);

} // namespace sinter::gpu
