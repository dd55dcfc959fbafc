// A device as a place for programs: what of jit's Backend it does there, and what stays with the
// host.
#pragma once

#include "gpu/device/device.h"
#include "jit/runtime/backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sinter::gpu {

class GpuBackend : public jit::Backend {
public:
  /// Buffers of which the device has a copy.
  virtual std::size_t copies() const = 0;
  virtual std::uint64_t transferred_bytes() const = 0; ///< between host and device, so far
  virtual std::uint64_t evictions() const = 0;         ///< of copies that made room for others
  /// Launches that the device had no room for: the host has done their work.
  virtual std::uint64_t launches_by_host() const = 0;
  /// How often the host waited for launches.
  virtual std::uint64_t waits() const = 0;

protected:
  GpuBackend() : jit::Backend(true) {}
};

/// `host` takes launches that the device has no room for, and outlives the backend.  The device
/// stays until no buffer has contents there, which may be later.  `name` is the place's.
std::unique_ptr<GpuBackend> make_gpu_backend(std::string name, std::unique_ptr<Device> device,
                                             jit::Backend& host);

} // namespace sinter::gpu
