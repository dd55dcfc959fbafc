// Waiting for what another thread is about to say.
#pragma once

#include <thread>

namespace sinter {

/// It comes soon, or that thread needs this one's processor.
class SpinWait {
public:
  /// So many turns are over at once: of words that mostly are there by then.
  explicit SpinWait(unsigned turns_at_once = 0) : at_once_(turns_at_once) {}
  /// A turn.
  void wait() {
    constexpr unsigned soon = 4000;
    ++turns_;
    if (turns_ < at_once_) return;
    if (turns_ < soon)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }

private:
  unsigned at_once_, turns_ = 0;
};

} // namespace sinter
