// One launch of a kernel on a device: arguments go there, chunks run, results come to be there.
#pragma once

#include "gpu/backend/device_cache.h"
#include "gpu/backend/kernel_code.h"
#include "gpu/backend/launch_queue.h"
#include "gpu/backend/stop_watch.h"
#include "gpu/device/device.h"
#include "gpu/kernels/control_block.h"
#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/scratch_sizes.h"
#include "gpu/skeletons/transposition.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/backend.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace sinter::gpu {

/// A device with what launches on it share.  One launch at a time.
struct LaunchPlace {
  explicit LaunchPlace(Device& device)
      : device(device), stop_watch(device), queue(device, stop_watch),
        cache(device, [this] { queue.wait_before_reading(); }) {}

  Device& device;
  StopWatch stop_watch;
  LaunchQueue queue;
  DeviceCache cache;
  DeviceBlock control; ///< of the queue; made by the first launch
  std::mutex launching;

  /// Launches that, within `launching`.
  void transpose(const TranspositionWords& words, std::size_t element_bytes);

private:
  std::shared_ptr<DeviceCode> transpositions_; ///< made by the first of them
};

/// A kernel's code on a device, and what launches must know of it.
struct LoadedKernel {
  std::shared_ptr<KernelCode> code;
  jit::KernelLayout layout;
  Planner plan;
  std::vector<bool> is_pending; ///< by parameter: a scalar that the code finds in memory
  bool uses_scratch = false;
  ScratchSizes scratch;
  /// Of a thread, by each region whose sizes are not known: as earlier launches have found that
  /// they need.
  std::atomic<std::uint64_t> scratch_bytes{1024};

  /// Of the last launch that filled the device (see LaunchSizes).
  std::atomic<unsigned> blocks_of_multiprocessor{usual_blocks_of_multiprocessor};

  bool may_lack_scratch() const { return uses_scratch && !scratch.are_known(); }
};

/// Parameters whose numbers a launch has to know, as sizes or other things follow from them.
std::vector<bool> read_at_launch(const LoadedKernel& kernel, const ir::Function& function);

/// Throws DeviceFull where the device has no room, and DeviceError (NoCode) where it has no code of
/// what the launch takes, before anything is overwritten: the arguments are then still there,
/// consumed ones as buffers of their own.  Throws RuntimeError.  What it
/// launched may not have ended if the context tells of which run it is: scalars are pending then.
jit::Outcome launch_on_device(LoadedKernel& kernel, LaunchPlace& place,
                              std::vector<jit::Datum>& arguments, const jit::RunContext& context);

} // namespace sinter::gpu
