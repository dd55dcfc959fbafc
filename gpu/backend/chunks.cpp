#include "gpu/backend/chunks.h"

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

std::int64_t divided_up(std::int64_t number, std::int64_t by) {
  return (number + by - 1) / by;
}

class Choice {
public:
  Choice(const KernelLayout& layout, std::span<const jit::Datum> arguments,
         std::span<const std::uint64_t> scalars, std::int64_t most_bytes)
      : layout_(layout), arguments_(arguments), scalars_(scalars), most_bytes_(most_bytes) {
    chunks_.count = element_count(jit::values_of(layout.index_space, scalars));
  }

  Chunks run() {
    if (layout_.is_segmented)
      chunks_.size = segment_length();
    else if (layout_.has(GroupKind::Scatter))
      chunks_.size = std::max<std::int64_t>(chunks_.count, 1);
    else
      chunks_.size = std::max(divided_up(chunks_.count, chunk_limit()), least_size());
    if (layout_.keeps_fold_order) {
      chunks_.fold_unit = fold_unit();
      chunks_.size = std::max<std::int64_t>(divided_up(chunks_.size, chunks_.fold_unit), 1) *
                     chunks_.fold_unit;
      chunks_.fold_units = divided_up(chunks_.count, chunks_.fold_unit);
    }
    chunks_.chunks = std::max<std::int64_t>(divided_up(chunks_.count, chunks_.size), 1);
    return chunks_;
  }

private:
  bool only_maps() const { return layout_.partials.empty(); }
  std::int64_t least_size() const {
    return only_maps() || layout_.keeps_fold_order ? 1 : least_chunk;
  }
  std::int64_t bytes_of(const KernelLayout::Partial& partial) const {
    return std::max<std::int64_t>(elements_of(partial, arguments_, scalars_), 1) *
           static_cast<std::int64_t>(byte_size(partial.element));
  }
  std::int64_t chunk_limit() const {
    std::int64_t limit = std::max<std::int64_t>(chunks_.count, 1);
    for (const KernelLayout::Partial& partial : layout_.partials) {
      if (has_units(layout_, partial)) continue;
      limit = std::min({limit, most_chunks, most_bytes_ / bytes_of(partial)});
      if (partial.group == GroupKind::Filter) limit = std::min(limit, most_filter_chunks);
      // Filling and folding private bins must not cost more than it brings.
      if (partial.group == GroupKind::Histogram)
        limit = std::min(
            {limit, most_histogram_chunks,
             chunks_.count /
                 (4 * std::max<std::int64_t>(elements_of(partial, arguments_, scalars_), 1))});
    }
    return std::max<std::int64_t>(limit, 1);
  }
  std::int64_t segment_length() const {
    std::int64_t most_bins = 0;
    for (const KernelLayout::Partial& partial : layout_.partials)
      if (partial.group == GroupKind::Histogram) {
        const Extents& extents = std::get<Leaf>(arguments_[partial.destination]).extents;
        most_bins =
            std::max(most_bins, element_count(std::span(extents).first(partial.index_count)));
      }
    return std::max<std::int64_t>(primitives::segments(chunks_.count, most_bins).length, 1);
  }
  /// Scans know blocks only; reductions go by rows where there are not too many.
  std::int64_t fold_unit() const {
    if (layout_.has(GroupKind::Scan)) return primitives::block_length;
    const std::int64_t rows = divided_up(chunks_.count, primitives::row_length);
    if (rows > most_rows) return primitives::block_length;
    for (const KernelLayout::Partial& partial : layout_.partials)
      if (has_units(layout_, partial) && rows > most_bytes_ / bytes_of(partial))
        return primitives::block_length;
    return primitives::row_length;
  }

  const KernelLayout& layout_;
  std::span<const jit::Datum> arguments_;
  std::span<const std::uint64_t> scalars_;
  std::int64_t most_bytes_;
  Chunks chunks_;
};

} // namespace

Chunks choose_chunks(const KernelLayout& layout, std::span<const jit::Datum> arguments,
                     std::span<const std::uint64_t> scalars, std::int64_t most_bytes) {
  return Choice(layout, arguments, scalars, most_bytes).run();
}

std::int64_t elements_of(const KernelLayout::Partial& partial,
                         std::span<const jit::Datum> arguments,
                         std::span<const std::uint64_t> scalars) {
  if (partial.group == GroupKind::Histogram)
    return element_count(std::get<Leaf>(arguments[partial.destination]).extents);
  return element_count(jit::values_of(partial.extents, scalars));
}

bool has_units(const KernelLayout& layout, const KernelLayout::Partial& partial) {
  return layout.keeps_fold_order &&
         (partial.group == GroupKind::Reduce || partial.group == GroupKind::Scan);
}

} // namespace sinter::gpu
