// How work that no evaluator walks through learns that it should stop: parsing, checking, reading,
// writing, showing.
//
// Such work goes through many hands that know nothing of a session, and every one of them may have
// much to do.  So the wish to stop is looked for where the work is done, and known by the thread.
#pragma once

#include "lang/base/interrupt.h"

#include <cstddef>
#include <utility>

namespace sinter {

/// While it lives, what its thread does ends with a RuntimeError at the next poll once the source
/// is raised, or if it was raised just before.  They nest; the innermost one counts.
class Interruptible {
public:
  /// The one of this thread that counts; null if there is none.
  static const Interruptible* here() { return innermost_; }
  /// While it lives, its thread stops when that one does: for threads that do another's work.
  class OnBehalf;

  explicit Interruptible(InterruptSource& source)
      : source_(source), epoch_(source.epoch()), around_(std::exchange(innermost_, this)) {}
  ~Interruptible() { innermost_ = around_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  static void poll() {
    if (is_due()) innermost_->stop();
  }
  /// What stops what this thread does; null if nothing does.
  static InterruptSource* source_here() { return innermost_ ? &innermost_->source_ : nullptr; }
  /// Whether the next poll will throw: for libraries that no exception may go through.
  static bool is_due() { return innermost_ && innermost_->is_raised(); }

private:
  friend class Uninterruptible;
  bool is_raised() const {
    return source_.epoch() != epoch_ || source_.reason() != InterruptSource::Reason::None;
  }
  [[noreturn]] void stop() const;

  /// Each thread has its own work.  (Not inline: a plugin would have one for itself.)
  static constinit thread_local const Interruptible* innermost_;

  InterruptSource& source_;
  std::uint32_t epoch_;
  const Interruptible* around_;
};

class Interruptible::OnBehalf {
public:
  explicit OnBehalf(const Interruptible* whose) : before_(std::exchange(innermost_, whose)) {}
  ~OnBehalf() { innermost_ = before_; }
  OnBehalf(const OnBehalf&) = delete;
  OnBehalf& operator=(const OnBehalf&) = delete;

private:
  const Interruptible* before_;
};

/// While it lives, nothing stops: for short work that cannot be left half done.
class Uninterruptible {
public:
  Uninterruptible() : suspended_(std::exchange(Interruptible::innermost_, nullptr)) {}
  ~Uninterruptible() { Interruptible::innermost_ = suspended_; }
  Uninterruptible(const Uninterruptible&) = delete;
  Uninterruptible& operator=(const Uninterruptible&) = delete;

private:
  const Interruptible* suspended_;
};

/// To be called at least every few milliseconds; takes about a nanosecond.
inline void poll_interruption() {
  Interruptible::poll();
}

/// The same for loops whose steps are short: looks once in so many of them.
class SparsePoll {
public:
  void operator()() {
    if (++steps_ % interval == 0) poll_interruption();
  }

private:
  static constexpr std::size_t interval = 4096;
  std::size_t steps_ = 0;
};

} // namespace sinter
