// Holds a budget against the heap too: records, closures, texts and all else that is no array.
#pragma once

#include "lang/base/heap.h"
#include "lang/base/interrupt.h"
#include "lang/values/array.h"

#include <atomic>

namespace sinter {

/// While a thread tells it (HeapWatch::Here), what the heap has grown by since `begin` counts
/// against the budget's limit.  Beyond the limit the interrupt is raised, so that what runs ends
/// with an error at its next poll; what nobody uses goes back to the system before that.
class MemoryWatch final : public HeapWatch {
public:
  MemoryWatch(MemoryBudget& budget, InterruptSource& interrupt)
      : budget_(budget), interrupt_(interrupt) {
    begin();
  }
  /// What is in use now does not count.
  void begin() noexcept { base_.store(heap_in_use(), std::memory_order_relaxed); }

  void grew() noexcept override;
  bool allows(std::size_t bytes) noexcept override;
  std::size_t heap_bytes() const noexcept override;
  void make_room(std::size_t bytes) noexcept override;
  std::string excess() const override;

private:
  std::size_t used() const noexcept { return budget_.in_use() + heap_bytes(); }

  MemoryBudget& budget_;
  InterruptSource& interrupt_;
  std::atomic<std::ptrdiff_t> base_{0};
  std::atomic<std::size_t> refused_{0}; ///< the last allocation that was not allowed
};

} // namespace sinter
