// Launches that have been asked for and may not have ended yet.
#pragma once

#include "gpu/backend/stop_watch.h"
#include "gpu/device/device.h"
#include "gpu/kernels/control_block.h"
#include "jit/runtime/backend.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace sinter::gpu {

/// Those that are under way are of one run; who wants to launch for another one waits.  They share
/// two control blocks: the first of them that fails leaves word of it there, and those behind it do
/// nothing.  Thread-safe.
class LaunchQueue {
public:
  LaunchQueue(Device& device, StopWatch& stop_watch) : device_(device), stop_watch_(stop_watch) {}

  /// Of the memory that `begin` is given.
  static constexpr std::size_t control_bytes = 2 * sizeof(ControlBlock);

  /// Before the steps of a launch are asked for; false: launches of that run have stopped, and
  /// there is nothing to ask for.  `control`: always the same memory; `may_lack_scratch`: who
  /// launches waits, and looks at `wanted_scratch`.  Throws DeviceError.
  bool begin(const jit::RunContext& context, DeviceAddress control, bool may_lack_scratch);
  /// Of the next step, which is asked for before another one's are: its control block, and that of
  /// the step before.
  struct Controls {
    DeviceAddress own = 0, before = 0;
  };
  Controls begin_step();
  /// Waits for what is under way; why launches of that run stopped, once.  Throws DeviceError.
  std::optional<jit::Stopped> wait(const void* run);
  /// The scratch memory that some thread of what ended last would have needed; 0: it had enough.
  std::uint64_t wanted_scratch() const;
  /// Waits for what is under way, whose results somebody is about to read: throws RuntimeError if
  /// it has stopped, and has none.
  void wait_before_reading();

  /// How often somebody waited for launches.
  std::uint64_t waits() const { return waits_; }

private:
  void settle(); ///< with the mutex
  std::optional<jit::Stopped> take_end(const void* run);

  Device& device_;
  StopWatch& stop_watch_;
  mutable std::mutex mutex_; ///< of all that follows
  bool is_under_way_ = false;
  const void* run_ = nullptr; ///< of what is under way
  DeviceAddress control_ = 0;
  std::uint64_t steps_ = 0; ///< of what is under way
  std::optional<StopWatch::Watching> watching_;
  std::map<const void*, jit::Stopped> ends_; ///< of runs that have not asked yet
  bool may_lack_scratch_ = false;            ///< what began last
  std::uint64_t wanted_scratch_ = 0;
  std::atomic<std::uint64_t> waits_{0};
};

} // namespace sinter::gpu
