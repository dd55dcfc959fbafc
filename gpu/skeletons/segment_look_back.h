// Scans of segments whose order does not show, in one pass over the elements of all segments: what
// is folded carries whether a segment has begun in it, and then what stands left of it does not
// matter.  So segments may be of any length, and blocks have equal work.  (Segmented scans as scans
// of pairs: G. E. Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990; the pass is
// look_back.h.)
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/segment_functions.h"
#include "gpu/skeletons/segment_sizes.h"

#include <vector>

namespace sinter::gpu {

/// Whether so many elements can be counted there.
bool may_look_back(const Segments& segments);
LaunchPlan plan_segment_look_back(const Segments& segments, const LaunchSizes& sizes,
                                  const std::vector<ElementType>& types);

EntryPoint segment_look_back_entry(jit::KernelModule& kernel, const ir::Function& function,
                                   const SegmentFunctions& functions, std::size_t rank);

} // namespace sinter::gpu
