// Which kernels are maps whose elements are each a reduction, of as many elements every time:
//
//   c = soac n (xss) { (i: i64, xs: [m]f32)      one map, or a map of maps
//     s = soac m (xs) { (k: i64, x: f32)
//       y = mul x x
//       yield y
//     } reduce (0f32) { … }
//     r = sqrt s
//     yield r
//   } map
//
// Each element of the maps is a *segment*.
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// How a reduction reads a parameter: which of its dimensions count neighbouring segments (indices
/// of the innermost map), and which positions within a segment.
struct SegmentRead {
  std::uint32_t parameter = 0;
  std::optional<std::size_t> segment_dimension, position_dimension;
};

/// The parts of such a kernel; they point into its function.  Scalars are all that it computes, and
/// extents are parameters or constants.
struct SegmentNest {
  std::vector<const ir::Soac*> maps; ///< outermost first
  ir::Soac innermost;                ///< the last of them, up to its reduction
  const ir::Soac* reduction = nullptr;
  const ir::Statement* reduction_statement = nullptr;
  ir::Body after; ///< what the maps' bodies do behind it; it cannot fail
  std::vector<SegmentRead> reads;
};

inline constexpr std::size_t most_segment_rank = 2;

/// The kernel as such a nest, if it is one that groups of threads can take: of operators that
/// cannot fail, that need nothing of the segment, and of one check at most.
std::optional<SegmentNest> find_segment_nest(const ir::Function& kernel);

/// Whether the reads follow each other in memory within a segment, or from one to the next, rather
/// than the other way; neither where there are none.
struct SegmentLayout {
  bool is_by_rows = false, is_by_columns = false;
};
SegmentLayout layout_of_reads(const LaunchSizes& sizes, const std::vector<SegmentRead>& reads);

} // namespace sinter::gpu
