#include "gpu/device/occupancy.h"

#include "gpu/kernels/abstract_functions.h"

#include <algorithm>

namespace sinter::gpu {

unsigned blocks_of_multiprocessor(const DeviceFacts& device, const CodeFacts& code,
                                  const LaunchShape& shape) {
  if (code.registers == 0) return usual_blocks_of_multiprocessor;
  constexpr unsigned parts = 4, registers_at_once = 256, most_blocks = 32;
  constexpr std::size_t shared_beside = 1 << 10;
  const auto multiple = [](unsigned number, unsigned of) { return (number + of - 1) / of * of; };
  const unsigned warps = multiple(std::max(shape.threads, 1u), warp_size) / warp_size;
  const unsigned of_warp = multiple(code.registers * warp_size, registers_at_once);
  const unsigned by_registers =
      device.registers_of_multiprocessor / parts / of_warp * parts / warps;
  const unsigned by_threads = device.threads_of_multiprocessor / (warps * warp_size);
  const auto by_memory = static_cast<unsigned>(
      device.shared_of_multiprocessor / (shape.shared_bytes + code.shared_bytes + shared_beside));
  return std::clamp(std::min({by_registers, by_threads, by_memory}), 1u, most_blocks);
}

} // namespace sinter::gpu
