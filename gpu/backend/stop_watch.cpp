#include "gpu/backend/stop_watch.h"

#include <chrono>

namespace sinter::gpu {

void StopWatch::begin(const InterruptSource& interrupt, std::uint32_t epoch, const Words& words) {
  {
    const std::lock_guard lock(mutex_);
    interrupt_ = &interrupt;
    epoch_ = epoch;
    words_ = words;
    if (!thread_.joinable())
      thread_ = std::jthread([this](const std::stop_token& stop) { look(stop); });
  }
  changed_.notify_one();
}

void StopWatch::end() {
  const std::lock_guard lock(mutex_);
  interrupt_ = nullptr;
}

void StopWatch::write() {
  try {
    for (const DeviceAddress word : words_)
      device_.write_at_once(word, 1);
  } catch (const DeviceError&) {
    interrupt_ = nullptr; // who waits for the device is told what became of it
  }
}

void StopWatch::look(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds between{2};
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return interrupt_ != nullptr; })) {
    // (Again and again: what the word is at first may be on its way there.)
    if (interrupt_->epoch() != epoch_) write();
    changed_.wait_for(lock, stop, between, [] { return false; });
  }
}

} // namespace sinter::gpu
