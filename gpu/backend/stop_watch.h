// Tells kernels that run of an interruption: a thread that looks at the evaluation's epoch word for
// them.
#pragma once

#include "gpu/device/device.h"
#include "lang/base/interrupt.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sinter::gpu {

class StopWatch {
public:
  explicit StopWatch(Device& device) : device_(device) {}
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

  using Words = std::array<DeviceAddress, 2>;
  /// As long as it lives, a change of the epoch makes the words at those addresses 1.  One at a
  /// time.
  class Watching {
  public:
    /// `interrupt` may be null.
    Watching(StopWatch& watch, const InterruptSource* interrupt, std::uint32_t epoch,
             const Words& words)
        : watch_(watch), is_on_(interrupt != nullptr) {
      if (is_on_) watch_.begin(*interrupt, epoch, words);
    }
    ~Watching() {
      if (is_on_) watch_.end();
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

  private:
    StopWatch& watch_;
    bool is_on_;
  };

private:
  void begin(const InterruptSource& interrupt, std::uint32_t epoch, const Words& words);
  void end();
  void write(); ///< with the mutex
  void look(const std::stop_token& stop);

  Device& device_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  const InterruptSource* interrupt_ = nullptr; ///< null: nothing is watched
  std::uint32_t epoch_ = 0;
  Words words_ = {};
  std::jthread thread_; ///< begins with the first launch; ends before all else
};

} // namespace sinter::gpu
