#include "gpu/driver/driver.h"

#include <array>
#include <stdexcept>

#include <dlfcn.h>

namespace sinter::gpu::driver {

namespace {

/// (It is never closed: the driver has threads of its own.)
void* open_library(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw std::runtime_error("there is no GPU to be used: NVIDIA's driver is not installed (`" +
                             library + "` cannot be opened)");
  return handle;
}

template <typename FunctionPointer>
void find(FunctionPointer& function, void* library, const char* name) {
  function = reinterpret_cast<FunctionPointer>(dlsym(library, name));
  if (!function)
    throw std::runtime_error("there is no GPU to be used: NVIDIA's driver is too old (it has no `" +
                             std::string(name) + "`)");
}

} // namespace

DeviceError::Kind kind_of(Result result) {
  switch (result) {
#define SINTER_DRIVER_ERROR(number, name, kind)                                                    \
  case number:                                                                                     \
    return DeviceError::Kind::kind;
#include "gpu/driver/driver_errors.def"
#undef SINTER_DRIVER_ERROR
  default:
    return DeviceError::Kind::Lost;
  }
}

std::shared_ptr<const Driver> Driver::open(const std::string& library) {
  return std::shared_ptr<const Driver>(new Driver(library));
}

Driver::Driver(const std::string& library) {
  void* const handle = open_library(library);
#define SINTER_DRIVER_FUNCTION(name, library_name, parameters)                                     \
  find(functions_.name, handle, #library_name);
#include "gpu/driver/driver_functions.def"
#undef SINTER_DRIVER_FUNCTION
  const auto need = [&](Result result) {
    if (result != 0)
      throw std::runtime_error("there is no GPU to be used: NVIDIA's driver says: " +
                               words(result));
  };
  need(functions_.cuInit(0));
  need(functions_.cuDriverGetVersion(&version_));
  int count = 0;
  need(functions_.cuDeviceGetCount(&count));
  if (count <= 0) throw std::runtime_error("there is no GPU: NVIDIA's driver finds none");
  device_count_ = static_cast<unsigned>(count);
}

std::string Driver::words(Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (functions_.cuGetErrorName(result, &name) != 0 || !name)
    return "error " + std::to_string(result);
  if (functions_.cuGetErrorString(result, &text) != 0 || !text) return name;
  return std::string(text) + " (" + name + ")";
}

void Driver::fail(Result result, const char* function) const {
  throw DeviceError(kind_of(result), std::string(function) + ": " + words(result));
}

DeviceFacts device_facts(const Driver& driver, unsigned number) {
  DeviceNumber device = 0;
  driver.check(driver->cuDeviceGet(&device, static_cast<int>(number)), "cuDeviceGet");
  const auto attribute = [&](DeviceAttribute which) {
    int value = 0;
    driver.check(driver->cuDeviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
    return static_cast<unsigned>(value);
  };
  DeviceFacts facts;
  std::array<char, 256> name = {};
  driver.check(driver->cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), device),
               "cuDeviceGetName");
  facts.name = name.data();
  facts.compute_capability =
      10 * attribute(device_capability_major) + attribute(device_capability_minor);
  facts.multiprocessors = attribute(device_multiprocessors);
  driver.check(driver->cuDeviceTotalMem(&facts.memory_bytes, device), "cuDeviceTotalMem");
  facts.shared_bytes = attribute(device_shared_bytes);
  facts.threads_of_multiprocessor = attribute(device_threads_of_multiprocessor);
  facts.registers_of_multiprocessor = attribute(device_registers_of_multiprocessor);
  facts.shared_of_multiprocessor = attribute(device_shared_of_multiprocessor);
  // Twice in each cycle, as many bits as the bus is wide.
  facts.bytes_per_second =
      2.0 * 1000 * attribute(device_memory_kilohertz) / 8 * attribute(device_memory_bus_bits);
  return facts;
}

} // namespace sinter::gpu::driver
