// The epoch word: how running code learns that it should stop.
#pragma once

#include <atomic>
#include <cstdint>

namespace sinter {

/// One per session.  Running code compares `epoch` with the value that it had at the start, at loop
/// back-edges and between chunks; a different value means "stop, see `reason`".  Raising it is
/// async-signal-safe.
class InterruptSource {
public:
  enum class Reason : std::uint32_t {
    None,
    Interrupt,
    Timeout,
    MemoryLimit,
    LostPages, ///< of a file that is in use: see lost_pages.h
  };

  void raise(Reason reason) noexcept {
    reason_.store(reason, std::memory_order_relaxed);
    epoch_.fetch_add(1, std::memory_order_release);
  }
  std::uint32_t epoch() const noexcept { return epoch_.load(std::memory_order_relaxed); }
  /// The word itself, for compiled code.
  const std::atomic<std::uint32_t>& epoch_word() const noexcept { return epoch_; }
  Reason reason() const noexcept { return reason_.load(std::memory_order_acquire); }
  void clear() noexcept { reason_.store(Reason::None, std::memory_order_relaxed); }

private:
  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<Reason> reason_{Reason::None};
};

} // namespace sinter
