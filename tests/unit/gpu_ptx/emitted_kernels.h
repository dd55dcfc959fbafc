// What emission gives for one lane, as kernels of a device.
#pragma once

#include "gpu/kernels/gpu_module.h"
#include "jit/ir/ir.h"
#include "lang/primitives/primitives.h"

namespace sinter::gpu {

/// What becomes of calls of the host's functions.
enum class HostCalls : std::uint8_t {
  Kept,     ///< no device has these functions
  StoodFor, ///< by functions of the module with some effect, so that what is around them is seen
};

/// A kernel whose threads run the emitted function's elements one by one, as many as they are
/// threads apart; sequential functions are run by each thread.  Words: the function's, then a place
/// for each result, places for what chunks leave, the number of elements, and an epoch word's
/// address.
GpuModule emitted_kernel(const ir::Function& function, HostCalls calls);

/// A map whose elements are the function's results, with its scalar parameters changed by the
/// index; for functions that consume nothing.
ir::Function map_of(const ir::Function& function);

} // namespace sinter::gpu
