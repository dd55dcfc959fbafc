// Reductions of segments whose order does not show: groups of threads each fold a segment, or a
// part of it, and then what each other have.
//
//   groups          a block takes items: as many segments as it has groups, all of their elements
//   or
//                   a part.  It stores their results, or leaves a total for each part
//   fold_segments   a block takes a segment's totals, and stores its results
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/segment_functions.h"

#include <cstdint>
#include <vector>

namespace sinter::gpu {

/// How a block's threads are shared out.
struct SegmentGroups {
  enum class Way : std::uint8_t {
    Lanes,  ///< neighbours of a warp have a segment
    Block,  ///< all threads have one
    Columns ///< neighbours have the same position of segments that follow each other
  };
  Way way = Way::Lanes;
  unsigned lane_bits = 0;   ///< threads of a group that has neighbours of a warp, at most 5
  unsigned column_bits = 0; ///< segments of a block that goes by columns
  std::int64_t length = 0, inner = 1, segments = 0;
  std::int64_t parts = 1; ///< of a segment
  bool is_wide = false;   ///< elements are computed by several at once; not by columns

  std::int64_t segments_of_block() const;
  std::int64_t threads_of_segment() const { return usual_threads / segments_of_block(); }
  std::int64_t items() const {
    return saturating_product(divided_up(segments, segments_of_block()), parts);
  }
  LaunchPlan plan(const LaunchSizes& sizes, const std::vector<ElementType>& types) const;
};

/// The entry points; they take as many areas as there are components.
std::vector<EntryPoint> segment_group_entries(jit::KernelModule& kernel,
                                              const ir::Function& function,
                                              const SegmentFunctions& functions, std::size_t rank);

} // namespace sinter::gpu
