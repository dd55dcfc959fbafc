#include "gpu/skeletons/generic_chunks.h"

#include "jit/emit/skeletons.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>

namespace sinter::gpu {

using ir::GroupKind;
using jit::KernelLayout;

namespace {

constexpr std::int64_t most_chunks = 1024, most_filter_chunks = 256, most_histogram_chunks = 64;
constexpr std::int64_t least_chunk = 32;
/// With more of them, one thread that combines them would take too long.
constexpr std::int64_t most_rows = 16 << 10;
constexpr std::int64_t alignment = 64;

std::int64_t aligned(std::int64_t bytes) {
  if (bytes > INT64_MAX - alignment) return INT64_MAX;
  return divided_up(bytes, alignment) * alignment;
}

/// Elements of one value of a partial.
std::int64_t elements_of(const LaunchSizes& sizes, const KernelLayout::Partial& partial) {
  if (partial.group == GroupKind::Histogram)
    return element_count(sizes.extents(partial.destination));
  return element_count(jit::values_of(partial.extents, sizes.scalars));
}

/// Whether there is a value for each unit of folding, and not for each chunk.
bool has_units(const LaunchSizes& sizes, const KernelLayout::Partial& partial) {
  return sizes.layout.keeps_fold_order &&
         (partial.group == GroupKind::Reduce || partial.group == GroupKind::Scan);
}

class Choice {
public:
  explicit Choice(const LaunchSizes& sizes) : sizes_(sizes), layout_(sizes.layout) {}

  Chunks run() {
    const std::int64_t count = sizes_.count;
    if (layout_.is_segmented)
      chunks_.size = segment_length();
    else if (layout_.has(GroupKind::Scatter))
      chunks_.size = std::max<std::int64_t>(count, 1);
    else
      chunks_.size = std::max(divided_up(count, chunk_limit()), least_size());
    if (layout_.keeps_fold_order) {
      chunks_.fold_unit = fold_unit();
      chunks_.size = std::max<std::int64_t>(divided_up(chunks_.size, chunks_.fold_unit), 1) *
                     chunks_.fold_unit;
      chunks_.fold_units = divided_up(count, chunks_.fold_unit);
    }
    chunks_.chunks = std::max<std::int64_t>(divided_up(count, chunks_.size), 1);
    return chunks_;
  }

private:
  bool only_maps() const { return layout_.partials.empty(); }
  std::int64_t least_size() const {
    return only_maps() || layout_.keeps_fold_order ? 1 : least_chunk;
  }
  std::int64_t bytes_of(const KernelLayout::Partial& partial) const {
    return std::max<std::int64_t>(elements_of(sizes_, partial), 1) *
           static_cast<std::int64_t>(byte_size(partial.element));
  }
  std::int64_t chunk_limit() const {
    std::int64_t limit = std::max<std::int64_t>(sizes_.count, 1);
    for (const KernelLayout::Partial& partial : layout_.partials) {
      if (has_units(sizes_, partial)) continue;
      limit = std::min({limit, most_chunks, sizes_.most_bytes / bytes_of(partial)});
      if (partial.group == GroupKind::Filter) limit = std::min(limit, most_filter_chunks);
      // Filling and folding private bins must not cost more than it brings.
      if (partial.group == GroupKind::Histogram)
        limit = std::min(
            {limit, most_histogram_chunks,
             sizes_.count / (4 * std::max<std::int64_t>(elements_of(sizes_, partial), 1))});
    }
    return std::max<std::int64_t>(limit, 1);
  }
  std::int64_t segment_length() const {
    std::int64_t most_bins = 0;
    for (const KernelLayout::Partial& partial : layout_.partials)
      if (partial.group == GroupKind::Histogram) {
        const Extents& extents = sizes_.extents(partial.destination);
        most_bins =
            std::max(most_bins, element_count(std::span(extents).first(partial.index_count)));
      }
    return std::max<std::int64_t>(primitives::segments(sizes_.count, most_bins).length, 1);
  }
  /// Scans know blocks only; reductions go by rows where there are not too many.
  std::int64_t fold_unit() const {
    if (layout_.has(GroupKind::Scan)) return primitives::block_length;
    const std::int64_t rows = divided_up(sizes_.count, primitives::row_length);
    if (rows > most_rows) return primitives::block_length;
    for (const KernelLayout::Partial& partial : layout_.partials)
      if (has_units(sizes_, partial) && rows > sizes_.most_bytes / bytes_of(partial))
        return primitives::block_length;
    return primitives::row_length;
  }

