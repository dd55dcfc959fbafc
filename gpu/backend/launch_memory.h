// The device's memory of one launch: arguments, results, and what chunks leave for each other.
#pragma once

#include "gpu/backend/chunks.h"
#include "gpu/backend/launch.h"

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

  /// Sees to it that they are there; what is consumed is the launch's alone from then on.
  void bind_arguments();
  /// Room for results and for what chunks leave; sets the numbers' lists.
  void allocate(const Chunks& chunks, LaunchNumbers& numbers);
  /// Keeps copies of what is consumed, for another try.
  void save_consumed();
  /// What is consumed is the device's alone.
  void begin_writing();

  // ---- around the kernels

  /// Bins of chunks begin with the neutral element.
  void fill_bins(const Chunks& chunks, const LaunchNumbers& numbers);
  void restore_consumed();
  /// Moves what chunks of filters have kept together.
  void pack_kept(const Chunks& chunks, const LaunchNumbers& numbers);
  /// Once; `scalars` are words by result.
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
  Leaf own_copy(const Leaf& leaf);
  Leaf fresh(ElementType element, Extents extents);
  void allocate_results(const Chunks& chunks, LaunchNumbers& numbers);
  void allocate_partials(const Chunks& chunks, LaunchNumbers& numbers);
  /// The bytes of one chunk's bins.
  std::vector<std::byte> filled_bins(const jit::KernelLayout::Partial& partial);
  std::int64_t kept_of(const Chunks& chunks, const LaunchNumbers& numbers, std::size_t partial);

  const jit::KernelLayout& layout_;
  LaunchPlace& place_;
  std::vector<jit::Datum>& arguments_;
  MemoryBudget& budget_;
  DeviceCache::Pins& pins_;
  std::vector<std::uint64_t> scalars_, words_;
  std::vector<Leaf> leaves_;   ///< by result, if it was made here
  std::vector<Staged> staged_; ///< by result
  DeviceBlock partials_;
  std::vector<Saved> saved_;
  std::vector<std::vector<std::int64_t>> kept_; ///< of filters, by partial: of each chunk
};

} // namespace sinter::gpu
