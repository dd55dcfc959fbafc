// The state of a running plan and what its steps do (machine.cpp, machine_soac.cpp,
// repetition.cpp).
#pragma once

#include "jit/runtime/iterations.h"
#include "jit/runtime/loop_team.h"
#include "jit/runtime/places.h"
#include "jit/runtime/plan.h"
#include "jit/runtime/spare_buffers.h"
#include "lang/values/array.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// One run of one plan.  Members that return a bool say whether to go on; if not, `stopped` says
/// why.
///
/// What touches the contents of arrays is done by the place that holds them.  A launch's scalar
/// results that nothing but launches reads may stay pending there (backend.h): such a slot's datum
/// is in `pending_`, and whoever else needs the number asks for it by `resolve`.
class Machine {
public:
  Machine(const Plan& plan, const RunContext& context, const Places& places)
      : context_(context), places_(places), scalars_(plan.scalar_count), arrays_(plan.array_count),
        standing_(plan.launch_count) {
    if (!context_.run) context_.run = this;
    context_.spare = &spare_;
    if (places.may_return_early()) pending_.resize(plan.scalar_count);
    std::copy(plan.constants.begin(), plan.constants.end(), scalars_.begin());
  }

  /// Runs a block; arguments and results are moved.
  Outcome run(const plan::Block& block, std::vector<Datum> arguments);
  /// Waits for what has been launched.
  std::optional<Stopped> finish() const { return places_.finish(context_); }
  /// The expression whose step ran last, if known; for errors that leave `run`.
  Span where() const { return step_ ? step_->span : Span(); }
  std::uint64_t launches() const { return launches_; }
  /// Read and written by copies and fills of host-level code.
  std::uint64_t copied_bytes() const { return copied_bytes_; }

private:
  bool run_block(const plan::Block& block);
  bool run_steps(std::span<const plan::Step> steps);

  bool step(const plan::Apply& apply, const plan::Step&) {
    scalars_[apply.result] = apply.apply(scalars_[apply.arguments[0]], scalars_[apply.arguments[1]],
                                         scalars_[apply.arguments[2]]);
    return true;
  }
  bool step(const plan::Choose& choose, const plan::Step&) {
    scalars_[choose.result] =
        scalars_[scalars_[choose.condition].bits ? choose.then_value : choose.else_value];
    return true;
  }
  bool step(const plan::CheckCondition& check, const plan::Step&) {
    if (scalars_[check.condition].bits) return true;
    stopped_ = {Stopped::Why::Failed, check.site, {}};
    return false;
  }
  bool step(const plan::Branch& branch, const plan::Step& step);
  bool step(const plan::CountedLoop& loop, const plan::Step& step);
  bool step(const plan::ConditionLoop& loop, const plan::Step& step);
  bool step(const plan::StreamLoop& loop, const plan::Step& step);
  bool step(const plan::Launch& launch, const plan::Step& step);
  bool step(const plan::WalkSoac& soac, const plan::Step& step);
  bool step(const plan::Load& load, const plan::Step& step);
  bool step(const plan::IndexView& view, const plan::Step& step);
  bool step(const plan::SliceView& view, const plan::Step& step);
  bool step(const plan::TransposeView& view, const plan::Step& step);
  bool step(const plan::Reshaped& reshaped, const plan::Step& step);
  bool step(const plan::Store& store, const plan::Step& step);
  bool step(const plan::StoreSlice& store, const plan::Step& step);
  bool step(const plan::Joined& joined, const plan::Step& step);
  bool step(const plan::Literal& literal, const plan::Step& step);
  bool step(const plan::Copied& copied, const plan::Step& step);
  bool step(const plan::Filled& filled, const plan::Step& step);