  const LaunchSizes& sizes_;
  const KernelLayout& layout_;
  Chunks chunks_;
};

/// Bins of chunks begin with the neutral element.
WorkArea bins_of_chunks(const LaunchSizes& sizes, const KernelLayout::Partial& partial,
                        std::int64_t bytes) {
  if (partial.neutral_parameter &&
      std::holds_alternative<Leaf>(sizes.arguments[*partial.neutral_parameter]))
    return {bytes, WorkArea::Argument{*partial.neutral_parameter}};
  const Scalar neutral = partial.neutral_parameter
                             ? Scalar{sizes.scalars[*partial.neutral_parameter]}
                             : partial.neutral;
  return {bytes, element_of(partial.element, neutral)};
}

void add_areas(const LaunchSizes& sizes, const Chunks& chunks, LaunchPlan& plan) {
  for (const KernelLayout::Partial& partial : sizes.layout.partials) {
    const bool is_by_unit = has_units(sizes, partial);
    const bool has_bins = partial.group == GroupKind::Histogram;
    std::int64_t stride = saturating_product(elements_of(sizes, partial),
                                             static_cast<std::int64_t>(byte_size(partial.element)));
    // (Scalars that stand for single elements lie as in an array, and so do bins.)
    if (!has_bins && (!is_by_unit || stride > 8)) stride = stride <= 8 ? 8 : aligned(stride);
    const std::int64_t slots = is_by_unit ? chunks.fold_units + 1 : chunks.chunks;
    const std::int64_t bytes = saturating_product(stride, slots);
    if (!has_bins)
      plan.areas.push_back({bytes, {}});
    else if (chunks.chunks == 1) // it works on the destination
      plan.areas.push_back({0, {}});
    else
      plan.areas.push_back(bins_of_chunks(sizes, partial, bytes));
    plan.numbers.push_back(static_cast<std::uint64_t>(stride));
  }
}

} // namespace

Chunks choose_chunks(const LaunchSizes& sizes) {
  return Choice(sizes).run();
}

bool has_chunks_of_one(const ir::Soac& soac) {
  return ir::has_only<ir::MapGroup>(soac);
}

WordCounts generic_words(const ir::Function& function, const ir::Soac& soac) {
  std::size_t partials = 0;
  for (const ir::Group& group : soac.groups)
    partials += jit::partial_values(group).size();
  return word_counts(function, partials,
                     static_cast<std::size_t>(GenericNumber::FirstStride) + partials);
}

LaunchPlan plan_chunks(const LaunchSizes& sizes, bool has_combine, bool has_finish) {
  const KernelLayout& layout = sizes.layout;
  const Chunks chunks = choose_chunks(sizes);
  LaunchPlan plan;
  for (const std::int64_t number :
       {sizes.count, chunks.size, chunks.chunks, chunks.fold_unit, chunks.fold_units})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  add_areas(sizes, chunks, plan);
  // The last write stays: scatters happen in order.
  const LaunchShape shape =
      layout.has(GroupKind::Scatter) ? one_thread : shape_for_threads(sizes, chunks.chunks);
  const bool is_single = chunks.chunks == 1;
  const bool is_scanned = has_finish && !is_single;
  plan.steps.push_back({run_entry, shape, true});
  if (has_combine && (is_scanned || layout.has(GroupKind::Reduce) ||
                      (layout.has(GroupKind::Histogram) && !is_single)))
    plan.steps.push_back({combine_entry, one_thread, true});
  if (is_scanned) plan.steps.push_back({finish_entry, shape, true});
  if (layout.has(GroupKind::Filter)) plan.kept = {chunks.size, chunks.chunks};
  return plan;
}

} // namespace sinter::gpu
