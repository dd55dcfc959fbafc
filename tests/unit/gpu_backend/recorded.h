// As `Both`, on a device that tells which entry points were launched.
#pragma once

#include "both_places.h"
#include "recording_device.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::test {

inline Scalar any_double(generate::Random& random, std::int64_t i) {
  return Scalar::of(static_cast<double>(any_float(random, i).as<float>()) / 7.0);
}

struct Recorded {
  explicit Recorded(std::string_view text, const gpu::EmulationOptions& options = {}) {
    auto made = std::make_unique<RecordingDevice>(device_under_test(options));
    device = made.get();
    backend = gpu::make_gpu_backend("device", std::move(made), host());
    const ir::Function function = ir::parse(text);
    on_device = jit::make_executable(
        function,
        jit::Places{{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()}, {});
    on_host = jit::make_executable(function, host(), {});
  }
  /// Gives the entry points that ran.
  std::vector<std::string> check(const std::vector<ir::DenseValue>& arguments,
                                 Arrangement arrangement = Arrangement::Dense) const {
    device->launched.clear();
    check_equal(*backend, *on_device, *on_host, arguments, arrangement);
    return device->launched;
  }
  RecordingDevice* device = nullptr;
  std::unique_ptr<gpu::GpuBackend> backend;
  std::shared_ptr<jit::Executable> on_device, on_host;
};

} // namespace sinter::test
