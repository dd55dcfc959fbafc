// A time limit: raises an interrupt when an evaluation takes too long.
#pragma once

#include "lang/base/interrupt.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace sinter::repl {

/// Counts from construction; destroyed in time, it never raises anything.
class Watchdog {
public:
  Watchdog(InterruptSource& interrupt, std::chrono::milliseconds limit);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

} // namespace sinter::repl
