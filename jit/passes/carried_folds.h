// What a round folds out of the array that it begins with, the round before computes as it makes
// that array: then both are one SOAC (fuse.h), which goes through memory once.
//
//   xs = for m (xs0) { (k, xs: [n]f32)            t0 = soac n (xs0) { … } reduce …
//     t = soac n (xs) { (i, x)                    xs, u = for m (xs0, t0) { (k, xs: [n]f32, t: f32)
//       yield x                                     ys = soac n (xs) { (i, x)
//     } reduce (0f32) { … }                →          y = div x t
//     ys = soac n (xs) { (i, x)                       yield y
//       y = div x t                                 } map
//       yield y                                     t1 = soac n (ys) { … } reduce …
//     } map                                         yield ys, t1
//     yield ys                                    }
//   }
//
// In a round the map has to wait for the fold; across rounds it need not.  The same of a loop's
// condition, which then looks at a number that is carried.  What the last round computes is for
// nobody, so folds of a round are light, and cannot fail; and a loop that may have no round does
// not begin with one.  Numbers only: of rows, each of the two goes its own way better.  (The
// rotation of loops as in A. Aiken and A. Nicolau, "Perfect pipelining: a new loop parallelization
// technique", ESOP 1988, by a whole fold.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void carry_folds(ir::Function& function);

} // namespace sinter::jit
