#include "jit/cpu/launch_sizes.h"

#include "lang/primitives/fold_order.h"
#include "lang/values/strided.h"

#include <algorithm>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

namespace {

/// Storage between chunks may take this much.
constexpr std::int64_t most_partial_bytes = 64 << 20;
constexpr std::int64_t most_histogram_chunks = 64;
constexpr std::int64_t most_partition_chunks = 64, elements_of_kind = 256;
/// Threads gain more than lines that are not whole cost, down to fewer elements.
constexpr std::int64_t few_partition_chunks = 4, fewest_elements_of_kind = 16;

/// Storage between chunks must not be too much of it.
std::int64_t chunk_limit(const KernelLayout& layout, std::span<const Datum> arguments,
                         std::span<const std::uint64_t> scalars, std::int64_t count) {
  // The last write stays: they happen in order.
  if (layout.has(GroupKind::Scatter)) return 1;
  std::int64_t least = INT64_MAX;
  for (const KernelLayout::Partial& partial : layout.partials) {
    const std::int64_t elements = partial_elements(partial, arguments, scalars);
    const std::int64_t bytes = elements * static_cast<std::int64_t>(byte_size(partial.element));
    std::int64_t limit = most_partial_bytes / std::max<std::int64_t>(bytes, 1);
    // Filling and folding private bins must not cost more than it brings.
    if (partial.group == GroupKind::Histogram)
      limit = std::min(
          {limit, most_histogram_chunks, count / (4 * std::max<std::int64_t>(elements, 1))});
    // A chunk leaves a part of a line for each kind.
    if (partial.group == GroupKind::Partition) {
      const std::int64_t of_kind = count / std::max<std::int64_t>(elements, 1);
      limit =
          std::min({limit, most_partition_chunks,
                    std::max(of_kind / elements_of_kind,
                             std::min(of_kind / fewest_elements_of_kind, few_partition_chunks))});
    }
    least = std::min(least, std::max<std::int64_t>(limit, 1));
  }
  return least;
}

/// Of bins by thread: all but the first thread's have to be filled, and joined with those.
unsigned threads_with_bins(const KernelLayout& layout, std::span<const Datum> arguments,
                           std::span<const std::uint64_t> scalars, std::int64_t count,
                           unsigned threads) {
  std::int64_t others = threads - 1;
  for (const KernelLayout::Partial& partial : layout.partials) {
    const std::int64_t elements =
        std::max<std::int64_t>(partial_elements(partial, arguments, scalars), 1);
    const std::int64_t bytes = elements * static_cast<std::int64_t>(byte_size(partial.element));
    others = std::min({others, most_partial_bytes / bytes, count / elements});
  }
  return static_cast<unsigned>(others) + 1;
}

/// Chunks are what the definition of histograms says.
Partition partition_of_segments(const KernelLayout& layout, std::span<const Datum> arguments,
                                std::int64_t count) {
  std::int64_t most_bins = 0;
  for (const KernelLayout::Partial& partial : layout.partials)
    if (partial.group == GroupKind::Histogram)
      most_bins = std::max(most_bins, bin_count(partial, arguments));
  const primitives::Segments segments = primitives::segments(count, most_bins);
  return {.count = count,
          .chunk_size = std::max<std::int64_t>(segments.length, 1),
          .chunks = segments.count};
}

const Extents& bins_of(const KernelLayout::Partial& partial, std::span<const Datum> arguments) {
  return std::get<Leaf>(arguments[partial.destination]).extents;
}

} // namespace

std::int64_t bin_count(const KernelLayout::Partial& partial, std::span<const Datum> arguments) {
  const std::span<const std::int64_t> extents = bins_of(partial, arguments);
  return element_count(extents.first(partial.index_count));
}

std::int64_t partial_elements(const KernelLayout::Partial& partial,
                              std::span<const Datum> arguments,
                              std::span<const std::uint64_t> scalars) {
  if (partial.group == GroupKind::Histogram) return element_count(bins_of(partial, arguments));
  return element_count(values_of(partial.extents, scalars));
}

bool has_bins_by_thread(const KernelLayout& layout) {
  return layout.has(GroupKind::Histogram) && !layout.is_segmented &&
         !layout.has(GroupKind::Scatter) &&
         std::ranges::all_of(layout.partials, [](const KernelLayout::Partial& partial) {
           return partial.group == GroupKind::Histogram;
         });
}

