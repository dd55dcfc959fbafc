// A pretended driver whose GPU is an emulated device, for tests of what uses a driver.
#pragma once

#include "gpu/driver/driver.h"
#include "gpu/driver/driver_device.h"
#include "gpu/emulator/emulator.h"
#include "tests/unit/gpu_driver/library/machine.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinter::test {

/// One at a time: the library has no more than one machine.
///
/// Texts cannot be run: what is loaded by `device` is remembered by its text, and so found again.
class PretendedGpu final : public PretendedMachine {
public:
  explicit PretendedGpu(const gpu::EmulationOptions& options = {});
  ~PretendedGpu() override;

  /// Forgets faults, planted or met; while there is no device.
  void restore();
  /// At the call of that number, counted from 0 from now on, the function fails with this result.
  void plant(std::uint64_t call, Result result);
  std::uint64_t calls() const { return calls_; } ///< since a fault was planted
  /// Whether what was planted has been met.
  bool is_met() const { return calls_ > planted_call_; }
  /// How often each function was called, ever.
  std::map<std::string, std::uint64_t> calls_by_name() const;
  std::int64_t objects() const { return objects_; } ///< not given back, but modules
  const gpu::EmulatedDevice& emulated() const { return *emulated_; }
  std::uint64_t assembled = 0; ///< texts
  unsigned count = 1;          ///< of devices
  bool refuses_texts = false;  ///< the linker does

  std::shared_ptr<const gpu::driver::Driver> driver();
  /// A driver's device, whose modules are remembered.
  std::unique_ptr<gpu::Device> device(const gpu::driver::DriverDeviceOptions& options = {});
  /// What is loaded from now on may be this.
  void remember(const gpu::GpuModule& module);

  Result begin(const char* function) noexcept override;
  void count_object(int change) noexcept override { objects_ += change; }
  unsigned device_count() const noexcept override { return count; }
  Result allocate(std::size_t bytes, std::uint64_t& address) noexcept override;
  Result release(std::uint64_t address) noexcept override;
  Result copy_in(std::uint64_t target, const void* source, std::size_t bytes,
                 bool is_urgent) noexcept override;
  Result copy_out(void* target, std::uint64_t source, std::size_t bytes) noexcept override;
  Result copy_within(std::uint64_t target, std::uint64_t source,
                     std::size_t bytes) noexcept override;
  Result fill(std::uint64_t target, std::uint64_t element, std::size_t element_bytes,
              std::size_t count) noexcept override;
  Result assemble(const char* text, std::string& made) noexcept override;
  Result load(const char* cubin, std::uint64_t& module) noexcept override;
  void unload(std::uint64_t module) noexcept override;
  Result find(std::uint64_t module, const char* entry, std::size_t& words) noexcept override;
  Result launch(std::uint64_t module, const std::string& entry, const gpu::LaunchShape& shape,
                std::span<const std::uint64_t> words) noexcept override;

private:
  /// A module that can be made again.
  struct Kept {
    std::string bitcode;
    std::vector<gpu::EntryPoint> entries;
    std::shared_ptr<gpu::DeviceCode> code; ///< when it has been asked for
  };
  struct Loaded {
    std::vector<gpu::EntryPoint> entries;
    std::shared_ptr<gpu::DeviceCode> code;
  };
  template <typename Work>
  Result result_of(Work&& work) noexcept;

  std::unique_ptr<gpu::EmulatedDevice> emulated_;
  mutable std::mutex mutex_;
  std::map<std::string, Kept> kept_;         ///< by text
  std::map<std::string, std::string> texts_; ///< by bitcode
  std::map<std::uint64_t, Loaded> loaded_;
  std::uint64_t next_module_ = 1;
  std::map<std::string, std::uint64_t> calls_by_name_;
  std::atomic<std::uint64_t> calls_{0};
  std::uint64_t planted_call_ = UINT64_MAX;
  Result planted_ = 0;
  std::atomic<std::int64_t> objects_{0};
};

} // namespace sinter::test
