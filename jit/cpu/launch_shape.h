// How one launch is cut up: chunks, threads, and what each part of a fold stands for.
//
// Sizes decide, and what earlier launches took.  Results do not depend on it: the order of folding
// is lang/primitives/fold_order.h's, whatever the chunks are.
#pragma once

#include "jit/cpu/launch_sizes.h"
#include "jit/cpu/parallel.h"
#include "jit/cpu/partition.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/backend.h"
#include "jit/runtime/work_meter.h"

#include <cstdint>
#include <span>

namespace sinter::jit {

class LaunchShape {
public:
  /// `sizes` are the launch's; `scalars[p]` is the value of scalar parameter p.  What is given must
  /// outlive it.
  LaunchShape(const KernelLayout& layout, const LaunchSizes& sizes,
              std::span<const Datum> arguments, std::span<const std::uint64_t> scalars,
              const RunContext& context, const Workers& workers);
  /// Goes for the updates of a histogram that is one segment to be dealt (dealt_updates.h), if they
  /// are many and there is memory for their lists.
  void consider_dealing(const MemoryBudget& memory);
  /// One thread does it all, if that has taken less time.
  void choose_threads(WorkMeter& meter);
  /// Tells the meter what the chunks took.
  void note_time(WorkMeter& meter, double nanoseconds) const {
    meter.add(partition_.count, way_, nanoseconds);
  }
  /// Whether the time that the chunks take is of interest.
  bool is_measured() const { return is_measured_; }

  const Partition& partition() const { return partition_; }
  /// Indices of one call.
  std::int64_t slice_size() const { return slice_size_; }
  /// To ask the workers for.
  unsigned threads() const { return threads_; }
  unsigned thread_count() const {
    return partition_.chunks > 1 ? workers_.thread_limit(threads_) : 1;
  }
  /// Chunks hand on what they carry (chained_chunks.h).
  bool is_chained() const { return is_chained_; }
  /// Threads have bins of their own (bins_by_thread.h), if there are several chunks.
  bool has_bins_by_thread() const { return has_bins_by_thread_ && partition_.chunks > 1; }

  // ---- updates that are dealt

  bool is_dealt() const { return chunks_of_round_ > 0; }
  std::int64_t chunks_of_round() const { return chunks_of_round_; }
  /// Of bins: a power of two.
  std::int64_t shares() const { return shares_; }
  /// Updates that a list has room for (kernel_abi.h).
  std::int64_t update_list_room() const;
  std::int64_t update_list_bytes() const;

  // ---- folds that keep an order

  bool folds(const KernelLayout::Partial& partial) const {
    return layout_.keeps_fold_order &&
           (partial.group == ir::GroupKind::Reduce || partial.group == ir::GroupKind::Scan);
  }
  /// Elements that one partial value stands for.
  std::int64_t fold_unit() const { return fold_unit_; }
  std::int64_t fold_units(std::int64_t elements) const {
    return (elements + fold_unit_ - 1) / fold_unit_;
  }

  // ---- storage between chunks

  /// Elements of one chunk's storage.
  std::int64_t elements(const KernelLayout::Partial& partial) const {
    return partial_elements(partial, arguments_, scalars_);
  }
  /// How many values of a partial there are: one for each chunk; of chained chunks, three for each
  /// thread, but for what they leave as they finish; bins by thread are those of all but the first.
  std::int64_t slots(const KernelLayout::Partial& partial) const;
  std::int64_t slots_of_thread(const KernelLayout::Partial& partial) const;

private:
  WorkMeter::Way choose_way(WorkMeter& meter) const;
  /// Fewer chunks where they are known to take little time.
  void rule_out_small_chunks(double alone);
  /// As many as leave work for all threads, and chunks of whole ones.
  void choose_fold_unit();

  const KernelLayout& layout_;
  std::span<const Datum> arguments_;
  std::span<const std::uint64_t> scalars_;
  const Workers& workers_;
  unsigned threads_;
  bool is_repeated_;                         ///< see RunContext
  std::optional<WorkMeter::Way> way_around_; ///< RunContext::way

  PartitionQuestion question_;
  Partition partition_;
  std::int64_t slice_size_ = INT64_MAX, fold_unit_ = 1;
  std::int64_t chunks_of_round_ = 0, shares_ = 1; ///< none: updates are not dealt
  bool is_measured_ = false, is_chained_ = false;
  bool has_bins_by_thread_ = false;
  WorkMeter::Way way_ = WorkMeter::Way::Alone;
};

} // namespace sinter::jit
