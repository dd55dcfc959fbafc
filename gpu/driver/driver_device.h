// A GPU by its driver.
#pragma once

#include "gpu/device/device.h"
#include "gpu/driver/driver.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

namespace sinter::gpu::driver {

struct DriverDeviceOptions {
  unsigned number = 0; ///< of those that the driver counts, from 0
  /// Where texts and machine code are kept; nothing: they are not.
  std::optional<std::filesystem::path> cache_folder;
  std::size_t cache_bytes = std::size_t{256} << 20; ///< of the folder, as jit::ObjectCache has it
};

/// Once the driver has told of a fault, or of a device that is lost, every operation but releasing
/// throws DeviceError (Lost): the process does not get the device back.  Throws std::runtime_error
/// if there is no device of that number, and DeviceError.
std::unique_ptr<Device> make_driver_device(std::shared_ptr<const Driver> driver,
                                           const DriverDeviceOptions& options = {});

} // namespace sinter::gpu::driver
