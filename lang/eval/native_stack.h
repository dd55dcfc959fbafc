// Runs the walk on a C++ stack of its own, so that deep recursion of the program is an error of the
// program and no crash.
#pragma once

#include "lang/eval/reserved_memory.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sinter::eval {

/// The memory of such a stack.
class NativeStack {
public:
  NativeStack();
  /// Below this address the walk must not call on: what is left serves library code and unwinding.
  const std::byte* limit() const { return memory_.begin() + reserve; }
  /// On the stack itself: gives back to the system what lies far below its top.
  void forget_depths() const noexcept;

private:
  friend class NativeThread;
  static constexpr std::size_t reserve = std::size_t{512} << 10;
  ReservedMemory memory_;
};

/// A thread on such a stack, from its start: for whoever walks now and then, and on a thread of its
/// own anyway.
class NativeThread {
public:
  NativeThread();
  /// Starts `action`, which is given its stack's limit and must not throw.  Throws
  /// RuntimeError{OutOfMemory} if there is no such thread to be had.
  explicit NativeThread(std::function<void(const std::byte* stack_limit)> action);
  NativeThread(NativeThread&&) noexcept;
  NativeThread& operator=(NativeThread&&) noexcept; ///< where no thread has to be joined
  ~NativeThread();                                  ///< the same

  bool joinable() const { return running_ != nullptr; }
  void join();
  const NativeStack& stack() const;

private:
  struct Running;
  std::unique_ptr<Running> running_;
};

/// Stacks for whoever walks often: each has a thread that stands ready.  (To start a thread on a
/// fresh stack takes some 50 microseconds; to hand over to one that was busy just before, one.)
/// Thread-safe.
class NativeStacks {
public:
  NativeStacks();
  ~NativeStacks(); ///< when all has ended
  /// Runs `action` on a stack that is not in use and returns when it has ended; its exception comes
  /// out here, and what stops this thread stops it.  Throws RuntimeError{OutOfMemory} if there is
  /// no such stack to be had.
  void run(const std::function<void(const std::byte* stack_limit)>& action);

private:
  class Standing;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Standing>> idle_;
};

} // namespace sinter::eval
