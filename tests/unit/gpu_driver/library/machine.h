// What a pretended driver is told by the test that uses it: the two are in different libraries.
#pragma once

#include "gpu/device/device.h"
#include "gpu/driver/driver_types.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace sinter::test {

using gpu::driver::Result;

/// The machine behind the driver.  Members give the result of the driver's function; nothing is
/// thrown.  Thread-safe.
class PretendedMachine {
public:
  virtual ~PretendedMachine() = default;
  /// At each call of a function: its result if it shall fail, else 0.
  virtual Result begin(const char* function) noexcept = 0;
  /// After a driver's object was made (1) or given back (-1).
  virtual void count_object(int change) noexcept = 0;
  virtual unsigned device_count() const noexcept = 0;

  virtual Result allocate(std::size_t bytes, std::uint64_t& address) noexcept = 0;
  virtual Result release(std::uint64_t address) noexcept = 0;
  /// `is_urgent`: another stream may be running.
  virtual Result copy_in(std::uint64_t target, const void* source, std::size_t bytes,
                         bool is_urgent) noexcept = 0;
  virtual Result copy_out(void* target, std::uint64_t source, std::size_t bytes) noexcept = 0;
  virtual Result copy_within(std::uint64_t target, std::uint64_t source,
                             std::size_t bytes) noexcept = 0;
  virtual Result fill(std::uint64_t target, std::uint64_t element, std::size_t element_bytes,
                      std::size_t count) noexcept = 0;

  /// The code for a text; an error with a text in `made` if the linker refuses it.
  virtual Result assemble(const char* text, std::string& made) noexcept = 0;
  virtual Result load(const char* cubin, std::uint64_t& module) noexcept = 0;
  virtual void unload(std::uint64_t module) noexcept = 0;
  /// How many words of parameters the entry point takes; an error if there is none of that name.
  virtual Result find(std::uint64_t module, const char* entry, std::size_t& words) noexcept = 0;
  virtual Result launch(std::uint64_t module, const std::string& entry,
                        const gpu::LaunchShape& shape,
                        std::span<const std::uint64_t> words) noexcept = 0;
};

/// The library's function of this name: sets the machine that all calls are for.  At that time
/// there is no object of an earlier one.  Null: a machine that copies and fills, and has a fault as
/// soon as code is to run.
using SetMachine = void (*)(PretendedMachine*);
inline constexpr const char* set_machine_name = "sinter_set_machine";

} // namespace sinter::test
