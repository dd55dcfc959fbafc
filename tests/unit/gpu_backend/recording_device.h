// A device that tells which entry points were launched.
#pragma once

#include "tests/unit/gpu_backend/forwarding_device.h"

#include <memory>
#include <string>
#include <vector>

namespace sinter::test {

class RecordingDevice final : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;

  std::vector<std::string> launched; ///< in order

  void launch(const std::shared_ptr<gpu::DeviceCode>& code, std::string_view entry,
              const gpu::LaunchShape& shape, std::span<const std::uint64_t> words) override {
    launched.emplace_back(entry);
    ForwardingDevice::launch(code, entry, shape, words);
  }
};

} // namespace sinter::test
