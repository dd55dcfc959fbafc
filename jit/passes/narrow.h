// Which element is found, not what stands there: reductions that select indices hold them in 32
// bits where all extents at hand fit in those.
//
//   s, at = soac n (xs) { (i: i64, x: f32)         g = lt n 2147483647i64
//     yield x, i                                   s, at = if g {
//   } reduce (-f32.inf, n)                           m = convert n                        (i32)
//     { (a: f32, i: i64, b: f32, j: i64)             t, k = soac n (xs) { (i: i64, x: f32)
//     c = gt a b                                       l = convert i
//     d = eq a b                              →        yield x, l
//     e = lt i j                                     } reduce (-f32.inf, m)
//     …                                                { (a: f32, i: i32, b: f32, j: i32) … }
//     f = select c a b                               o = convert k                        (i64)
//     h = select c i j                               yield t, o
//     yield f, h                                   } else { … as it was … }
//   }
//
// Lanes of numbers of 32 bits then have indices as wide as they are: one register instead of two,
// and conditions on the ones serve the others as they stand.  The operator may compare such
// components with each other or with constants, select them, or take the least or the greatest, and
// nothing else; the elements are the index,
// values from around the SOAC, constants, and selections of those.  The greatest and the least i64,
// which stand for no index, become those of i32.  The order of the numbers is the same, so the bits
// are.  What takes the low bits of such a result, `convert o`, and is alone in wanting it, is done
// in either branch.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void narrow_indices(ir::Function& function);

} // namespace sinter::jit
