#include "lang/eval/native_stack.h"

#include "lang/base/runtime_error.h"

#include <cassert>
#include <exception>
#include <pthread.h>
#include <utility>

namespace sinter::eval {

namespace {

// Recursion takes some 1.5 KiB for each call of the program; only touched pages cost memory.
#ifdef __SANITIZE_ADDRESS__
// The address sanitizer does not follow exceptions on stacks beyond 64 MiB.
constexpr std::size_t wanted_bytes = std::size_t{60} << 20;
#elif defined(__SANITIZE_THREAD__)
// The thread sanitizer keeps track of 65,536 nested functions, and crashes beyond.
constexpr std::size_t wanted_bytes = std::size_t{10} << 20;
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

pthread_t start_on(const ReservedMemory& memory, void* (*start)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  const bool started = pthread_attr_setstack(&attributes, memory.begin(), memory.bytes()) == 0 &&
                       pthread_create(&thread, &attributes, start, argument) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) throw RuntimeError(FailureKind::OutOfMemory, "cannot start the evaluator's thread");
  return thread;
}

} // namespace

NativeStack::NativeStack() : memory_(wanted_bytes, least_bytes) {}

// COULD: switch stacks within the thread (Boost.Context); a thread is what debuggers and sanitizers
// understand without help, and starting one takes microseconds.
void NativeStack::run(const std::function<void()>& action) {
  Job job{action, nullptr};
  pthread_join(start_on(memory_, start, &job), nullptr);
  if (job.error) std::rethrow_exception(job.error);
}

struct NativeThread::Running {
  NativeStack stack;
  std::function<void(const std::byte*)> action;
  pthread_t thread;
};

NativeThread::NativeThread() = default;
NativeThread::NativeThread(std::function<void(const std::byte*)> action)
    : running_(std::make_unique<Running>()) {
  running_->action = std::move(action);
  const auto begin = [](void* argument) -> void* {
    const auto& running = *static_cast<const Running*>(argument);
    running.action(running.stack.limit());
    return nullptr;
  };
  running_->thread = start_on(running_->stack.memory_, begin, running_.get());
}
NativeThread::NativeThread(NativeThread&&) noexcept = default;
NativeThread& NativeThread::operator=(NativeThread&& other) noexcept {
  assert(!joinable());
  running_ = std::move(other.running_);
  return *this;
}
NativeThread::~NativeThread() {
  assert(!joinable());
}

void NativeThread::join() {
  pthread_join(running_->thread, nullptr);
  running_.reset();
}

} // namespace sinter::eval
