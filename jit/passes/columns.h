// Reductions of rows by an operator on their elements are maps of reductions over columns:
//
//   s = soac n (xss) { (i, xs: [m]f32)            s = soac m (ne) { (j, e: f32)
//     yield xs                                      r = soac n () { (i)
//   } reduce (ne) { (a: [m]f32, b: [m]f32)            x = index xss[i, j]
//     c = soac m (a, b) { (j, p, q)                   yield x
//       r = add p q                        →        } reduce (e) { (p, q)
//       yield r                                       r = add p q
//     } map                                           yield r
//     yield c                                       }
//   }                                               yield r
//                                                 } map
//
// Each element is combined with those of its own column alone, in the order in which rows are, so
// that the bits stay.  What the body computes for all of a row each column computes by itself: that
// has to be little.  So it is for places with more threads than a processor has lanes; and on a
// processor where the columns turn out to be so few that its lanes would be idle along a row, for
// scans too, or the rows that its threads would:
//
//   s = soac n (xss) { … } scan (ne) { … }   →   t = soac m (ne) { … soac n () { … } scan … } map
//                                                s = transpose t (1, 0)
//
// (Rule G5 of Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: purely functional
// GPU-programming with nested parallelism and in-place array updates", PLDI 2017.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// All of them, but no scans.
void reduce_columns(ir::Function& function);
/// Where columns, or rows that are reduced, are few when it runs.  Histograms of columns go the
/// other way, where they are more than a few (column_bins.h).
void go_down_thin_matrices(ir::Function& function);

} // namespace sinter::jit
