// Histograms of columns with the same indices are one of rows:
//
//   h = soac p () { (j: i64)                       bs = soac m () { … soac p () { … index b[k] } }
//   map
//     b = soac m () { … 0f32 } map                 ns = soac p () { … 0f32 } map
//     c = soac n (ks) { (i: i64, k: i64)           hs = soac n (ks, xss) { (i, k, xs: [p]f32)
//       x = index xss[i, j]                          yield k, xs
//       yield k, x                          →      } histogram 1 (bs) (ns) { (as: [p]f32, …)
//     } histogram 1 (b) (0f32) {                     cs = soac p (as, xs) { … add … } map
//       … add …                                      yield cs
//     }                                            }
//     yield c                                      h = transpose hs (1, 0)
//   } map
//
// Lanes that each have bins of their own gather and scatter; of rows, lanes take neighbouring
// elements, and the indices are read once.  How a histogram is cut into segments depends on the
// numbers of elements and of bins (lang/primitives/fold_order.h), which are the same; within a
// segment, and from segment to segment, an element of a row meets those of its own column alone, in
// the same order, and begins with the same neutral element: the bits stay.  Indices out of bounds
// leave out a row, which is one element of each column.  For columns that are more than a few,
// which is known when it runs.
//
// (As rule G5 for reductions, the other way round, columns.h.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void combine_column_bins(ir::Function& function);

} // namespace sinter::jit
