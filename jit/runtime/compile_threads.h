// Compilation that somebody waits for, who may be interrupted meanwhile.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/eval/native_stack.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sinter::jit {

/// Runs work that looks at no epoch (passes and code generation) on threads of its own, so that who
/// waits for it can leave when the evaluation is interrupted.  Used by one thread at a time.
class CompileThreads {
public:
  /// Who waits looks at the epoch so often: raising it, from a signal's handler too, wakes nobody.
  static constexpr std::chrono::milliseconds between_looks{10};

  CompileThreads() = default;
  /// Waits for the work that was left.
  ~CompileThreads();

  /// What is to be done, on a deep stack with that limit; or, with null, on any.
  using Work = std::function<void(const std::byte* stack_limit)>;

  /// Returns true when the work has ended, or throws what it threw; false as soon as `interrupt` is
  /// no longer at `epoch`.  Then the work goes on and nobody asks for its outcome: so it owns what
  /// it uses, or uses what outlives this object.  Without an interrupt it is done here and now.
  bool run(Work work, const InterruptSource* interrupt, std::uint32_t epoch);
  /// How much work was left and still goes on.
  std::size_t left_behind();

private:
  struct Job {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_done = false; ///< guarded by `mutex`, as is the next
    std::exception_ptr error;
    eval::NativeThread thread;
  };
  /// Waits until the job is done, or false if the evaluation was interrupted before.
  static bool wait(Job& job, const InterruptSource& interrupt, std::uint32_t epoch);
  /// Joins the threads whose work is done.
  void join_ended();

  std::vector<std::unique_ptr<Job>> left_;
};

} // namespace sinter::jit
