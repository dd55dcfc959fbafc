// The devices that can be chosen.
#include "gpu/backend/gpu_backend.h"
#include "gpu/driver/driver_device.h"
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/queued_device.h"
#include "lang/base/cache_folder.h"

#include <stdexcept>

namespace sinter::jit {

namespace {

std::unique_ptr<gpu::Device> make_device(const DeviceChoice& choice) {
  switch (choice.kind) {
  case DeviceChoice::Kind::Emulated: {
    gpu::EmulationOptions options;
    options.memory_bytes = choice.memory_bytes;
    return gpu::make_queued_device(gpu::make_emulated_device(options));
  }
  case DeviceChoice::Kind::Gpu:
    return gpu::driver::make_driver_device(
        gpu::driver::Driver::open(),
        {.number = choice.number, .cache_folder = cache_folder(), .cache_bytes = 256u << 20});
  case DeviceChoice::Kind::Cpu:
    break;
  }
  throw std::runtime_error(name(choice) + " is no device");
}

DeviceDescription description(const DeviceChoice& choice, const gpu::DeviceFacts& facts) {
  return {choice, facts.name, facts.compute_capability, facts.multiprocessors, facts.memory_bytes};
}

} // namespace

std::unique_ptr<Backend> make_device_backend(const DeviceChoice& choice, Backend& host) {
  return gpu::make_gpu_backend(name(choice), make_device(choice), host);
}

DeviceList describe_devices() {
  DeviceList list;
  try {
    const auto driver = gpu::driver::Driver::open();
    for (unsigned number = 0; number < driver->device_count(); ++number)
      list.devices.push_back(description({.kind = DeviceChoice::Kind::Gpu, .number = number},
                                         gpu::driver::device_facts(*driver, number)));
  } catch (const std::runtime_error& error) {
    list.no_gpu = error.what();
  }
  try {
    const DeviceChoice choice = DeviceChoice::emulated();
    DeviceDescription emulated = description(choice, make_device(choice)->facts());
    emulated.name = "a device that is pretended, for tests";
    list.devices.push_back(std::move(emulated));
  } catch (const std::runtime_error&) {
    // There is no memory for it.
  }
  return list;
}

} // namespace sinter::jit
