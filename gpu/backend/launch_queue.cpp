#include "gpu/backend/launch_queue.h"

#include "gpu/backend/errors.h"

#include <array>
#include <span>
#include <utility>

namespace sinter::gpu {

using jit::Stopped;

bool LaunchQueue::begin(const jit::RunContext& context, DeviceAddress control,
                        bool may_lack_scratch) {
  const std::lock_guard lock(mutex_);
  // (Of launches that must not lack scratch memory, none may seem to be this one, which may.)
  if (is_under_way_ && (run_ != context.run || may_lack_scratch)) settle();
  if (ends_.contains(context.run)) return false;
  may_lack_scratch_ = may_lack_scratch;
  if (is_under_way_) {
    keep_state();
    return true;
  }
  const std::array<ControlBlock, 2> blocks;
  device_.copy_in(control, std::as_bytes(std::span(blocks)));
  is_under_way_ = true;
  run_ = context.run;
  control_ = control;
  watching_.emplace(stop_watch_, context.interrupt, context.epoch,
                    control + offsetof(ControlBlock, stop));
  return true;
}

void LaunchQueue::begin_step() {
  const std::lock_guard lock(mutex_);
  keep_state();
}

void LaunchQueue::keep_state() {
  device_.copy_within(control_ + sizeof(ControlBlock), control_, sizeof(ControlBlock));
}

void LaunchQueue::settle() {
  if (!is_under_way_) return;
  ++waits_;
  ControlBlock block;
  try {
    device_.copy_out(std::as_writable_bytes(std::span(&block, 1)), control_);
  } catch (const DeviceError&) {
    if (device_.is_lost()) {
      is_under_way_ = false;
      watching_.reset();
    }
    throw;
  }
  is_under_way_ = false;
  watching_.reset();
  wanted_scratch_ = block.scratch;
  if (wanted_scratch_ != 0 && !may_lack_scratch_)
    throw DeviceError(DeviceError::Kind::Violation,
                      "a thread takes more scratch memory than follows from sizes");
  if (block.stop != 0) {
    ends_[run_] = {Stopped::Why::Interrupted, 0, {}};
  } else if (block.failure != UINT64_MAX) {
    Stopped failed{Stopped::Why::Failed, site_of_failure(block.failure), {}};
    failed.first_index = static_cast<std::int64_t>(index_of_failure(block.failure));
    ends_[run_] = std::move(failed);
  }
}

std::optional<Stopped> LaunchQueue::take_end(const void* run) {
  const auto end = ends_.find(run);
  if (end == ends_.end()) return std::nullopt;
  Stopped result = std::move(end->second);
  ends_.erase(end);
  return result;
}

std::optional<Stopped> LaunchQueue::wait(const void* run) {
  const std::lock_guard lock(mutex_);
  if (run_ == run) settle();
  return take_end(run);
}

std::uint64_t LaunchQueue::wanted_scratch() const {
  const std::lock_guard lock(mutex_);
  return wanted_scratch_;
}

void LaunchQueue::wait_before_reading() {
  const std::lock_guard lock(mutex_);
  on_device_only([&] { settle(); });
  if (!ends_.empty()) // (whose run has not asked yet)
    throw RuntimeError(FailureKind::Unsupported, "an earlier launch has stopped");
}

} // namespace sinter::gpu
