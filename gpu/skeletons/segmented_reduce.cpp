// Maps of reductions of scalars, by groups of threads: many short segments in a block, a warp a
// segment, a block, several blocks.  Where a thread a segment is best, it is another row's entry
// points that run: an alternative.
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/skeletons/segment_groups.h"
#include "gpu/skeletons/segment_sizes.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <utility>

#include <llvm/IR/Module.h>

namespace sinter::gpu {

using primitives::rows_in_block;

namespace {

constexpr std::int64_t least_columns = 8, most_columns = 32;
/// Nanoseconds on a CPU: less is not worth a second step, where a block has but a tile or two.
constexpr double little_work_of_segments = 50e3;
constexpr std::int64_t least_rows_of_piece = 4;

/// Where the order does not show: elements of a thread of a warp, of a part of a segment; segments
/// that are as long are a block's if there are few.
constexpr std::int64_t elements_of_group_thread = 8, elements_of_part_thread = 16;
constexpr std::int64_t least_length_of_block = 1024;

/// Fewer rows in a tile, as long as there would not be an item for each block.
void spread_rows(const LaunchSizes& sizes, SegmentTiles& tiles) {
  const std::int64_t wanted = wanted_items(sizes);
  const double work =
      jit::value_of(sizes.layout.element_cost, sizes.scalars) * static_cast<double>(tiles.segments);
  const bool is_little = tiles.rows() <= least_rows_of_piece ||
                         (tiles.pieces() <= 2 && work <= little_work_of_segments);
  if (tiles.groups() >= wanted || is_little) return;
  while (tiles.row_bits > 0 && saturating_product(tiles.groups(), tiles.pieces()) < wanted &&
         (std::int64_t{1} << tiles.row_bits) > least_rows_of_piece)
    --tiles.row_bits;
  if (tiles.pieces() == 1) return;
  tiles.pieces_of_item = 1;
  tiles.totals = std::int64_t{1} << tiles.row_bits == rows_in_block ? SegmentTotals::Blocks
                                                                    : SegmentTotals::Rows;
}

/// Where the order shows.
std::optional<LaunchPlan> plan_tiles(const LaunchSizes& sizes, const SegmentSizes& nest,
                                     const Segments& segments) {
  SegmentTiles tiles = largest_tiles(segments, nest.types);
  spread_segments(sizes, tiles);
  spread_rows(sizes, tiles);
  if (tiles.items() > INT32_MAX) return std::nullopt;
  return tiles.plan(sizes, nest.types);
}

/// Where it does not.
std::optional<LaunchPlan> plan_groups(const LaunchSizes& sizes, const SegmentSizes& nest,
                                      const Segments& segments) {
  SegmentGroups groups;
  groups.length = segments.length;
  groups.inner = segments.inner;
  groups.segments = segments.count;
  const std::int64_t all_threads = sizes.multiprocessors * threads_of_multiprocessor;
  if (segments.layout.is_by_columns) {
    groups.way = SegmentGroups::Way::Columns;
    groups.column_bits =
        std::clamp(bits_for(groups.segments), bits_for(least_columns), bits_for(most_columns));
  } else if (groups.length >= least_length_of_block &&
             saturating_product(groups.segments, warp_size) < all_threads) {
    groups.way = SegmentGroups::Way::Block;
  } else {
    groups.lane_bits =
        std::min(bits_within(std::max<std::int64_t>(groups.length / elements_of_group_thread, 1)),
                 bits_for(warp_size));
  }
  groups.is_wide = segments.are_aligned && groups.way != SegmentGroups::Way::Columns;
  const std::int64_t wanted = 4 * std::int64_t{sizes.multiprocessors};
  if (groups.way != SegmentGroups::Way::Lanes)
    groups.parts = std::clamp<std::int64_t>(
        groups.length / (groups.threads_of_segment() * elements_of_part_thread), 1,
        divided_up(wanted, groups.items()));
  if (groups.items() > INT32_MAX) return std::nullopt;
  return groups.plan(sizes, nest.types);
}

} // namespace

std::optional<KernelEntries> make_segmented_reduce(const ir::Function& function,
                                                   const SkeletonOptions& options) {
  const std::optional<SegmentNest> nest = find_segment_nest(function);
  if (!nest || are_short(*nest)) return std::nullopt;
  KernelEntries entries = make_entries_after("segmented_reduce", function, options);
  if (entries.uses_scratch) return std::nullopt;
  const GpuHooks hooks;
  jit::KernelModule kernel{*entries.module.module, hooks};
  kernel.floats = options.floats;
  const SegmentFunctions functions(kernel, function, *nest, options);
  const bool shows_order = nest->has_own_neutral || jit::keeps_fold_order(*nest->fold);
  add_alternative(
      entries, shows_order ? segment_tile_entries(kernel, function, functions, nest->maps.size())
                           : segment_group_entries(kernel, function, functions, nest->maps.size()));
  if (kernel.refusal || hooks.use_scratch()) return std::nullopt;
  entries.plan = [nest = SegmentSizes(function, *nest, functions), shows_order,
                  rest = std::move(entries.plan)](const LaunchSizes& sizes) {
    std::optional<LaunchPlan> plan;
    if (const std::optional<Segments> segments = nest.measure(sizes))
      plan = (shows_order ? plan_tiles : plan_groups)(sizes, nest, *segments);
    return plan ? std::move(*plan) : rest(sizes);
  };
  return entries;
}

} // namespace sinter::gpu
