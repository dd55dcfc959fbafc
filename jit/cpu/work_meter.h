// How long a kernel's work takes, as measured: whether more threads pay is known only then.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace sinter::jit {

/// Of one kernel's launches.  Estimates are by size: small arrays come from the caches.
/// Thread-safe.
class WorkMeter {
public:
  /// Nanoseconds of a launch over that many indices, on one thread; 0 if there has been none.
  double estimate(std::int64_t count) const {
    return nanoseconds_per_index_[size_class(count)].load(std::memory_order_relaxed) *
           static_cast<double>(count);
  }
  void add(std::int64_t count, double nanoseconds) {
    if (count <= 0) return;
    std::atomic<float>& known = nanoseconds_per_index_[size_class(count)];
    const auto measured = static_cast<float>(nanoseconds / static_cast<double>(count));
    const float before = known.load(std::memory_order_relaxed);
    // What was slow may have been in others' way, or the first to touch its memory.
    const bool is_slower = before > 0 && measured > before;
    known.store(is_slower ? before + (measured - before) / 8 : measured, std::memory_order_relaxed);
  }

private:
  static std::size_t size_class(std::int64_t count) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(count)));
  }
  std::array<std::atomic<float>, 65> nanoseconds_per_index_{};
};

} // namespace sinter::jit
