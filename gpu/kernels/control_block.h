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
  /// Not 0: so many bytes of scratch memory some thread would have needed, and it had less; the
  /// most of what any of them met.  The results are void, and may be had with more.
  std::uint64_t scratch = 0;
};

/// Of the check number `site` that failed at an index (below 2^48, as all extents are): keys are
/// ordered by index.  A kernel with more sites than that has no place on a device.
inline constexpr std::uint32_t most_failure_sites = 1u << 16;
constexpr std::uint64_t failure_key(std::uint64_t index, std::uint32_t site) {
  return (index << 16) | site;
}
constexpr std::uint64_t index_of_failure(std::uint64_t key) {
  return key >> 16;
}
constexpr std::uint32_t site_of_failure(std::uint64_t key) {
  return static_cast<std::uint32_t>(key & (most_failure_sites - 1));
}

} // namespace sinter::gpu
