// Which kernels are maps whose elements each go through the same arrays in the same order (bodies
// that attract each other, points and the centres of clusters):
//
//   c = soac n (xs) { (i: i64, x: f32)
//     s = soac m (ys) { (k: i64, y: f32)       a reduction; ys is the same for all elements
//       d = sub y x
//       yield d
//     } reduce (0f32) { … }
//     yield s
//   } map
//
// A block of threads can read those arrays once for all of its own elements.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::gpu {

/// The parts of such a kernel; they point into its function.  No code in it can fail, and nothing
/// needs memory of its own.
struct StreamNest {
  const ir::Soac* map = nullptr;
  const ir::Soac* reduction = nullptr;
  const ir::Statement* reduction_statement = nullptr;
  ir::Body before, after; ///< what the map's body does besides
  /// Arrays of the kernel that elements of the reduction read at its index alone.  Parameters of
  /// the function, of one or two dimensions.
  std::vector<ir::ValueId> streams;
};

/// The kernel as such a nest, if it is one.
std::optional<StreamNest> find_stream_nest(const ir::Function& kernel);

} // namespace sinter::gpu
