// From a kernel's module to the text that a GPU's driver assembles.
#pragma once

#include "gpu/kernels/gpu_module.h"

#include <string>

namespace sinter::gpu {

/// PTX, and the architecture that it is for.
struct PtxText {
  std::string text;
  unsigned architecture = 75; ///< NN of sm_NN
};

/// The module's kernels as PTX for the device's compute capability (10 times the major number, and
/// the minor one).  The text's version is the least that its architecture has, so that any driver
/// that knows the device takes it.  The module stays as it is; nobody else may use its context
/// meanwhile.
///
/// Throws DeviceError (NoCode) with words if there is no such text: if `not_lowerable` objects to
/// the module, an entry point is none, or the device is too old.
PtxText to_ptx(const GpuModule& module, unsigned compute_capability);

} // namespace sinter::gpu
