// A few words of the device's memory through which kernels and the host speak while kernels run.
#pragma once

#include <cstdint>

namespace sinter::gpu {

/// Of the steps of a stream of launches each uses the block that the step before did not; kernels
/// get the addresses of both.  They begin only if the other block says that all before went well:
/// as nobody changes that one while they run, all threads of a block of threads do the same.  If it
/// does not, they see to it that their own one says so, too.  Threads that are to stop still come
/// to the barriers of those around them.
struct ControlBlock {
  /// Not 0: whoever looks ends as soon as possible.  The host writes that, in both blocks.
  std::uint32_t stop = 0;
  /// Not 0: somebody has seen that, or nothing was done as a step before had not gone well.
  std::uint32_t ended = 0;
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
