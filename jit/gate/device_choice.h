// Which device compiled code prefers to the processor.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinter::jit {

enum class DeviceChoice : std::uint8_t {
  Cpu,      ///< none
  Emulated, ///< one that the processor pretends to be, with checks: for tests
};

/// "cpu", "emulated".
std::string_view name(DeviceChoice choice);

} // namespace sinter::jit
