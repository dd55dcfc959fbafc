// Scans of segments in the order of lang/primitives/fold_order.h, by the tiles of segment_tiles.h:
// threads that each own a row turn it into prefixes, threads that each own a segment find what
// stands before its rows, and prefixes go to the results by threads beside each other.
//
//   prefixes        a block takes items: some segments that follow each other, all of their rows.
//
// Where there are too few segments for that, an item is a block of the order:
//
//   segments        an item leaves its total
//   carries         a block takes a segment: what stands before a total takes its place
//   prefixes        as before, from there on
#pragma once

#include "gpu/skeletons/segment_tiles.h"

#include <vector>

namespace sinter::gpu {

/// `tiles`: items have all of their segments, or a block of the order and leave `Blocks`.
LaunchPlan plan_segment_scan(const SegmentTiles& tiles, const LaunchSizes& sizes,
                             const std::vector<ElementType>& types);

/// The entry points; they take as many areas as there are components.
std::vector<EntryPoint> segment_scan_entries(jit::KernelModule& kernel,
                                             const ir::Function& function,
                                             const SegmentFunctions& functions, std::size_t rank);

} // namespace sinter::gpu
