// The thread that compiles regions in the background.  It gives way to those that evaluate.
#pragma once

#include "jit/runtime/compile_threads.h"
#include "jit/swap/region_compiler.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace sinter::jit {

/// Regions are compiled in the order in which they come, and brought to the second tier when no
/// other has to be compiled.  The thread begins with the first of them.
class CompileQueue {
public:
  explicit CompileQueue(const RegionCompiler& compiler) : compiler_(compiler) {}
  /// What is still waiting is dropped; waits for the region that is being compiled.
  ~CompileQueue();

  void add(std::shared_ptr<Region> region, const SwapOptions& options);
  /// To the second tier, a region that is compiled.
  void promote(std::shared_ptr<Region> region);
  /// Returns when nothing is left to do, or when `interrupt` (which may be null) is no longer at
  /// the epoch that it has now.
  void wait(const InterruptSource* interrupt);
  /// Whether a region is being compiled.
  bool is_busy();

private:
  struct Job {
    std::shared_ptr<Region> region;
    SwapOptions options;
  };
  void start();
  void work(const std::byte* stack_limit);

  const RegionCompiler& compiler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_; ///< guarded by `mutex_`, as are the next three
  std::deque<std::shared_ptr<Region>> promotions_;
  bool is_working_ = false;
  bool should_end_ = false;
  eval::NativeThread thread_;
};

} // namespace sinter::jit
