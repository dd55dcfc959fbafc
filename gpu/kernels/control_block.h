// A few words of the device's memory through which kernels and the host speak while kernels run.
#pragma once

#include <cstdint>

namespace sinter::gpu {

/// One for each stream of launches; kernels get its address.  A kernel whose control block has a
/// failure or a wish to stop ends at once; threads that have seen one still come to their block's
/// barriers.
struct ControlBlock {
  /// Not 0: whoever looks ends as soon as possible.
  std::uint32_t stop = 0;
  std::uint32_t unused = 0;
  /// The least of what failing checks noted, by an atomic unsigned minimum: `failure_key`.
  std::uint64_t failure = UINT64_MAX;
};

/// Of the check number `site` that failed at an index (below 2^48, as all extents are): keys are
/// ordered by index.  A kernel with more sites than that has no place on a device.
inline constexpr std::uint32_t most_failure_sites = 1u << 16;
constexpr std::uint64_t failure_key(std::uint64_t index, std::uint32_t site) {
  return (index << 16) | site;
}

} // namespace sinter::gpu
