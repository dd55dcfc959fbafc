#include "gpu/backend/launch_queue.h"

#include "gpu/backend/errors.h"

#include <algorithm>
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
  if (is_under_way_) return true;
  const std::array<ControlBlock, 2> blocks;
  device_.copy_in(control, std::as_bytes(std::span(blocks)));
  is_under_way_ = true;
  run_ = context.run;
  control_ = control;
  steps_ = 0;
  constexpr std::size_t word = offsetof(ControlBlock, stop);
  watching_.emplace(stop_watch_, context.interrupt, context.epoch,
                    StopWatch::Words{control + word, control + sizeof(ControlBlock) + word});
  return true;
}

LaunchQueue::Controls LaunchQueue::begin_step() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t own = steps_++ % 2;
  return {control_ + own * sizeof(ControlBlock), control_ + (1 - own) * sizeof(ControlBlock)};
}

void LaunchQueue::settle() {
  if (!is_under_way_) return;
  ++waits_;
  std::array<ControlBlock, 2> blocks;
  try {
    device_.copy_out(std::as_writable_bytes(std::span(blocks)), control_);
  } catch (const DeviceError&) {
    if (device_.is_lost()) {
      is_under_way_ = false;
      watching_.reset();
    }
    throw;
  }
  is_under_way_ = false;
  watching_.reset();
  // (Only one step may have failed: those behind it did not begin.)
  wanted_scratch_ = std::max(blocks[0].scratch, blocks[1].scratch);
  const std::uint64_t failure = std::min(blocks[0].failure, blocks[1].failure);
  if (wanted_scratch_ != 0 && !may_lack_scratch_)
    throw DeviceError(DeviceError::Kind::Violation,
                      "a thread takes more scratch memory than follows from sizes");
  if (blocks[0].stop != 0 || blocks[1].stop != 0) {
    ends_[run_] = {Stopped::Why::Interrupted, 0, {}};
  } else if (failure != UINT64_MAX) {
    Stopped failed{Stopped::Why::Failed, site_of_failure(failure), {}};
    failed.first_index = static_cast<std::int64_t>(index_of_failure(failure));
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
