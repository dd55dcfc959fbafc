// A launch that a host-level loop does again and again: what sizes decide is kept from one to the
// next.
#pragma once

#include "jit/cpu/chunk_runner.h"
#include "jit/cpu/launch.h"
#include "jit/cpu/launch_memory.h"
#include "jit/cpu/launch_notes.h"
#include "jit/cpu/launch_shape.h"
#include "jit/runtime/standing_launch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinter::jit {

/// Of elements and reductions whose results stay in the caches, where launches are not measured
/// themselves: others do more between their chunks, or take so long that it does not matter.
class CpuStandingLaunch final : public StandingLaunch {
public:
  /// Of the launch that would be done with what the slots have; null if it is none of those.
  /// Everything must outlive it, the places that the slots are, too.
  static std::unique_ptr<StandingLaunch> of(const KernelLayout& layout, const CurrentCode& code,
                                            const LaunchSlots& slots, const RunContext& context,
                                            Workers& workers, WorkMeter& meter);

  bool run(const RunContext& context, std::optional<Stopped>& stopped) override;

private:
  CpuStandingLaunch(const KernelLayout& layout, const CurrentCode& code, const LaunchSlots& slots,
                    const RunContext& context, const WorkMeter& meter);
  /// Decides what there is to decide; whether it is a launch of those.
  bool prepare(Workers& workers, WorkMeter& meter);
  bool is_same(const RunContext& context) const;
  void take_arguments();
  void put_results();
  /// Gives back what is not for the next one, arrays that nobody has any more to `spare` if there
  /// is one.
  void release(SpareBuffers* spare);

  const KernelLayout& layout_;
  const CurrentCode& current_;
  const LinkedCode* const code_; ///< that it was made for
  const LaunchSlots slots_;
  const RunContext context_; ///< that it was made in
  const WorkMeter& meter_;
  double alone_ = 0;             ///< what was known then of such launches on one thread
  std::vector<Datum> arguments_; ///< by parameter; between launches arrays have no buffers
  LaunchNotes notes_;
  // Each refers to those before it.
  std::optional<LaunchShape> shape_;
  std::optional<LaunchMemory> memory_;
  std::optional<ChunkRunner> runner_;
};

} // namespace sinter::jit
