// Maps of reductions of scalars, by groups of threads: many short segments in a block, a warp a
// segment, a block, several blocks.  Where a thread a segment is best, it is another row's entry
// points that run: an alternative.
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/skeletons/segment_groups.h"
#include "gpu/skeletons/segment_tiles.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_layout.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <llvm/IR/Module.h>

namespace sinter::gpu {

using primitives::row_length;
using primitives::rows_in_block;

namespace {

/// Segments that are no longer are a thread's: what it reads is a piece of memory by itself.
constexpr std::int64_t most_length_of_thread = 8;
/// Threads that keep a multiprocessor busy.
constexpr std::int64_t threads_of_multiprocessor = 512;
constexpr std::int64_t least_columns = 8, most_columns = 32;
/// Nanoseconds on a CPU: less is not worth a second step, where a block has but a tile or two.
constexpr double little_work_of_segments = 50e3;
constexpr std::int64_t least_rows_of_piece = 4;

/// Where the order does not show: elements of a thread of a warp, of a part of a segment; segments
/// that are as long are a block's if there are few.
constexpr std::int64_t elements_of_group_thread = 8, elements_of_part_thread = 16;
constexpr std::int64_t least_length_of_block = 1024;

unsigned bits_for(std::int64_t count) {
  return static_cast<unsigned>(std::countr_zero(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)))));
}
/// Of the greatest power of two below or at it.
unsigned bits_within(std::int64_t count) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(count)) - 1);
}

jit::SizeTerm term_of(const ir::Function& function, const ir::Operand& operand) {
  if (operand.is_constant()) return {operand.scalar().as<std::int64_t>(), std::nullopt};
  return {0, static_cast<std::uint32_t>(*jit::parameter_index(function, operand.value()))};
}

/// What the plan needs of a nest.
struct SegmentSizes {
  std::vector<jit::SizeTerm> extents; ///< of the maps, outermost first
  jit::SizeTerm length;
  std::vector<SegmentRead> reads;
  std::vector<ElementType> types;
};

/// Fewer segments and rows in a tile, as long as there would not be an item for each block.
void spread(const LaunchSizes& sizes, SegmentTiles& tiles) {
  const std::int64_t wanted = 2 * std::int64_t{sizes.multiprocessors};
  while (tiles.groups() < wanted && tiles.segment_bits > 0 &&
         (!tiles.is_by_columns || tiles.pieces() == 1))
    --tiles.segment_bits;
  tiles.pieces_of_item = tiles.pieces();
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

/// Of whichever way, once a thread a segment is not best.
struct Segments {
  std::int64_t length = 0, inner = 1, count = 1;
  SegmentLayout layout;
};

/// Nothing: a thread a segment.
std::optional<Segments> measure(const LaunchSizes& sizes, const SegmentSizes& nest) {
  Segments segments;
  segments.length = jit::value_of(nest.length, sizes.scalars);
  segments.inner = jit::value_of(nest.extents.back(), sizes.scalars);
  for (const jit::SizeTerm& extent : nest.extents)
    segments.count = saturating_product(segments.count, jit::value_of(extent, sizes.scalars));
  if (segments.length <= most_length_of_thread || segments.count < 1 || segments.count > INT32_MAX)
    return std::nullopt;
  segments.layout = layout_of_reads(sizes, nest.reads);
  const std::int64_t all_threads = sizes.multiprocessors * threads_of_multiprocessor;
  if (segments.count >= all_threads && !segments.layout.is_by_rows) return std::nullopt;
  return segments;
}

/// Where the order shows.
std::optional<LaunchPlan> plan_tiles(const LaunchSizes& sizes, const SegmentSizes& nest,
                                     const Segments& segments) {
  SegmentTiles tiles;
  tiles.length = segments.length;
  tiles.inner = segments.inner;
  tiles.segments = segments.count;
  tiles.is_by_columns = segments.layout.is_by_columns;
  tiles.position_bits = std::max(bits_for(std::min(tiles.length, row_length)), least_position_bits);
  const unsigned all_bits = bits_within(elements_of_segment_tile(nest.types));
  const unsigned line_bits = all_bits - tiles.position_bits;
  const unsigned rows_bits = bits_for(std::min(tiles.rows(), rows_in_block));
  const unsigned segments_bits = bits_for(tiles.segments);
  if (tiles.is_by_columns) {
    tiles.segment_bits = std::min({bits_for(most_columns), segments_bits, line_bits});
    tiles.row_bits = std::min(rows_bits, line_bits - tiles.segment_bits);
  } else {
    tiles.row_bits = std::min(rows_bits, line_bits);
    tiles.segment_bits = std::min(segments_bits, line_bits - tiles.row_bits);
  }
  spread(sizes, tiles);
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
  if (!nest) return std::nullopt;
  const ir::Operand& length = nest->reduction->extent;
  if (length.is_constant() && length.scalar().as<std::int64_t>() <= most_length_of_thread)
    return std::nullopt;
  KernelEntries entries = make_entries_after("segmented_reduce", function, options);
  if (entries.uses_scratch) return std::nullopt;
  const GpuHooks hooks;
  jit::KernelModule kernel{*entries.module.module, hooks};
  kernel.floats = options.floats;
  const SegmentFunctions functions(kernel, function, *nest, options);
  const bool shows_order = jit::keeps_fold_order(*nest->reduction);
  add_alternative(
      entries, shows_order ? segment_tile_entries(kernel, function, functions, nest->maps.size())
                           : segment_group_entries(kernel, function, functions, nest->maps.size()));
  if (kernel.refusal || hooks.use_scratch()) return std::nullopt;
  SegmentSizes sizes_of_nest{{}, term_of(function, length), nest->reads, functions.folds().types()};
  for (const ir::Soac* map : nest->maps)
    sizes_of_nest.extents.push_back(term_of(function, map->extent));
  entries.plan = [nest = std::move(sizes_of_nest), shows_order,
                  rest = std::move(entries.plan)](const LaunchSizes& sizes) {
    std::optional<LaunchPlan> plan;
    if (const std::optional<Segments> segments = measure(sizes, nest))
      plan = (shows_order ? plan_tiles : plan_groups)(sizes, nest, *segments);
    return plan ? std::move(*plan) : rest(sizes);
  };
  return entries;
}

} // namespace sinter::gpu
