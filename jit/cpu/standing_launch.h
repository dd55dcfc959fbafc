// A launch that a host-level loop does again and again: what sizes decide is kept from one to the
// next.
#pragma once

#include "jit/cpu/chunk_runner.h"
#include "jit/cpu/launch.h"
#include "jit/cpu/launch_memory.h"
#include "jit/cpu/launch_notes.h"
#include "jit/cpu/launch_shape.h"
#include "jit/cpu/reach.h"
#include "jit/runtime/standing_launch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// Of elements and reductions whose results stay in the caches, where launches are not measured
/// themselves: others do more between their chunks, or take so long that it does not matter.
class CpuStandingLaunch final : public StandingLaunch, public LaunchParts {
public:
  /// Of the launch that would be done with what the slots have; null if it is none of those.
  /// Everything must outlive it, the places that the slots are, too.
  static std::unique_ptr<StandingLaunch> of(const KernelLayout& layout,
                                            std::span<const std::optional<jit::Reach>> reaches,
                                            const CurrentCode& code, const LaunchSlots& slots,
                                            const RunContext& context, Workers& workers,
                                            WorkMeter& meter);

  bool run(const RunContext& context, std::optional<Stopped>& stopped) override;

  LaunchParts* parts(unsigned threads) override;
  std::int64_t count() const override { return shape_->partition().chunks; }
  std::int64_t begin(std::int64_t part) const override {
    return std::min(part * shape_->partition().chunk_size, shape_->partition().count);
  }
  std::int64_t rows() const override;
  std::optional<LaunchParts::Reach> reach(std::size_t parameter) const override;
  std::span<const std::uint32_t> size_parameters() const override {
    return layout_.size_parameters;
  }
  const Extents& strides(std::size_t parameter) const override {
    return std::get<Leaf>(arguments_[parameter]).strides;
  }
  Result result(std::size_t index) const override;
  bool has_numbers() const override { return layout_.has(ir::GroupKind::Reduce); }
  bool stands(const RunContext& context) const override;
  bool run(const Call& call, std::int64_t part) override;
  bool run_range(const Call& call, std::int64_t begin, std::int64_t end) override;
  bool combine(const Call& call) override;
  void rest() override;

private:
  CpuStandingLaunch(const KernelLayout& layout, std::span<const std::optional<jit::Reach>> reaches,
                    const CurrentCode& code, const LaunchSlots& slots, const RunContext& context,
                    const WorkMeter& meter);
  /// Decides what there is to decide; whether it is a launch of those.
  bool prepare(Workers& workers, WorkMeter& meter);
  bool is_same(const RunContext& context) const;
  void take_arguments();
  void put_results();
  /// Gives back what is not for the next one, arrays that nobody has any more to `spare` if there
  /// is one.
  void release(SpareBuffers* spare);
  /// What code of a call begins with.
  KernelFrame frame(const Call& call, FailureNote& failure);

  const KernelLayout& layout_;
  const std::span<const std::optional<jit::Reach>> reaches_; ///< by parameter
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
  /// What parts leave for `combine`: by turn, where each partial's lie, in one piece of memory.
  std::array<std::vector<std::byte*>, 2> partials_by_turn_;
  std::vector<std::int64_t> strides_by_turn_;
  BufferRef memory_by_turn_;
};

} // namespace sinter::jit