bool only_maps_and_reduces(const KernelLayout& layout) {
  constexpr unsigned map = 1u << static_cast<unsigned>(GroupKind::Map);
  constexpr unsigned reduce = 1u << static_cast<unsigned>(GroupKind::Reduce);
  return (layout.groups & ~(map | reduce)) == 0;
}

bool LaunchSizes::are_those_of(const KernelLayout& layout, std::span<const Datum> arguments,
                               std::span<const std::uint64_t> scalars, unsigned lanes,
                               unsigned threads) const {
  if (!is_known_ || lanes != lanes_ || threads != threads_) return false;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (static_cast<std::int64_t>(scalars[layout.size_parameters[i]]) != parameters_[i])
      return false;
  if (!layout.has(GroupKind::Histogram)) return true;
  const std::int64_t* known = bins_.begin();
  for (const KernelLayout::Partial& partial : layout.partials)
    if (partial.group == GroupKind::Histogram)
      for (const std::int64_t extent : bins_of(partial, arguments))
        if (extent != *known++) return false;
  return true;
}

void LaunchSizes::find(const KernelLayout& layout, std::span<const Datum> arguments,
                       std::span<const std::uint64_t> scalars, unsigned lanes, unsigned threads) {
  is_known_ = false;
  lanes_ = lanes;
  threads_ = threads;
  parameters_.clear();
  for (const std::uint32_t parameter : layout.size_parameters)
    parameters_.push_back(static_cast<std::int64_t>(scalars[parameter]));
  bins_.clear();
  for (const KernelLayout::Partial& partial : layout.partials)
    if (partial.group == GroupKind::Histogram) bins_.append(bins_of(partial, arguments));

  question_ = {};
  partition_ = {.count = 1, .chunk_size = 1, .chunks = 1};
  threads_worth_it_ = threads;
  slice_size_ = INT64_MAX;
  if (!layout.index_space.empty()) {
    question_ = ask(layout, arguments, scalars, lanes, threads);
    threads_worth_it_ = question_.threads;
    partition_ = layout.is_segmented ? partition_of_segments(layout, arguments, question_.count)
                                     : jit::partition(question_);
    const bool has_totals = layout.has(GroupKind::Reduce) || layout.has(GroupKind::Scan) ||
                            layout.has(GroupKind::Filter) || layout.has(GroupKind::Partition);
    if (!has_totals) slice_size_ = jit::slice_size(question_.element_nanoseconds);
  }

  results_.assign(layout.results.size(), {});
  for (std::size_t i = 0; i < layout.results.size(); ++i) {
    const KernelLayout::Result& result = layout.results[i];
    if (result.kind != ResultKind::Fresh && result.kind != ResultKind::Kept) continue;
    Leaf& leaf = results_[i].leaf;
    leaf.element = result.element;
    leaf.extents = values_of(result.extents, scalars);
    if (result.kind == ResultKind::Kept)
      leaf.extents.insert(leaf.extents.begin(), partition_.count);
    leaf.strides = row_major_strides(leaf.extents);
    results_[i].bytes = block_bytes(leaf.element, leaf.extents);
  }
  is_known_ = true;
}

PartitionQuestion LaunchSizes::ask(const KernelLayout& layout, std::span<const Datum> arguments,
                                   std::span<const std::uint64_t> scalars, unsigned lanes,
                                   unsigned threads) const {
  PartitionQuestion question;
  const Extents extents = values_of(layout.index_space, scalars);
  question.count = element_count(extents);
  question.row = element_count(std::span<const std::int64_t>(extents).subspan(1));
  question.element_nanoseconds = value_of(layout.element_cost, scalars);
  question.element_bytes = layout.element_bytes;
  // Where chunks cost little, whoever stands by may take some of little work.
  if (only_maps_and_reduces(layout)) question.least_nanoseconds = 5'000;
  const bool only_streams = !layout.has(GroupKind::Reduce) && !layout.has(GroupKind::Histogram);
  question.reads_twice =
      only_streams && (layout.has(GroupKind::Scan) || layout.has(GroupKind::Filter));
  question.lanes = lanes;
  question.threads = threads;
  if (has_bins_by_thread(layout)) {
    question.threads = threads_with_bins(layout, arguments, scalars, question.count, threads);
    question.chunk_limit = question.threads > 1 ? INT64_MAX : 1;
  } else {
    question.chunk_limit = chunk_limit(layout, arguments, scalars, question.count);
  }
  return question;
}

} // namespace sinter::jit
