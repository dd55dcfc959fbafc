// Reductions and scans of short rows are those of the rows' elements.
//
//   r = soac n (xss) { (i: i64, xs: [2]f32)        s, t = soac n (xss) { (i: i64, xs: [2]f32)
//     yield xs                                       x = index xs[0i64]
//   } reduce (zs) { (as: [2]f32, bs: [2]f32)         y = index xs[1i64]
//     cs = soac 2i64 (as, bs) { (j, a, b)      →     yield x, y
//       c = add a b                                } reduce (z, w) { (a, d, b, e)
//       yield c                                      c = add a b
//     } map                                          f = add d e
//     yield cs                                       yield c, f
//   }                                              }
//                                                  r = array (s, t)
//
// A row in an operator is an array that is made for each element, and nothing with such an operator
// runs in lanes.  Its elements are numbers in registers, and components that do not meet are split
// (split_operators.h).  What is scanned is put together again by a map over the prefixes.  The
// order of folding depends on sizes alone, so that the bits stay.  Only where the operator is
// scalar code afterwards.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_row_operators(ir::Function& function);

} // namespace sinter::jit
