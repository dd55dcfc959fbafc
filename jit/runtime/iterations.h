// What the launches of a host-level loop are told of the loop: that they follow each other, and
// whether threads share them.
#pragma once

#include "jit/runtime/backend.h"
#include "jit/runtime/work_meter.h"

#include <cassert>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace sinter::jit {

/// One run of a loop; ends with it.
///
/// Whether threads share small launches is decided for the whole body.  What a launch has shared
/// lies in several caches, and the next one pays for that if it runs alone; where all are shared,
/// each thread finds its own part.  So neither a launch's own time tells whether sharing it pays,
/// nor is it of use to share one and not the next.  Some iterations are run in one way, some in the
/// other one, and what an iteration took from its beginning to the next one's decides.
class Iterations {
public:
  using Clock = std::chrono::steady_clock;

  /// `meter` knows this loop's iterations; null if there are no launches in it.  `bytes`, of its
  /// state, stands for how much work one is.
  Iterations(RunContext& context, WorkMeter* meter, std::uint64_t bytes,
             std::function<Clock::time_point()> now = Clock::now)
      : context_(context), was_repeated_(context.is_repeated), way_before_(context.way),
        meter_(context.threads == 1 ? nullptr : meter),
        bytes_(static_cast<std::int64_t>(bytes) + 1), now_(std::move(now)) {
    context_.way = {};
    begin();
  }
  ~Iterations() {
    context_.is_repeated = was_repeated_;
    context_.way = way_before_;
  }
  Iterations(const Iterations&) = delete;
  Iterations& operator=(const Iterations&) = delete;

  /// Between two of them, or after several.
  void next(std::uint64_t count = 1) {
    context_.is_repeated = true;
    assert(count <= left());
    if (meter_ && (left_ -= static_cast<std::uint32_t>(count)) == 0) begin_part();
  }
  /// How many are the least that one decides for: no more of them may go before `next`.
  std::uint64_t left() const { return meter_ ? left_ : UINT64_MAX; }

private:
  enum class Part : std::uint8_t { First, Second, Moving, Unseen, Measured };

  /// In the way that earlier runs have shown, if they have.
  void begin();
  void begin_part();
  void choose();
  double nanoseconds_per(std::uint32_t iterations) const {
    return std::chrono::duration<double, std::nano>(now_() - begin_).count() / iterations;
  }

  RunContext& context_;
  const bool was_repeated_;
  const std::optional<WorkMeter::Way> way_before_;
  WorkMeter* meter_;
  std::int64_t bytes_;
  std::function<Clock::time_point()> now_;
  double usual_ = 0; ///< nanoseconds of the second iteration, of which launches knew nothing
  Part part_ = Part::First;
  std::uint32_t left_ = 1;   ///< iterations of this part
  std::uint32_t unseen_ = 0; ///< iterations of the last part of those
  Clock::time_point begin_;
};

} // namespace sinter::jit
