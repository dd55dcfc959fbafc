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
// Each element of the maps is a *segment*.  Or they are each a scan of as many elements:
//
//   c = soac n (xss) { (i: i64, xs: [m]f32)
//     s: [m]f32 = soac m (xs) { … } scan (0f32) { … }
//     yield s
//   } map
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// How a segment's elements read a parameter: which of its dimensions count neighbouring segments
/// (indices of the innermost map), and which positions within a segment.
struct SegmentRead {
  std::uint32_t parameter = 0;
  std::optional<std::size_t> segment_dimension, position_dimension;
};

/// Of a parameter: the dimension along which a segment's elements lie.
struct SegmentRow {
  std::uint32_t parameter = 0;
  std::size_t dimension = 0;
};

/// The parts of such a kernel; they point into its function.  Scalars are all that it computes, and
/// extents are parameters or constants.
struct SegmentNest {
  std::vector<const ir::Soac*> maps; ///< outermost first
  ir::Soac innermost;                ///< the last of them, up to what is inside
  const ir::Soac* fold = nullptr;    ///< that: reductions, or scans and maps beside them
  const ir::Statement* fold_statement = nullptr;
  ir::Body after; ///< what the maps' bodies do behind a reduction; it cannot fail
  /// Of scans: by the kernel's results, which result of the statement each is.
  std::vector<std::size_t> stored;
  std::vector<SegmentRead> reads;
  /// What folds begin with is the segment's own.
  bool has_own_neutral = false;
  /// By inputs of `fold`, if each of them is a row of a parameter; else empty.
  std::vector<SegmentRow> rows;
};

inline constexpr std::size_t most_segment_rank = 2;

/// A reduction or a scan of a SOAC, and where its values are among the SOAC's.
struct FoldingGroup {
  const std::vector<ir::Operand>* neutral = nullptr;
  const ir::Body* combine = nullptr;
  std::size_t body_result = 0, result = 0; ///< the first ones
};
std::vector<FoldingGroup> folding_groups(const ir::Soac& soac);

/// The kernel as such a nest, if it is one that groups of threads can take: of operators that
/// cannot fail, that need nothing of the segment (what they begin with may), and of one check at
/// most.
std::optional<SegmentNest> find_segment_nest(const ir::Function& kernel);
/// The same of scans; behind them stands nothing.
std::optional<SegmentNest> find_segmented_scan(const ir::Function& kernel);

/// Whether the reads follow each other in memory within a segment, or from one to the next, rather
/// than the other way; neither where there are none.
struct SegmentLayout {
  bool is_by_rows = false, is_by_columns = false;
};
SegmentLayout layout_of_reads(const LaunchSizes& sizes, const std::vector<SegmentRead>& reads);
/// Whether so many elements from a multiple of that on lie together, at a multiple of their size,
/// in each row.
bool are_aligned(const LaunchSizes& sizes, const std::vector<SegmentRow>& rows, unsigned lanes);

} // namespace sinter::gpu
