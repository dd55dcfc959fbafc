// The device's memory of one launch: arguments, results, and the work areas.
#pragma once

#include "gpu/backend/launch.h"
#include "gpu/skeletons/entry_words.h"
#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/transposition.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::gpu {

class LaunchMemory {
public:
  LaunchMemory(const jit::KernelLayout& layout, LaunchPlace& place,
               std::vector<jit::Datum>& arguments, MemoryBudget& budget, DeviceCache::Pins& pins)
      : layout_(layout), place_(place), arguments_(arguments), budget_(budget), pins_(pins) {}

  // ---- before, in this order; they throw DeviceFull and RuntimeError

  /// Sees to it that they are there; what is consumed is the launch's alone from then on.  The code
  /// takes the addresses of those scalars that are pending.
  void bind_arguments(const std::vector<bool>& is_pending);
  /// Room for results and for the plan's areas; sets the words' lists.
  void allocate(const LaunchPlan& plan, std::int64_t count, LaunchWords& words);
  /// Room for copies of arguments that are turned over, and the words that say so; as long as there
  /// is room.
  void allocate_turned(const LaunchPlan& plan, LaunchWords& words);
  /// Keeps copies of what is consumed, for another try.
  void save_consumed();
  /// What is consumed is the device's alone.
  void begin_writing();

  // ---- around the kernels

  /// Makes those copies.
  void turn_arguments();
  /// What areas begin with.
  void fill_areas(const LaunchPlan& plan, const LaunchWords& words);
  void restore_consumed();
  /// Makes results of what filters have kept, whose numbers it adds to `scalars`, if they are not
  /// there: words by result.
  void take_kept(const LaunchPlan& plan, const LaunchWords& words,
                 std::span<std::uint64_t> scalars);
  /// Words by result, where scalar results and counts are.
  std::vector<std::uint64_t> read_scalars();
  /// Once; scalars are pending if there are none of these.
  std::vector<jit::Datum> take_results(std::span<const std::uint64_t> scalars);

  std::span<const jit::Datum> arguments() const { return arguments_; }
  std::span<const std::uint64_t> scalars() const { return scalars_; } ///< by parameter

private:
  /// A result of a filter: as many elements as there are indices, and what they take each.
  struct Staged {
    DeviceBlock block;
    std::size_t row_bytes = 0;
  };
  struct Saved {
    DeviceBlock copy;
    DeviceAddress original = 0;
    std::size_t bytes = 0;
  };
  struct Turned {
    DeviceBlock copy;
    TranspositionWords words;
    std::size_t element_bytes = 0;
  };
  Leaf own_copy(const Leaf& leaf);
  Leaf fresh(ElementType element, Extents extents);
  void allocate_results(std::int64_t count, LaunchWords& words);
  void allocate_areas(const LaunchPlan& plan, LaunchWords& words);
  void fill_with_argument(DeviceAddress area, std::size_t bytes, std::uint32_t parameter);
  std::size_t count_of(std::size_t kept) const;
  std::vector<std::int64_t> kept_in_chunks(const LaunchPlan& plan, const LaunchWords& words,
                                           std::uint32_t area);

  const jit::KernelLayout& layout_;
  LaunchPlace& place_;
  std::vector<jit::Datum>& arguments_;
  MemoryBudget& budget_;
  DeviceCache::Pins& pins_;
  std::vector<std::uint64_t> scalars_, words_;
  BufferRef scalar_results_;   ///< words by result, if one of them is scalar
  std::vector<Leaf> leaves_;   ///< by result, if it was made here
  std::vector<Staged> staged_; ///< by result
  DeviceBlock areas_;
  std::vector<Saved> saved_;
  std::vector<Turned> turned_;
};

} // namespace sinter::gpu
