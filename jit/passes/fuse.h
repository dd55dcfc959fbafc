// Fusion: SOACs that walk the same index space become one, so that what one makes for the other
// stays in registers.
//
// Vertical: a consumer reads the results of a map elementwise (as inputs, or at its own index).
//
//   ys = soac n (xs) { (i: i64, x: f32)            s = soac n (xs) { (i: i64, x: f32)
//     y = mul x x                                    y = mul x x
//     yield y                                  →     yield y
//   } map                                          } reduce (0f32) { (a: f32, b: f32)
//   s = soac n (ys) { (j: i64, y2: f32)              c = add a b
//     yield y2                                       yield c
//   } reduce (0f32) { … }                          }
//
// `ys` stays a result of the fused statement if somebody else needs it.  Horizontal: independent
// SOACs of one extent that read a common array become one statement that reads it once.  Two
// statements may become one if no third must lie between them (dependencies.h); nothing is computed
// twice.  After Futhark (Henriksen, Larsen, Oancea: fusion as graph reduction, T2 of "A T2
// graph-reduction approach to fusion", FHPC 2013), producer/consumer fusion as in McDonell et al.,
// ICFP 2013.  Results of scans and filters do not flow into consumers: they are known only after
// all elements were seen (but see post.h, filters.h).
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void fuse(ir::Function& function);

} // namespace sinter::jit
