#include "jit/swap/compile_queue.h"

namespace sinter::jit {

CompileQueue::~CompileQueue() {
  {
    std::lock_guard lock(mutex_);
    should_end_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void CompileQueue::add(std::shared_ptr<Region> region, const SwapOptions& options) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(region), options});
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void CompileQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !is_working_; });
}

void CompileQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return should_end_ || !jobs_.empty(); });
    if (should_end_) return;
    {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      is_working_ = true;
      lock.unlock();
      compiler_.compile(*job.region, job.options);
    } // the region may go before the lock is taken again
    lock.lock();
    is_working_ = false;
    changed_.notify_all();
  }
}

} // namespace sinter::jit