  /// Does it by a launch that stands ready, if there is one or it is time to make one: whether to
  /// go on; nothing if it is to be done in the usual way.
  std::optional<bool> run_standing(const plan::Launch& launch, const plan::Step& step);
  LaunchSlots slots_of(const plan::Step& launch);
  std::size_t way_index() const { return context_.way == WorkMeter::Way::Together ? 1 : 0; }
  /// Of one run of a loop.
  struct TeamOfLoop {
    std::unique_ptr<LoopTeam> team = {};
    std::uint64_t next_try = 2, patience = 1; ///< iterations, after some in the usual way
  };
  /// Some iterations of a loop from `begin` on, if a team can do them.
  std::optional<LoopTeam::Ran> run_team(TeamOfLoop& of, const plan::Step& loop, std::uint64_t begin,
                                        std::uint64_t end, Iterations& iterations);
  /// Memory that is short is a reason to stop, not an error: pieces may be smaller.
  bool run_piece(const plan::Block& body);
  /// Of the arrays in a loop's state.
  std::uint64_t state_bytes(const plan::Step& loop) const;
  /// Runs iterations of a loop that repeats a launch, some of those from `begin` to `end`: how
  /// many; 0 if they have to go one by one, nothing if it stopped.
  std::optional<std::uint64_t> repeat(const plan::CountedLoop& loop, const plan::Step& step,
                                      std::uint64_t begin, std::uint64_t end);
  /// The scalar code of an iteration: adds its launch.  False if a check fails: nothing is added.
  bool gather(const plan::RepeatedLaunch& repeated, const plan::Step& loop, Repetition& repetition);
  struct Walk;
  void begin_group(const plan::WalkSoac::Group& group, const plan::Step& step, std::int64_t extent,
                   Walk& walk);
  void begin_segments(const plan::WalkSoac::Group& group, const plan::Step& step,
                      std::int64_t extent, Walk& walk);
  bool become_only_element(Leaf& result, const plan::Use& element, Extents extents);
  void end_folds(const plan::WalkSoac::Group& group, const plan::Step& step, Walk& walk);
  void end_partition(const plan::WalkSoac::Group& group, const plan::Step& step, Walk& walk);
  bool element_of_groups(const std::vector<plan::WalkSoac::Group>& groups, const plan::Block& body,
                         const plan::Step& step, std::int64_t index, Walk& walk);
  bool run_post(const plan::WalkSoac::Group& group, const plan::Block& body, const plan::Step& step,
                std::int64_t index, Walk& walk);
  bool soac_element(const plan::WalkSoac& soac, const plan::Step& step, std::int64_t index,
                    Walk& walk);
  bool scan_element(const plan::WalkSoac::Group& group, const plan::Block& body,
                    const plan::Step& step, std::int64_t index, Walk& walk);
  bool count_element(const plan::WalkSoac::Group& group, const plan::Block& body,
                     const plan::Step& step, std::int64_t index, Walk& walk);
  bool hit_bin(const plan::WalkSoac::Group& group, const plan::Step& step,
               std::span<const std::int64_t> bin, std::vector<Datum> values);
  bool end_segment(const plan::WalkSoac::Group& group, const plan::Step& step, Walk& walk);
  /// The operator's results; nothing is lost of its operands that others hold.
  std::vector<Datum> combined(const plan::WalkSoac::Group& group, const plan::Step& step,
                              std::vector<Datum> left, std::vector<Datum> right, bool& has_failed);
  std::vector<Datum> data_of(const plan::Use* uses, std::uint32_t count) const;
  std::optional<std::vector<Datum>> before(const plan::WalkSoac::Group& group,
                                           const plan::Step& step) const;
  void put(std::vector<Datum> data, const plan::Target* targets);

  std::int64_t integer(plan::Slot slot) const { return scalars_[slot].as<std::int64_t>(); }
  Extents integers(const std::vector<plan::Slot>& slots) const {
    Extents result(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
      result[i] = integer(slots[i]);
    return result;
  }
  /// The array of a use: moved if nobody needs it later.
  Leaf take(const plan::Use& use) {
    return use.is_last ? std::move(arrays_[use.slot]) : arrays_[use.slot];
  }
  Datum take_datum(const plan::Use& use) {
    if (use.is_array) return take(use);
    if (is_pending(use.slot)) return pending_[use.slot];
    return scalars_[use.slot];
  }
  bool is_pending(plan::Slot slot) const { return !pending_.empty() && pending_[slot].buffer; }
  /// Makes a pending scalar a number.
  [[nodiscard]] bool resolve(plan::Slot slot);
  /// Waits for what has been launched, for a number that comes of it.
  [[nodiscard]] bool wait();
  /// The place that does what is to be done to an array.
  Backend& place_of(const Leaf& array) { return places_[places_.holder(array)]; }
  [[nodiscard]] bool load(const Leaf& array, std::int64_t position, Scalar& to);
  /// The array itself if it may be overwritten in place, else a copy.
  Leaf writable(Leaf array);
  /// Gives one slot's content to another.
  void pass(const plan::Use& from, plan::Target to) {
    if (from.is_array) {
      if (from.slot != to.slot) arrays_[to.slot] = take(from);
    } else {
      scalars_[to.slot] = scalars_[from.slot];
    }
  }
  /// Gives values to targets at once: targets may be among what is read.
  void pass_all(const std::vector<plan::Use>& from, const plan::Target* to);
  /// The element at the index: an array's part, or a scalar.
  void pass_element(const Leaf& array, std::int64_t index, plan::Target to);
  [[nodiscard]] bool store_element(const Leaf& array, std::span<const std::int64_t> indices,
                                   const plan::Use& value);
  [[nodiscard]] bool copy_array(const Leaf& target, const Leaf& source) {
    return copy_array(place_of(target), target, source);
  }
  [[nodiscard]] bool copy_array(Backend& place, const Leaf& target, const Leaf& source);
  std::optional<Leaf> extended_first_part(const plan::Step& step, const Extents& extents);
  bool is_interrupted();

  RunContext context_;
  const Places& places_;
  std::vector<Scalar> scalars_;
  std::vector<Leaf> pending_; ///< by slot of a scalar; none if no place returns early
  std::vector<Leaf> arrays_;
  std::vector<Datum> passing_;     ///< of pass_all
  std::vector<Datum> launch_data_; ///< between launches, of which each takes the last one's memory
  /// A launch in a loop that has had other iterations.
  struct Standing {
    struct Ready {
      std::unique_ptr<StandingLaunch> launch; ///< (its slots are in the lists above)
      std::uint32_t runs = 0;
    };
    std::array<Ready, 2> by_way;           ///< by whether threads share it: a loop tries both
    std::uint32_t usual = 0, patience = 1; ///< launches in the usual way, and how many before a try
  };
  std::vector<Standing> standing_; ///< by number of the launch
  SpareBuffers spare_;             ///< of the innermost loop that runs
  const plan::Step* step_ = nullptr;
  Stopped stopped_;
  std::uint64_t launches_ = 0;
  std::uint64_t copied_bytes_ = 0;
};

} // namespace sinter::jit
