// Indices that a program counts in 32 bits are indices:
//
//   v = soac n () { (i: i64)                       g = le n 2147483647i64
//     j = convert i          (i32)                 check g, "…"
//     k = add j 1i32                           →   v = soac n () { (i: i64)
//     l = convert k          (i64)                   l = add i 1i64
//     x = index a[l]                                 x = index a[l]
//     yield x                                        yield x
//   } map                                          } map
//
// A number of 32 bits that is extended is what the same sum of i64 comes to, where no step wraps
// around.  Each step's bounds are sums of extents; that they fit is seen here, or is checked where
// the extents are known, outside of all SOACs.  Where the check fails the program does wrap around,
// for its last index at least, and the interpreter goes on.  Then elements are known to be those
// with the SOAC's own index, or beside it, as they are where the program counts in 64 bits; quotients
// and remainders of such numbers, by such, are rows and columns (flat_nests.h).  What
// then is known to fit is compared in 64 bits, too, and loops are numbered so; checks that hold by
// that are gone (simplify.h).
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void widen_indices(ir::Function& function);

} // namespace sinter::jit
