// What the sizes of a launch decide, whatever is in its arrays: how its index space may be cut up,
// and what its results look like.
#pragma once

#include "jit/cpu/partition.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/datum.h"
#include "lang/values/array.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::jit {

class LaunchSizes {
public:
  /// Of a launch: `scalars[p]` is the value of scalar parameter p, `lanes` go along the indices,
  /// and there are so many threads.  Throws RuntimeError{OutOfMemory} where a result would be
  /// larger than any memory.
  void find(const KernelLayout& layout, std::span<const Datum> arguments,
            std::span<const std::uint64_t> scalars, unsigned lanes, unsigned threads);
  /// Whether they were found for a launch of the same kernel with the same sizes.
  bool are_those_of(const KernelLayout& layout, std::span<const Datum> arguments,
                    std::span<const std::uint64_t> scalars, unsigned lanes, unsigned threads) const;

  const PartitionQuestion& question() const { return question_; }
  const Partition& partition() const { return partition_; }
  /// Indices of one call.
  std::int64_t slice_size() const { return slice_size_; }
  /// How many threads may take part: of all of them, those that are worth it.
  unsigned threads() const { return threads_worth_it_; }

  struct Result {
    Leaf leaf; ///< but its buffer, which has so many bytes
    std::size_t bytes = 0;
  };
  /// Of results that are arrays made by the launch, by result; of filters' before it is known how
  /// many elements they keep.
  std::span<const Result> results() const { return results_; }

private:
  PartitionQuestion ask(const KernelLayout& layout, std::span<const Datum> arguments,
                        std::span<const std::uint64_t> scalars, unsigned lanes,
                        unsigned threads) const;

  bool is_known_ = false;
  std::vector<std::int64_t> parameters_; ///< values of KernelLayout::size_parameters
  Extents bins_;                         ///< of each of KernelLayout::partials that has any
  unsigned lanes_ = 1, threads_ = 1;
  PartitionQuestion question_;
  Partition partition_;
  std::int64_t slice_size_ = INT64_MAX;
  unsigned threads_worth_it_ = 1;
  std::vector<Result> results_;
};

/// How many bins a histogram's destination has.
std::int64_t bin_count(const KernelLayout::Partial& partial, std::span<const Datum> arguments);
/// Elements of one chunk's storage.
std::int64_t partial_elements(const KernelLayout::Partial& partial,
                              std::span<const Datum> arguments,
                              std::span<const std::uint64_t> scalars);
/// A histogram whose order does not show, and nothing else that is left between chunks: bins are
/// by thread (bins_by_thread.h).
bool has_bins_by_thread(const KernelLayout& layout);
/// Maps and reductions: what is left between chunks is little.
bool only_maps_and_reduces(const KernelLayout& layout);

} // namespace sinter::jit
