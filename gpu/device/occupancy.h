// How many blocks of an entry point a multiprocessor has at once.
#pragma once

#include "gpu/device/device.h"

namespace sinter::gpu {

/// Where nothing is known of the code: as many as fit if threads take few registers.
inline constexpr unsigned usual_blocks_of_multiprocessor = 8;

/// As NVIDIA's multiprocessors have them: warps get registers by 256, of a quarter of all of them;
/// blocks get a kibibyte of shared memory beside their own.  One at least.
unsigned blocks_of_multiprocessor(const DeviceFacts& device, const CodeFacts& code,
                                  const LaunchShape& shape);

} // namespace sinter::gpu
