// What NVIDIA's driver takes and gives, in declarations of our own: neither building nor starting
// needs its headers.  (A test compares them with `cuda.h` where that is installed.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::gpu::driver {

/// 0: it was done; driver_errors.def has the others.
using Result = int;
using DeviceNumber = int;
using DevicePointer = std::uint64_t;

using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using LinkState = struct LinkStateObject*;

/// The numbers that we use of the driver's enumerations.
enum DeviceAttribute : int {
  device_multiprocessors = 16,
  device_memory_kilohertz = 36,
  device_memory_bus_bits = 37,
  device_threads_of_multiprocessor = 39,
  device_capability_major = 75,
  device_capability_minor = 76,
  device_shared_of_multiprocessor = 81,
  device_registers_of_multiprocessor = 82,
  device_shared_bytes = 97, ///< of a block that asks for more than it has otherwise
};
enum FunctionAttribute : int {
  function_shared_bytes = 1,
  function_constant_bytes = 2,
  function_local_bytes = 3,
  function_registers = 4,
  function_most_dynamic_shared_bytes = 8,
};
enum LinkOption : int {
  link_error_log = 5,
  link_error_log_bytes = 6,
};
enum LinkInput : int { link_input_ptx = 1 };

inline constexpr unsigned stream_non_blocking = 1; ///< does not wait for the stream of others
inline constexpr unsigned event_without_time = 2;

} // namespace sinter::gpu::driver
