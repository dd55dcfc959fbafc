// Tiles of several segments' rows, by which folds of segments go in the order of
// lang/primitives/fold_order.h: threads beside each other compute a tile's elements, threads that
// each own a row fold them, threads that each own a segment fold its rows.
//
//   segments        a block takes items: some segments that follow each other, all of their rows or
//                   a piece.  It stores their results, or leaves totals: of blocks of the order, or
//                   of rows where a piece has less
//   fold_segments   a block takes a segment's totals, and stores its results
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/segment_functions.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// What an item leaves where it has not all of a segment.
enum class SegmentTotals : std::uint8_t { None, Blocks, Rows };

/// How segments are cut into tiles.  A tile has 2^segment_bits segments, 2^row_bits rows of each
/// and 2^position_bits elements of each row, or less where there are no more.
struct SegmentTiles {
  std::int64_t length = 0;   ///< of a segment, at least 1
  std::int64_t inner = 1;    ///< extent of the innermost map
  std::int64_t segments = 0; ///< of all, at least 1
  unsigned segment_bits = 0, row_bits = 0, position_bits = 0;
  bool is_wide = false;            ///< elements are computed by several at once
  bool is_by_columns = false;      ///< threads beside each other take one position of segments
  std::int64_t pieces_of_item = 1; ///< tiles that follow each other in segments
  SegmentTotals totals = SegmentTotals::None;

  std::int64_t rows() const; ///< of a segment
  std::int64_t pieces() const { return divided_up(rows(), std::int64_t{1} << row_bits); }
  std::int64_t groups() const { return divided_up(segments, std::int64_t{1} << segment_bits); }
  std::int64_t items_of_group() const { return divided_up(pieces(), pieces_of_item); }
  std::int64_t items() const { return saturating_product(groups(), items_of_group()); }
  /// That a segment leaves.
  std::int64_t totals_of_segment() const {
    return totals == SegmentTotals::Blocks ? items_of_group() : rows();
  }
  /// Numbers and areas of a plan, and the step over all items.
  LaunchStep add_to(LaunchPlan& plan, const LaunchSizes& sizes,
                    const std::vector<ElementType>& types) const;
  LaunchPlan plan(const LaunchSizes& sizes, const std::vector<ElementType>& types) const;
};

/// Rows whose segments are no longer have so many places.
inline constexpr unsigned least_position_bits = 4;
/// Elements (a power of two) that tiles of such values have room for.
std::int64_t elements_of_segment_tile(const std::vector<ElementType>& types);

/// Whether items that have all of a segment store its results.
enum class SegmentResults : bool { Finished, Totals };
/// The first step alone.
EntryPoint segments_of_tiles(jit::KernelModule& kernel, const ir::Function& function,
                             const SegmentFunctions& functions, std::size_t rank,
                             SegmentResults results);
WordCounts segment_tile_words(const ir::Function& function, const SegmentFunctions& functions);

/// The entry points of reductions; they take as many areas as there are components.
std::vector<EntryPoint> segment_tile_entries(jit::KernelModule& kernel,
                                             const ir::Function& function,
                                             const SegmentFunctions& functions, std::size_t rank);

} // namespace sinter::gpu
