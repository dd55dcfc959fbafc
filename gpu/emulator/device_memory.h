// The memory of an emulated device: addresses, allocations with gaps between them, and what was
// released and may not be touched any more.
#pragma once

#include "gpu/device/device.h"
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/shadow.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::gpu {

/// Kernels see the memory at the addresses that the device gives; the host at others, so that the
/// first can be hidden.  Not thread-safe.
class DeviceMemory {
public:
  DeviceMemory(std::size_t bytes, EmulatedChecks checks, bool is_hidden);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  DeviceAddress allocate(std::size_t bytes);
  /// Throws a Violation if nothing living begins there.
  void release(DeviceAddress address);
  std::vector<Leak> leaks() const;

  /// The host's view of bytes that lie within one living allocation; a Violation otherwise, and if
  /// they shall be read and are not defined, in which `operation` is named.
  std::byte* read(DeviceAddress address, std::size_t bytes, std::string_view operation) const;
  /// The same for what is written: it is defined from now on.
  std::byte* write(DeviceAddress address, std::size_t bytes, std::string_view operation);
  /// Bytes become defined as those of the source are; as `write`.
  std::byte* write_copy(DeviceAddress target, DeviceAddress source, std::size_t bytes,
                        std::string_view operation);
  /// Without checks of its allocation; null outside of the memory.
  std::byte* view(DeviceAddress address, std::size_t bytes) const;

  /// Where the address lies, seen from the nearest allocation, in words.
  std::string describe(DeviceAddress address) const;

  std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(device_view_); }
  std::size_t size() const { return bytes_; }
  Shadow* shadow() const { return shadow_ ? const_cast<Shadow*>(&*shadow_) : nullptr; }

  /// For kernels, which are about to touch the memory; until it is hidden again.
  void open();
  /// From the host, which has no business there: when it has waited for what was launched.  (Around
  /// each launch would cost more than many a launch does.)
  void hide();

private:
  struct Allocation {
    std::size_t bytes = 0, room = 0; ///< room: with the gap behind it
    std::uint64_t number = 0;
    bool is_released = false;
  };
  using Allocations = std::map<std::size_t, Allocation>; ///< by offset
  std::byte* checked(DeviceAddress address, std::size_t bytes, std::string_view operation) const;
  void add_free(std::size_t offset, std::size_t room);
  void leave_quarantine();

  std::size_t bytes_;
  EmulatedChecks checks_;
  bool is_hidden_; ///< from the host, while nothing runs
  bool is_open_ = false;
  int file_ = -1;
  std::byte *device_view_ = nullptr, *host_view_ = nullptr;
  std::optional<Shadow> shadow_;
  Allocations allocations_;                 ///< with the released ones
  std::map<std::size_t, std::size_t> free_; ///< offset -> room
  std::deque<std::size_t> quarantine_;      ///< offsets of the released
  std::size_t quarantined_bytes_ = 0;
  std::uint64_t count_ = 0;
};

} // namespace sinter::gpu
