// The limits of what a session does: time, memory, and the user's patience.
#pragma once

#include "lang/base/interruptible.h"
#include "lang/values/memory_watch.h"
#include "repl/session/watchdog.h"

#include <chrono>
#include <optional>

namespace sinter::repl {

/// Hold for what its thread does while it lives, evaluations included.  They nest.
class Limits {
public:
  Limits(InterruptSource& interrupt, MemoryWatch& memory,
         std::optional<std::chrono::milliseconds> timeout)
      : interrupt_(interrupt), interruptible_(interrupt), memory_(&memory) {
    if (timeout) watchdog_.emplace(interrupt, *timeout);
  }
  ~Limits() {
    watchdog_.reset();
    interrupt_.clear(); // not before: what is raised ahead of an evaluation is meant for it
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

private:
  InterruptSource& interrupt_;
  const Interruptible interruptible_;
  const HeapWatch::Here memory_;
  std::optional<Watchdog> watchdog_;
};

} // namespace sinter::repl
