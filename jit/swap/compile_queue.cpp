#include "jit/swap/compile_queue.h"

#include "lang/base/heap.h"

#include <sys/resource.h>
#include <unistd.h>

namespace sinter::jit {

namespace {

/// The calling thread gets a tenth of a processor where others want it all.  (It goes on as it is
/// where that cannot be.)
void give_way() {
  constexpr int less_than_others = 10;
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), less_than_others);
}

} // namespace

CompileQueue::~CompileQueue() {
  {
    std::lock_guard lock(mutex_);
    should_end_ = true;
    jobs_.clear();
    promotions_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void CompileQueue::add(std::shared_ptr<Region> region, const SwapOptions& options) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(region), options});
  }
  start();
}

void CompileQueue::promote(std::shared_ptr<Region> region) {
  {
    std::lock_guard lock(mutex_);
    promotions_.push_back(std::move(region));
  }
  start();
}

void CompileQueue::start() {
  if (!thread_.joinable())
    thread_ = eval::NativeThread([this](const std::byte* stack_limit) { work(stack_limit); });
  changed_.notify_all();
}

void CompileQueue::wait(const InterruptSource* interrupt) {
  const std::uint32_t epoch = interrupt ? interrupt->epoch() : 0;
  std::unique_lock lock(mutex_);
  const auto is_idle = [this] { return jobs_.empty() && promotions_.empty() && !is_working_; };
  while (!changed_.wait_for(lock, CompileThreads::between_looks, is_idle))
    if (interrupt && interrupt->epoch() != epoch) return;
}

bool CompileQueue::is_busy() {
  std::lock_guard lock(mutex_);
  return is_working_;
}

void CompileQueue::work(const std::byte* stack_limit) {
  give_way();
  const UncountedHeap own;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return should_end_ || !jobs_.empty() || !promotions_.empty(); });
    if (should_end_) return;
    is_working_ = true;
    if (!jobs_.empty()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      compiler_.compile(*job.region, job.options, stack_limit);
    } else {
      std::shared_ptr<Region> region = std::move(promotions_.front());
      promotions_.pop_front();
      lock.unlock();
      compiler_.promote(*region);
    } // the region may go before the lock is taken again
    lock.lock();
    is_working_ = false;
    changed_.notify_all();
  }
}

} // namespace sinter::jit
