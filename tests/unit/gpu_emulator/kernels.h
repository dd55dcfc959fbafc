// Kernels as text, on emulated devices.
#pragma once

#include "gpu/emulator/emulator.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::test {

/// A module of kernels; the table's functions are declared beside the text.  All functions without
/// `internal` are entry points, of up to 1024 threads.
gpu::GpuModule kernels(std::string_view text);

inline gpu::LaunchShape grid(std::uint32_t blocks, std::uint32_t threads,
                             std::uint32_t shared_bytes = 0) {
  return {{blocks, 1, 1}, threads, shared_bytes};
}

/// A device with one module.
class Emulation {
public:
  Emulation(std::string_view text, const gpu::EmulationOptions& options = {});

  template <typename T>
  gpu::DeviceAddress array(const std::vector<T>& elements) {
    const gpu::DeviceAddress address = device->allocate(elements.size() * sizeof(T));
    device->copy_in(address, std::as_bytes(std::span(elements)));
    return address;
  }
  template <typename T>
  std::vector<T> elements(gpu::DeviceAddress address, std::size_t count) {
    std::vector<T> result(count);
    device->copy_out(std::as_writable_bytes(std::span(result)), address);
    return result;
  }
  void launch(std::string_view entry, gpu::LaunchShape shape,
              const std::vector<std::uint64_t>& words) {
    device->launch(code, entry, shape, words);
  }
  /// The words of the violation; empty if there is none.
  std::string violation(std::string_view entry, gpu::LaunchShape shape,
                        const std::vector<std::uint64_t>& words);

  std::unique_ptr<gpu::EmulatedDevice> device;
  std::shared_ptr<gpu::DeviceCode> code;
};

/// The words of the DeviceError that something throws; empty if it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const gpu::DeviceError& error) {
    return error.what();
  }
  return {};
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace sinter::test
