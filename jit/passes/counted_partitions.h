// Elements that are scattered to where counts of those of the same kind, and of all kinds before,
// put them are filtered, kind by kind.
//
//   cs, ds = soac n (xs) { (i: i64, x: i32)        m, as, k, bs = soac n (xs) { (i: i64, x: i32)
//     p = lt x 10i32                                 p = lt x 10i32
//     q = not p                                      q = not p
//     … convert p, convert q                         yield p, x, q, x
//   } scan (0i64) { … add … } scan …               } filter 1 filter 1
//   m = if eq n 0 { 0 } else { cs[n-1] }           rs = concat as bs
//   rs = soac n (cs, ds, xs) {
//       (j: i64, c: i64, d: i64, x: i32)     →
//     p = lt x 10i32
//     t = add c -1i64
//     u = add d m
//     v = add u -1i64
//     w = select p t v
//     yield w, x
//   } scatter 1 zs
//
// So a step of a radix sort whose places are counted is one that joins buckets.  Each element must
// be of one kind: two conditions of which one is the other's opposite, or what a number of a few
// bits is equal to.  Then places are 0 … n - 1, each once, and nothing of the destination is left.
// The kinds may be numbers, a bit and one less that bit, which are counted, and by which places are
// chosen or multiplied.  Counts of 32 bits must not wrap around, which is checked.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_counted_partitions(ir::Function& function);

} // namespace sinter::jit
