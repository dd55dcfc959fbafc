// The second tier for a run that turns out to be long.
#pragma once

#include "jit/swap/region_compiler.h"
#include "lang/eval/native_stack.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace sinter::jit {

/// Promotes a region in the midst of a run, which goes on in the better code as soon as that is
/// there: kernels look which code there is before each chunk.  Used by one thread, which runs one
/// region at a time.
///
/// The thread that does it takes its full share of the processors, other than that of the compile
/// queue: a run waits for it, in effect.  It begins with the first run that is watched.
class LatePromotion {
public:
  explicit LatePromotion(const RegionCompiler& compiler) : compiler_(compiler) {}
  /// Waits for what is being promoted.
  ~LatePromotion();

  /// A run of the region begins, which is in its first tier: if it has not ended after so long, the
  /// region gets its second.  (Nothing happens where there is no thread to be had.)
  void run_begins(std::shared_ptr<Region> region, std::chrono::nanoseconds patience);
  /// It has ended.  Returns whether its region has got the second tier, or is about to.
  bool run_ended();
  /// Returns when nothing is being promoted.
  void wait();
  /// Whether something is.
  bool is_busy();

private:
  void work();

  const RegionCompiler& compiler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Region> watched_; ///< guarded by `mutex_`, as are the next four
  std::chrono::steady_clock::time_point due_;
  bool has_begun_ = false; ///< to promote what is watched
  bool is_working_ = false;
  bool should_end_ = false;
  eval::NativeThread thread_;
};

} // namespace sinter::jit
