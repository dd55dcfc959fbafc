// The devices that can be chosen.
#include "gpu/backend/gpu_backend.h"
#include "gpu/emulator/emulator.h"

#include <stdexcept>

namespace sinter::jit {

std::unique_ptr<Backend> make_device_backend(DeviceChoice choice, Backend& host) {
  const std::string name(jit::name(choice));
  switch (choice) {
  case DeviceChoice::Emulated: {
    gpu::EmulationOptions options;
    options.memory_bytes = std::size_t{256} << 20;
    return gpu::make_gpu_backend(name, gpu::make_emulated_device(options), host);
  }
  case DeviceChoice::Cpu:
    break;
  }
  throw std::runtime_error(name + " is no device");
}

} // namespace sinter::jit
