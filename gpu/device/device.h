// What a device is: memory of its own, code, launches.  The emulator is one; a GPU's driver
// another.
#pragma once

#include "gpu/kernels/gpu_module.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sinter::gpu {

/// A place in the device's memory; 0 is none.
using DeviceAddress = std::uint64_t;

struct DeviceFacts {
  std::string name;
  unsigned compute_capability = 75; ///< 10 times the major number, and the minor one
  unsigned multiprocessors = 1;
  std::size_t memory_bytes = 0;
  std::size_t shared_bytes = 48 << 10; ///< that a block may have
  // What the blocks that a multiprocessor has at once share.
  unsigned threads_of_multiprocessor = 1024;
  unsigned registers_of_multiprocessor = 64 << 10;
  std::size_t shared_of_multiprocessor = 64 << 10;
  double bytes_per_second = 0; ///< that copies within its memory read and write
};

/// Resources of an entry point's code.
struct CodeFacts {
  unsigned registers = 0; ///< of a thread
  std::size_t local_bytes = 0, shared_bytes = 0, constant_bytes = 0;
};

/// Why a device did not do what it was asked to.
class DeviceError : public std::runtime_error {
public:
  enum class Kind : std::uint8_t {
    OutOfMemory,
    NoCode,    ///< the module cannot be made into code
    Fault,     ///< a kernel did what it may not do: its results are void
    Violation, ///< the emulator's checks found such a thing, and say what
    Lost,      ///< the device is gone, with all that lay in its memory
  };
  DeviceError(Kind kind, const std::string& words) : std::runtime_error(words), kind(kind) {}
  Kind kind;
};

struct LaunchShape {
  std::array<std::uint32_t, 3> blocks = {1, 1, 1};
  std::uint32_t threads = 256; ///< of a block
  std::uint32_t shared_bytes = 0;
};

/// Code on a device; goes away with the object.
class DeviceCode {
public:
  virtual ~DeviceCode() = default;
  virtual CodeFacts facts(std::string_view entry) const = 0;
  /// The text that the device's assembler takes; empty if there is none.
  virtual std::string text() const = 0;
};

/// Operations take place in the order in which they are asked for, some time after that; `finish`
/// waits for all of them.  Any member may throw DeviceError: then also for what was asked for
/// before.  Thread-safe.
class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceFacts& facts() const = 0;

  /// At least 256-byte aligned; 0 if there is not so much memory.
  virtual DeviceAddress allocate(std::size_t bytes) = 0;
  virtual void release(DeviceAddress address) = 0;
  /// The source may be changed when this returns.
  virtual void copy_in(DeviceAddress target, std::span<const std::byte> source) = 0;
  /// Waits for what was asked for before.
  virtual void copy_out(std::span<std::byte> target, DeviceAddress source) = 0;
  virtual void copy_within(DeviceAddress target, DeviceAddress source, std::size_t bytes) = 0;
  /// `count` elements of 1, 2, 4 or 8 bytes.
  virtual void fill(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
                    std::size_t count) = 0;

  virtual std::shared_ptr<DeviceCode> load(GpuModule module) = 0;
  virtual void launch(const std::shared_ptr<DeviceCode>& code, std::string_view entry,
                      const LaunchShape& shape, std::span<const std::uint64_t> words) = 0;
  virtual void finish() = 0;

  /// Changes a word at once, while a launch may be running, possibly in another thread: for what
  /// kernels poll.  (At a multiple of 4.)
  virtual void write_at_once(DeviceAddress address, std::uint32_t word) = 0;

  /// Whether it is gone, with all that lay in its memory: from then on every operation but
  /// `release` throws.  A fault may come to that.
  virtual bool is_lost() const { return false; }
};

} // namespace sinter::gpu
