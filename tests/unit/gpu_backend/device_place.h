// A device beside the host, as places of an executable: a pretended one with all checks, or a GPU.
#pragma once

#include "gpu/backend/gpu_backend.h"
#include "gpu/driver/driver_device.h"
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/queued_device.h"
#include "jit/runtime/executable.h"
#include "jit/runtime/places.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace sinter::test {

/// No cache on disk: every test compiles anew.
inline jit::Backend& host() {
  setenv("SINTER_CACHE", "off", 1);
  static const std::unique_ptr<jit::Backend> cpu = jit::make_cpu_backend();
  return *cpu;
}

/// Blocks and threads in the order of that number.
inline gpu::EmulationOptions of_seed(std::uint64_t seed) {
  gpu::EmulationOptions options;
  options.seed = seed;
  return options;
}

/// With SINTER_TEST_DEVICE=gpu in the environment the tests are a GPU's: what only a pretended
/// device does (little memory, an order by seed) is then left out.
inline bool is_gpu_under_test() {
  const char* const name = std::getenv("SINTER_TEST_DEVICE");
  return name && std::string_view(name) == "gpu";
}

/// The device that the tests are about.
inline std::unique_ptr<gpu::Device> device_under_test(const gpu::EmulationOptions& options = {}) {
  if (!is_gpu_under_test()) return gpu::make_emulated_device(options);
  static const std::shared_ptr<const gpu::driver::Driver> driver = gpu::driver::Driver::open();
  // (What is the first device's own outlives the others': making it anew takes a while.)
  static const std::unique_ptr<gpu::Device> first = gpu::driver::make_driver_device(driver);
  return gpu::driver::make_driver_device(driver);
}

struct DevicePlace {
  /// `is_queued`: launches of a pretended device run by a thread of their own, as a GPU's do.
  explicit DevicePlace(const gpu::EmulationOptions& options = {}, bool is_queued = false) {
    std::unique_ptr<gpu::Device> device = device_under_test(options);
    if (is_queued && !is_gpu_under_test()) device = gpu::make_queued_device(std::move(device));
    backend = gpu::make_gpu_backend("device", std::move(device), host());
  }
  jit::Places places() const {
    return {{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()};
  }
  std::shared_ptr<jit::Executable> executable(ir::Function function,
                                              const jit::CompileOptions& options = {}) const {
    return jit::make_executable(std::move(function), places(), options);
  }

  std::unique_ptr<gpu::GpuBackend> backend;
};

} // namespace sinter::test
