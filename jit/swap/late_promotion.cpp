#include "jit/swap/late_promotion.h"

#include "lang/base/heap.h"
#include "lang/base/runtime_error.h"

#include <utility>

namespace sinter::jit {

LatePromotion::~LatePromotion() {
  {
    std::lock_guard lock(mutex_);
    should_end_ = true;
    watched_.reset();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LatePromotion::run_begins(std::shared_ptr<Region> region, std::chrono::nanoseconds patience) {
  {
    std::lock_guard lock(mutex_);
    watched_ = std::move(region);
    due_ = std::chrono::steady_clock::now() + patience;
    has_begun_ = false;
  }
  try {
    if (!thread_.joinable()) thread_ = eval::NativeThread([this](const std::byte*) { work(); });
  } catch (const RuntimeError&) {
    return;
  }
  changed_.notify_all();
}

bool LatePromotion::run_ended() {
  std::lock_guard lock(mutex_);
  watched_.reset(); // (whoever waits for its time finds nothing then)
  return std::exchange(has_begun_, false);
}

void LatePromotion::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_working_; });
}

bool LatePromotion::is_busy() {
  std::lock_guard lock(mutex_);
  return is_working_;
}

void LatePromotion::work() {
  const UncountedHeap own;
  std::unique_lock lock(mutex_);
  while (!should_end_) {
    if (!watched_) {
      changed_.wait(lock);
      continue;
    }
    if (std::chrono::steady_clock::now() < due_) {
      changed_.wait_until(lock, due_);
      continue;
    }
    const std::shared_ptr<Region> region = std::move(watched_);
    has_begun_ = is_working_ = true;
    lock.unlock();
    compiler_.promote(*region);
    lock.lock();
    is_working_ = false;
    changed_.notify_all();
  }
}

} // namespace sinter::jit
