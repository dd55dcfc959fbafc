// NVIDIA's driver: a library that is opened when a GPU is asked for, and its functions.
#pragma once

#include "gpu/device/device.h"
#include "gpu/driver/driver_types.h"

#include <memory>
#include <string>
#include <vector>

namespace sinter::gpu::driver {

/// Named as the driver's documentation names them.
struct Functions {
#define SINTER_DRIVER_FUNCTION(name, library_name, parameters) Result(*name) parameters = nullptr;
#include "gpu/driver/driver_functions.def"
#undef SINTER_DRIVER_FUNCTION
};

inline constexpr const char* usual_library = "libcuda.so.1";

/// What became of a call: the kind of DeviceError that the result stands for.
DeviceError::Kind kind_of(Result result);

/// The driver, ready to be used.  Thread-safe.
class Driver {
public:
  /// Throws std::runtime_error in words for whoever asked for a GPU: if there is no driver, if it
  /// lacks a function, or if it finds no GPU.
  static std::shared_ptr<const Driver> open(const std::string& library = usual_library);

  const Functions* operator->() const { return &functions_; }
  int version() const { return version_; } ///< 1000 times the major number of CUDA, and so on
  unsigned device_count() const { return device_count_; }

  /// Throws DeviceError if the result of the function is not 0.
  void check(Result result, const char* function) const {
    if (result != 0) [[unlikely]]
      fail(result, function);
  }
  /// The result in words: "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::string words(Result result) const;

private:
  explicit Driver(const std::string& library);
  [[noreturn]] void fail(Result result, const char* function) const;

  Functions functions_;
  int version_ = 0;
  unsigned device_count_ = 0;
};

/// What the driver knows of its devices; `number` counts from 0.  Throws DeviceError.
DeviceFacts device_facts(const Driver& driver, unsigned number);

} // namespace sinter::gpu::driver
