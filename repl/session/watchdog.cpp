#include "repl/session/watchdog.h"

namespace sinter::repl {

Watchdog::Watchdog(InterruptSource& interrupt, std::chrono::milliseconds limit)
    : thread_([this, &interrupt, limit] {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, limit, [this] { return done_; }))
          interrupt.raise(InterruptSource::Reason::Timeout);
      }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

} // namespace sinter::repl
