// Maps of scans of scalars, by groups of threads: tiles of segments' rows where the order shows;
// one pass over the elements of all segments where not.  Where a thread a segment is best, it is
// another row's entry points that run: an alternative.
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/skeletons/across_reads.h"
#include "gpu/skeletons/segment_look_back.h"
#include "gpu/skeletons/segment_scan_tiles.h"
#include "gpu/skeletons/segment_sizes.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <llvm/IR/Module.h>

namespace sinter::gpu {

using primitives::rows_in_block;

namespace {

std::optional<LaunchPlan> plan_scan_by_tiles(const LaunchSizes& sizes, const SegmentSizes& nest,
                                             const Segments& segments) {
  SegmentTiles tiles = largest_tiles(segments, nest.types);
  spread_segments(sizes, tiles);
  if (tiles.groups() < wanted_items(sizes) && tiles.rows() > rows_in_block) {
    tiles.pieces_of_item = rows_in_block >> tiles.row_bits;
    tiles.totals = SegmentTotals::Blocks;
  }
  if (tiles.items() > INT32_MAX) return std::nullopt;
  return plan_segment_scan(tiles, sizes, nest.types);
}

/// Parameters that are read across: turned over, a segment's elements lie together.
std::vector<std::uint32_t> turned_for(const SegmentNest& nest, const ir::Function& function) {
  std::vector<std::uint32_t> result;
  for (const SegmentRead& read : nest.reads)
    if (read.position_dimension == 0 && read.segment_dimension &&
        function.type(function.body.parameters[read.parameter]).rank() > 1 &&
        !std::ranges::count(result, read.parameter))
      result.push_back(read.parameter);
  return result;
}

} // namespace

std::optional<KernelEntries> make_segmented_scan(const ir::Function& function,
                                                 const SkeletonOptions& options) {
  const std::optional<SegmentNest> nest = find_segmented_scan(function);
  if (!nest || are_short(*nest)) return std::nullopt;
  KernelEntries entries = make_entries_after("segmented_scan", function, options);
  if (entries.uses_scratch) return std::nullopt;
  const GpuHooks hooks;
  jit::KernelModule kernel{*entries.module.module, hooks};
  kernel.floats = options.floats;
  const bool shows_order = nest->has_own_neutral || jit::keeps_fold_order(*nest->fold);
  SkeletonOptions own_options = options;
  const std::vector<std::uint32_t> turned =
      shows_order ? std::vector<std::uint32_t>{} : turned_for(*nest, function);
  forget_order(own_options.layouts, turned);
  const SegmentFunctions functions(kernel, function, *nest, own_options);
  const std::size_t rank = nest->maps.size();
  std::vector<EntryPoint> own;
  if (shows_order)
    own = segment_scan_entries(kernel, function, functions, rank);
  else
    own.push_back(segment_look_back_entry(kernel, function, functions, rank));
  add_alternative(entries, std::move(own));
  if (kernel.refusal || hooks.use_scratch()) return std::nullopt;
  entries.plan = [nest = SegmentSizes(function, *nest, functions), shows_order, turned,
                  rest = std::move(entries.plan)](const LaunchSizes& sizes) {
    std::optional<LaunchPlan> plan;
    if (const std::optional<Segments> segments = nest.measure(sizes)) {
      if (shows_order) {
        plan = plan_scan_by_tiles(sizes, nest, *segments);
      } else if (may_look_back(*segments)) {
        plan = plan_segment_look_back(*segments, sizes, nest.types);
        plan->turned = worth_turning(sizes, turned);
      }
    }
    return plan ? std::move(*plan) : rest(sizes);
  };
  return entries;
}

} // namespace sinter::gpu
