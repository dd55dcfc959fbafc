#include "gpu/skeletons/segment_sizes.h"

#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr std::int64_t most_columns_of_tile = 32;

jit::SizeTerm term_of(const ir::Function& function, const ir::Operand& operand) {
  if (operand.is_constant()) return {operand.scalar().as<std::int64_t>(), std::nullopt};
  return {0, static_cast<std::uint32_t>(*jit::parameter_index(function, operand.value()))};
}

} // namespace

unsigned bits_for(std::int64_t count) {
  return static_cast<unsigned>(std::countr_zero(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)))));
}

unsigned bits_within(std::int64_t count) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(count)) - 1);
}

SegmentSizes::SegmentSizes(const ir::Function& function, const SegmentNest& nest,
                           const SegmentFunctions& functions)
    : length(term_of(function, nest.fold->extent)), reads(nest.reads), rows(nest.rows),
      lanes(functions.lanes()), types(functions.folds().types()) {
  for (const ir::Soac* map : nest.maps)
    extents.push_back(term_of(function, map->extent));
}

std::optional<Segments> SegmentSizes::measure(const LaunchSizes& sizes) const {
  Segments segments;
  segments.length = jit::value_of(length, sizes.scalars);
  segments.inner = jit::value_of(extents.back(), sizes.scalars);
  for (const jit::SizeTerm& extent : extents)
    segments.count = saturating_product(segments.count, jit::value_of(extent, sizes.scalars));
  if (segments.length <= most_length_of_thread || segments.count < 1 || segments.count > INT32_MAX)
    return std::nullopt;
  segments.layout = layout_of_reads(sizes, reads);
  segments.are_aligned = lanes > 1 && gpu::are_aligned(sizes, rows, lanes);
  segments.are_whole = segments.are_aligned && segments.length % std::int64_t{lanes} == 0;
  const std::int64_t all_threads = sizes.multiprocessors * threads_of_multiprocessor;
  if (segments.count >= all_threads && !segments.layout.is_by_rows) return std::nullopt;
  return segments;
}

bool are_short(const SegmentNest& nest) {
  const ir::Operand& length = nest.fold->extent;
  return length.is_constant() && length.scalar().as<std::int64_t>() <= most_length_of_thread;
}

SegmentTiles largest_tiles(const Segments& segments, const std::vector<ElementType>& types) {
  SegmentTiles tiles;
  tiles.length = segments.length;
  tiles.inner = segments.inner;
  tiles.segments = segments.count;
  tiles.is_by_columns = segments.layout.is_by_columns;
  tiles.is_wide = segments.are_whole && !tiles.is_by_columns;
  tiles.position_bits = std::max(bits_for(std::min(tiles.length, row_length)), least_position_bits);
  const unsigned all_bits = bits_within(elements_of_segment_tile(types));
  const unsigned line_bits = all_bits - tiles.position_bits;
  const unsigned rows_bits = bits_for(std::min(tiles.rows(), rows_in_block));
  const unsigned segments_bits = bits_for(tiles.segments);
  if (tiles.is_by_columns) {
    tiles.segment_bits = std::min({bits_for(most_columns_of_tile), segments_bits, line_bits});
    tiles.row_bits = std::min(rows_bits, line_bits - tiles.segment_bits);
  } else {
    tiles.row_bits = std::min(rows_bits, line_bits);
    tiles.segment_bits = std::min(segments_bits, line_bits - tiles.row_bits);
  }
  tiles.pieces_of_item = tiles.pieces();
  return tiles;
}

std::int64_t wanted_items(const LaunchSizes& sizes) {
  return 2 * std::int64_t{sizes.multiprocessors};
}

void spread_segments(const LaunchSizes& sizes, SegmentTiles& tiles) {
  while (tiles.groups() < wanted_items(sizes) && tiles.segment_bits > 0 &&
         (!tiles.is_by_columns || tiles.pieces() == 1))
    --tiles.segment_bits;
  tiles.pieces_of_item = tiles.pieces();
}

} // namespace sinter::gpu
