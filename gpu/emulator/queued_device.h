// A device whose operations are done by a thread of its own, in the order in which they were asked
// for: as those of a GPU are.
#pragma once

#include "gpu/device/device.h"

#include <memory>

namespace sinter::gpu {

/// What another device throws comes out of `copy_out` and `finish`, or whatever is asked for next.
std::unique_ptr<Device> make_queued_device(std::unique_ptr<Device> device);

} // namespace sinter::gpu
