// Hoisting: what a loop or a SOAC computes anew for each iteration although it stays the same is
// computed once before it.
//
//   ys = soac n (xs) { (i: i64, x: f32)            r = sqrt a
//     r = sqrt a                                   ys = soac n (xs) { (i: i64, x: f32)
//     y = mul x r                            →       y = mul x r
//     yield y                                        yield y
//   } map                                          } map
//
// Moved are pure operations that cannot fail, even if the body never runs: scalars, views, element
// reads whose indices are seen to lie within the array (facts.h), and whole SOACs of such
// (Futhark's and every optimising compiler's loop-invariant code motion).  What is overwritten
// inside stays.  Checks that stay the same are done before, where the body runs at all:
//
//   check c, "…"        (in the SOAC)       →      e = le n 0   d = or e c   check d, "…"
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void hoist(ir::Function& function);

} // namespace sinter::jit
