// The devices that there are, through the JIT's plugin.
#pragma once

#include "jit/gate/device_choice.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinter::jit {

struct DeviceDescription {
  DeviceChoice choice;
  std::string name;
  unsigned compute_capability = 0; ///< 10 times the major number, and the minor one
  unsigned multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

struct DeviceList {
  std::vector<DeviceDescription> devices; ///< besides the processor
  std::string no_gpu; ///< why there is none among them, in words; empty if there is one
};

/// Throws std::runtime_error if there is no plugin.
DeviceList list_devices();
/// Why the choice cannot be used here, if so.  Throws std::runtime_error if there is no plugin.
std::optional<std::string> device_objection(const DeviceChoice& choice);

/// The plugin's function for that, by this name; never throws.
using ListDevices = void (*)(DeviceList* result);
inline constexpr const char* list_devices_name = "sinter_list_devices";

} // namespace sinter::jit
