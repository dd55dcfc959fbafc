#include "repl/streaming/end_key.h"

#include <atomic>
#include <cassert>

namespace sinter::repl {

namespace {

// A signal handler has no other way to its data than globals; they are set only while a key lives.
std::atomic<InterruptSource*> current_end{nullptr};
std::atomic<InterruptSource*> current_evaluation{nullptr};

void on_interrupt(int) {
  InterruptSource* const end = current_end.load(std::memory_order_relaxed);
  InterruptSource* const evaluation = current_evaluation.load(std::memory_order_relaxed);
  if (!end || !evaluation) return;
  InterruptSource* const raised = end->reason() == InterruptSource::Reason::None ? end : evaluation;
  raised->raise(InterruptSource::Reason::Interrupt);
}

} // namespace

EndKey::EndKey(InterruptSource& end, InterruptSource& evaluation) {
  assert(!current_end.load(std::memory_order_relaxed));
  current_end.store(&end, std::memory_order_relaxed);
  current_evaluation.store(&evaluation, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_); // no SA_RESTART: a blocking read returns
}

EndKey::~EndKey() {
  sigaction(SIGINT, &before_, nullptr);
  current_end.store(nullptr, std::memory_order_relaxed);
  current_evaluation.store(nullptr, std::memory_order_relaxed);
}

} // namespace sinter::repl
