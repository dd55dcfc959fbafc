// Which device compiled code prefers to the processor.
#pragma once

#include "lang/syntax/accelerate_mark.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::jit {

struct DeviceChoice {
  enum class Kind : std::uint8_t {
    Cpu,      ///< none
    Gpu,      ///< one by NVIDIA's driver
    Emulated, ///< one that the processor pretends to be, with checks: for tests
  };
  Kind kind = Kind::Cpu;
  unsigned number = 0; ///< of a GPU, as the driver counts them
  /// Of what is emulated.
  std::size_t memory_bytes = usual_memory_bytes;

  static constexpr std::size_t usual_memory_bytes = std::size_t{256} << 20;
  static constexpr DeviceChoice emulated() { return {.kind = Kind::Emulated}; }
  friend auto operator<=>(const DeviceChoice&, const DeviceChoice&) = default;
};

/// The device that a mark asks for, where compiled code runs on that of the session otherwise: the
/// session's, if the mark leaves it open; of the devices the session's again, or the first GPU.
DeviceChoice device_for(const syntax::AccelerateMark& mark, const DeviceChoice& session);
/// "cpu"; "gpu", "gpu:1"; "emulated", "emulated:64M".
std::string name(const DeviceChoice& choice);
/// The choice that has the name; also "gpu:0".
std::optional<DeviceChoice> device_choice_of(std::string_view name);

} // namespace sinter::jit
