// What a SOAC inside of another one reads element by element, from somewhere on, is a slice:
//
//   s = soac m () { (j: i64)                       r = 0 <= b <= n - m, or m <= 0
//     p = add b j                                  check r, "…"
//     c = p within n                               ys = slice a[b:1]                     ([m]f32)
//     check c, "…"                           →     s = soac m (ys) { (j: i64, x: f32)
//     x = index a[p]                                 …
//     …                                            } reduce …
//   } reduce …
//
// The same, of any SOAC, for what is read at its own index.  All places are in the array if the first and the last one are.  Then rows of memory are seen as
// such, and are read in lanes; checks of places in between are known to hold (simplify.h).  Where the same
// array is read at other places, too, it stays: such reads are looked at together.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_index_slices(ir::Function& function);

} // namespace sinter::jit
