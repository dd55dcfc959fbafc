// A device that tells which entry points were launched.
#pragma once

#include "gpu/device/device.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::test {

class RecordingDevice final : public gpu::Device {
public:
  explicit RecordingDevice(std::unique_ptr<gpu::Device> device) : device_(std::move(device)) {}

  std::vector<std::string> launched; ///< in order

  const gpu::DeviceFacts& facts() const override { return device_->facts(); }
  gpu::DeviceAddress allocate(std::size_t bytes) override { return device_->allocate(bytes); }
  void release(gpu::DeviceAddress address) override { device_->release(address); }
  void copy_in(gpu::DeviceAddress target, std::span<const std::byte> source) override {
    device_->copy_in(target, source);
  }
  void copy_out(std::span<std::byte> target, gpu::DeviceAddress source) override {
    device_->copy_out(target, source);
  }
  void copy_within(gpu::DeviceAddress target, gpu::DeviceAddress source,
                   std::size_t bytes) override {
    device_->copy_within(target, source, bytes);
  }
  void fill(gpu::DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
            std::size_t count) override {
    device_->fill(target, element, element_bytes, count);
  }
  std::shared_ptr<gpu::DeviceCode> load(gpu::GpuModule module) override {
    return device_->load(std::move(module));
  }
  void launch(const std::shared_ptr<gpu::DeviceCode>& code, std::string_view entry,
              const gpu::LaunchShape& shape, std::span<const std::uint64_t> words) override {
    launched.emplace_back(entry);
    device_->launch(code, entry, shape, words);
  }
  void finish() override { device_->finish(); }
  void write_at_once(gpu::DeviceAddress address, std::uint32_t word) override {
    device_->write_at_once(address, word);
  }

private:
  std::unique_ptr<gpu::Device> device_;
};

} // namespace sinter::test
