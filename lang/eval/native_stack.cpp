#include "lang/eval/native_stack.h"

#include "lang/base/runtime_error.h"

#include <exception>
#include <pthread.h>

namespace sinter::eval {

namespace {

// Recursion takes some 1.5 KiB for each call of the program; only touched pages cost memory.
#ifdef __SANITIZE_ADDRESS__
// The address sanitizer does not follow exceptions on stacks beyond 64 MiB.
constexpr std::size_t wanted_bytes = std::size_t{60} << 20;
#elif defined(__SANITIZE_THREAD__)
// The thread sanitizer keeps track of 65,536 nested functions, and crashes beyond.
constexpr std::size_t wanted_bytes = std::size_t{11} << 20;
#else
constexpr std::size_t wanted_bytes = std::size_t{2} << 30;
#endif
constexpr std::size_t least_bytes = std::size_t{4} << 20;

struct Job {
  const std::function<void()>& action;
  std::exception_ptr error;
};

void* start(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  try {
    job.action();
  } catch (...) {
    job.error = std::current_exception();
  }
  return nullptr;
}

} // namespace

NativeStack::NativeStack() : memory_(wanted_bytes, least_bytes) {}

// COULD: switch stacks within the thread (Boost.Context); a thread is what debuggers and sanitizers
// understand without help, and starting one takes microseconds.
void NativeStack::run(const std::function<void()>& action) {
  Job job{action, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  bool started = pthread_attr_setstack(&attributes, memory_.begin(), memory_.bytes()) == 0 &&
                 pthread_create(&thread, &attributes, start, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) throw RuntimeError(FailureKind::OutOfMemory, "cannot start the evaluator's thread");
  pthread_join(thread, nullptr);
  if (job.error) std::rethrow_exception(job.error);
}

} // namespace sinter::eval
