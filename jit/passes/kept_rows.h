// Filters of rows, for places with more threads than there are rows: what is filtered are indices,
// and the rows that are kept are then gathered, over rows and columns at once.
//
//   k, ks = soac n (xss) { (i, xs: [m]f32)       k, is = soac n (xss) { (i, xs)
//     x = index xs[0]                              x = index xs[0]
//     p = lt x 1                           →       p = lt x 1
//     yield p, xs                                  yield p, i
//   } filter 1                                   } filter 1
//                                                ks = soac k (is) { (t, j: i64)
//                                                  ys = soac m () { (c)  y = index xss[j, c] … }
//                                                  map yield ys
//                                                } map
//
// Rows that are computed are computed again where they are kept, by maps of scalars: nobody stores
// those that are not.  Scalars that are kept beside them stay where they are.  Rows that are
// partitioned by kinds are gathered likewise, all of them.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void gather_kept_rows(ir::Function& function);

} // namespace sinter::jit
