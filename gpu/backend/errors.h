// What becomes of a device's errors: none of them leaves this folder as it is.
#pragma once

#include "gpu/device/device.h"
#include "lang/base/runtime_error.h"

#include <stdexcept>
#include <string>

namespace sinter::gpu {

/// The device has no room for it, even after it has given back what it can.
struct DeviceFull {};

/// A kernel that does what it may not do is our own fault, whatever the program: that is told
/// loudly, and nothing goes on in its place.
[[noreturn]] inline void rethrow(const DeviceError& error) {
  switch (error.kind) {
  case DeviceError::Kind::OutOfMemory:
    throw DeviceFull();
  case DeviceError::Kind::Violation:
    throw std::logic_error(std::string("a kernel is wrong: ") + error.what());
  case DeviceError::Kind::NoCode:
  case DeviceError::Kind::Fault:
  case DeviceError::Kind::Lost:
    break;
  }
  // (What was there may be had once more, from where the evaluation began.)
  RuntimeError told(FailureKind::Unsupported, std::string("the device: ") + error.what());
  told.is_provisional = true;
  throw told;
}

/// Calls it, and translates what the device throws.
template <typename Work>
auto on_device(Work&& work) {
  try {
    return work();
  } catch (const DeviceError& error) {
    rethrow(error);
  }
}

/// The same for what has no other way: it throws RuntimeError alone.
template <typename Work>
auto on_device_only(Work&& work) {
  try {
    return on_device(work);
  } catch (const DeviceFull&) {
    throw RuntimeError(FailureKind::Unsupported, "the device has no room");
  }
}

} // namespace sinter::gpu
