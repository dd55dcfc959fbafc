// Loops of the host whose rounds are maps over the arrays that they carry, each element of which
// needs nothing but what stands at its own place, are maps of loops:
//
//   xs = for m (xs0) { (k: i64, as: [n]f32)       xs = soac n (xs0) { (i: i64, x0: f32)
//     r = soac n (as, ws) {                         x = for m (x0) { (k: i64, a: f32)
//       (i: i64, a: f32, w: f32)                      w = index ws[i]
//       y = mul a w                          →        y = mul a w
//       yield y                                       yield y
//     } map                                         }
//     yield r                                       yield x
//   }                                             } map
//
// Also of maps of maps.  So a number of steps over whole arrays, each with a condition of each
// element, takes one launch and one way through memory in place of one a round, and ends for each
// element when it has come to rest (settle.h).  What a round computes besides its map is next to
// nothing, since each element computes it then; it cannot fail, as there may be no elements.  Where
// each round reads another element for each element of an array from outside, it goes through a part
// of memory that the element's loop would come back to at each round: only where these are few.
// (What a row's elements, or a column's, have in common is read by all: sums of outer products are
// products in loops.)  (Loop interchange as in J. R. Allen and K. Kennedy, "Automatic translation of FORTRAN programs to vector form", ACM
// TOPLAS 9(4), 1987.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_loops_of_elements(ir::Function& function);

} // namespace sinter::jit
