// A pretended device with all checks beside the host, as places of an executable.
#pragma once

#include "gpu/backend/gpu_backend.h"
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/queued_device.h"
#include "jit/runtime/executable.h"
#include "jit/runtime/places.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

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

struct EmulatedPlace {
  /// `is_queued`: launches run by a thread of their own.
  explicit EmulatedPlace(const gpu::EmulationOptions& options = {}, bool is_queued = false) {
    auto made = gpu::make_emulated_device(options);
    device = made.get();
    std::unique_ptr<gpu::Device> used = std::move(made);
    if (is_queued) used = gpu::make_queued_device(std::move(used));
    backend = gpu::make_gpu_backend("emulated", std::move(used), host());
  }
  jit::Places places() const {
    return {{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()};
  }
  std::shared_ptr<jit::Executable> executable(ir::Function function,
                                              const jit::CompileOptions& options = {}) const {
    return jit::make_executable(std::move(function), places(), options);
  }

  gpu::EmulatedDevice* device = nullptr;
  std::unique_ptr<gpu::GpuBackend> backend;
};

} // namespace sinter::test
