#include "lang/eval/native_stack.h"

#include "lang/base/heap.h"
#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

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

void NativeStack::forget_depths() const noexcept {
  constexpr std::ptrdiff_t kept = std::ptrdiff_t{256} << 10;
  const std::byte here{};
  const std::ptrdiff_t depth = &here - memory_.begin() - kept;
  const auto page = static_cast<std::ptrdiff_t>(sysconf(_SC_PAGE_SIZE));
  if (depth > page)
    (void)madvise(memory_.begin(), static_cast<std::size_t>(depth / page * page), MADV_DONTNEED);
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

const NativeStack& NativeThread::stack() const {
  return running_->stack;
}

void NativeThread::join() {
  pthread_join(running_->thread, nullptr);
  running_.reset();
}

// COULD: switch stacks within the thread (Boost.Context); a thread is what debuggers, sanitizers
// and oneTBB, which looks where its caller's stack lies, understand without help.
class NativeStacks::Standing {
public:
  Standing() : thread_([this](const std::byte* stack_limit) { stand(stack_limit); }) {}
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;
  ~Standing() {
    action_ = nullptr;
    hand_over(to_thread);
    thread_.join();
  }

  void run(const std::function<void(const std::byte*)>& action) {
    action_ = &action;
    watch_ = HeapWatch::here();
    interruptible_ = Interruptible::here();
    hand_over(to_thread);
    wait_while(to_thread);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

private:
  /// Whose turn it is.
  static constexpr std::uint32_t to_caller = 0, to_thread = 1;

  void stand(const std::byte* stack_limit) {
    for (;;) {
      wait_while(to_caller);
      if (!action_) return;
      const auto begin = Clock::now();
      try {
        const HeapWatch::Here here(watch_);
        const Interruptible::OnBehalf caller(interruptible_);
        (*action_)(stack_limit);
      } catch (...) {
        error_ = std::current_exception();
      }
      // What is short can't have gone deep.
      if (Clock::now() - begin > std::chrono::microseconds(200)) thread_.stack().forget_depths();
      hand_over(to_caller);
    }
  }

  void hand_over(std::uint32_t turn) {
    turn_.store(turn, std::memory_order_release);
    turn_.notify_one();
  }
  /// Spins for microseconds and gives way in between, then blocks.
  void wait_while(std::uint32_t turn) const {
    const auto end = Clock::now() + std::chrono::microseconds(10);
    do {
      for (int i = 0; i < 16; ++i) {
        if (turn_.load(std::memory_order_acquire) != turn) return;
        pause();
      }
      std::this_thread::yield(); // the other one may wait for this processor
    } while (Clock::now() < end);
    turn_.wait(turn, std::memory_order_acquire);
  }
  static void pause() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }

  using Clock = std::chrono::steady_clock;

  std::atomic<std::uint32_t> turn_{to_caller};
  const std::function<void(const std::byte*)>* action_ = nullptr;
  // Of who waits:
  HeapWatch* watch_ = nullptr;
  const Interruptible* interruptible_ = nullptr;
  std::exception_ptr error_;
  NativeThread thread_; ///< the last: it uses the others
};

NativeStacks::NativeStacks() = default;
NativeStacks::~NativeStacks() = default;

void NativeStacks::run(const std::function<void(const std::byte*)>& action) {
  std::unique_ptr<Standing> standing;
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      standing = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!standing) standing = std::make_unique<Standing>();
  const auto put_back = [&] {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(standing));
  };
  try {
    standing->run(action);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

} // namespace sinter::eval
