#include "repl/session/interrupt_key.h"

#include <atomic>

namespace sinter::repl {

namespace {

// A signal handler has no other way to its data than a global; it is set only while a key lives.
std::atomic<InterruptSource*> current_source{nullptr};

void on_interrupt(int) {
  if (InterruptSource* source = current_source.load(std::memory_order_relaxed))
    source->raise(InterruptSource::Reason::Interrupt);
}

} // namespace

InterruptKey::InterruptKey(InterruptSource& source)
    : source_before_(current_source.load(std::memory_order_relaxed)) {
  // What is left of earlier; but not what was raised a moment ago for this very source, and before
  // the handler can find it: a signal from then on counts.
  if (source_before_ != &source) source.clear();
  current_source.store(&source, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_); // no SA_RESTART: a blocking read returns
  if (source_before_ && source_before_->reason() == InterruptSource::Reason::Interrupt)
    source.raise(InterruptSource::Reason::Interrupt);
}

InterruptKey::~InterruptKey() {
  // First the source: a signal in between must not find one that is gone.
  current_source.store(source_before_, std::memory_order_relaxed);
  sigaction(SIGINT, &before_, nullptr);
}

} // namespace sinter::repl
