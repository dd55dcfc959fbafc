// The limits of what a session does: time, memory, and the user's patience.
#pragma once

#include "lang/base/interruptible.h"
#include "lang/values/memory_watch.h"
#include "repl/session/watchdog.h"

#include <chrono>
#include <exception>
#include <optional>

namespace sinter::repl {

/// Hold for what its thread does while it lives, evaluations included.  They nest.
class Limits {
public:
  Limits(InterruptSource& interrupt, MemoryWatch& memory,
         std::optional<std::chrono::milliseconds> timeout)
      : interrupt_(interrupt), is_nested_(Interruptible::source_here() == &interrupt),
        interruptible_(interrupt), memory_(&memory) {
    if (timeout) watchdog_.emplace(interrupt, *timeout);
  }
  ~Limits() {
    watchdog_.reset();
    // What is raised ahead of an evaluation is meant for it, what nobody has met until its end for
    // what is done around it.
    if (!is_nested_ || std::uncaught_exceptions() > exceptions_) interrupt_.clear();
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

private:
  InterruptSource& interrupt_;
  const bool is_nested_;
  const int exceptions_ = std::uncaught_exceptions(); ///< around it
  const Interruptible interruptible_;
  const HeapWatch::Here memory_;
  std::optional<Watchdog> watchdog_;
};

} // namespace sinter::repl
