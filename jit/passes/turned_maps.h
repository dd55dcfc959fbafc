// Turned maps: a map of maps whose elements are all read across, and that does not read in order
// what it reads, has its two maps change places.
//
//   v: [m][n]f32 = soac m () { (j: i64)            v2: [n][m]f32 = soac n () { (i: i64)
//     r: [n]f32 = soac n () { (i: i64)               r: [m]f32 = soac m () { (j: i64)
//       k = add j 1                                    k = add j 1
//       a = index xs[i, j]                             a = index xs[i, j]
//       b = index xs[i, k]                             b = index xs[i, k]
//       y = sub a b                          →         y = sub a b
//       yield y                                        yield y
//     } map                                          } map
//     yield r                                        yield r
//   } map                                          } map
//   soac n () { (i: i64)                           soac n () { (i: i64)
//     soac m () { (j: i64)                           soac m () { (j: i64)
//       z = index v[j, i]                              z = index v2[i, j]
//
// So what is written for rows is done to columns, `transpose (map f (transpose xs))`: then memory
// is gone through in order, and those who read the elements read them at their own index, where
// fusion can hand them over. Each element is computed once, as before; what the outer map computes
// for a row is cheap. (Loop interchange, as in J. R. Allen and K. Kennedy, "Automatic translation
// of FORTRAN programs to vector form", ACM TOPLAS 9(4), 1987.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void turn_maps(ir::Function& function);

} // namespace sinter::jit
