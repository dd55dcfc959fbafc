// Runs the walk on a C++ stack of its own, so that deep recursion of the program is an error of the
// program and no crash.
#pragma once

#include "lang/eval/reserved_memory.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace sinter::eval {

class NativeStack {
public:
  NativeStack();
  /// Runs `action` on the stack and returns when it has ended; its exception comes out here.
  void run(const std::function<void()>& action);
  /// Below this address the walk must not call on: what is left serves library code and unwinding.
  const std::byte* limit() const { return memory_.begin() + reserve; }

private:
  friend class NativeThread;
  static constexpr std::size_t reserve = 512 * 1024;
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

private:
  struct Running;
  std::unique_ptr<Running> running_;
};

} // namespace sinter::eval
