#include "gpu/backend/stop_watch.h"

#include <chrono>

namespace sinter::gpu {

void StopWatch::begin(const InterruptSource& interrupt, std::uint32_t epoch, DeviceAddress word) {
  {
    const std::lock_guard lock(mutex_);
    interrupt_ = &interrupt;
    epoch_ = epoch;
    word_ = word;
    if (!thread_.joinable())
      thread_ = std::jthread([this](const std::stop_token& stop) { look(stop); });
  }
  changed_.notify_one();
}

void StopWatch::end() {
  const std::lock_guard lock(mutex_);
  interrupt_ = nullptr;
}

void StopWatch::look(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds between{2};
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return interrupt_ != nullptr; })) {
    if (interrupt_->epoch() != epoch_) {
      device_.write_at_once(word_, 1);
      interrupt_ = nullptr;
      continue;
    }
    changed_.wait_for(lock, stop, between, [] { return false; });
  }
}

} // namespace sinter::gpu
