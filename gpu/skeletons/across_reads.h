// Arrays that neighbouring threads read far apart from each other: each thread goes along a row of
// its own.
//
//   c = soac n (xss) { (i: i64, xs: [m]f32)       a thread for each i
//     s = soac m (xs) { (k: i64, x: f32)          reads xss[i, k], its neighbour xss[i + 1, k]
//
// Turned over in memory, so that the threads' dimension comes last, what they read at once lies
// together.
#pragma once

#include "gpu/skeletons/launch_plan.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::gpu {

/// Parameters of a kernel with a thread for each index that are read so, and only so, by a loop of
/// each thread: arrays of at least two dimensions, of which the first is the threads'.
std::vector<std::uint32_t> parameters_read_across(const ir::Function& kernel);

/// For the emission of entry points that read them, whichever way they lie: nothing is known of
/// their strides.
void forget_order(ir::ArrayLayouts& layouts, std::span<const std::uint32_t> parameters);

/// Those whose arguments it is worth turning over, as far as that can be done.
std::vector<std::uint32_t> worth_turning(const LaunchSizes& sizes,
                                         std::span<const std::uint32_t> parameters);

} // namespace sinter::gpu
