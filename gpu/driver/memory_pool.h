// The device's memory in pieces that are used again.
#pragma once

#include "gpu/device/device.h"
#include "gpu/driver/handles.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>

namespace sinter::gpu::driver {

/// To get memory from the driver takes as long as a kernel, and to give it back waits for all that
/// runs: what is released is kept.  All use of it is in one stream, so that who gets a piece may
/// write there as soon as its turn comes.  Thread-safe.
class MemoryPool {
public:
  explicit MemoryPool(const PrimaryContext& context) : context_(context) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// At least 256-byte aligned; 0 if there is not so much memory, even after all that is kept has
  /// been given back.  The context is the thread's.  Throws DeviceError.
  DeviceAddress allocate(std::size_t bytes);
  /// Something that was allocated here.
  void release(DeviceAddress address);

private:
  bool give_back_kept();

  const PrimaryContext& context_;
  std::mutex mutex_;
  std::unordered_map<DeviceAddress, std::size_t> used_;
  std::multimap<std::size_t, DeviceAddress> kept_; ///< by bytes
};

} // namespace sinter::gpu::driver
