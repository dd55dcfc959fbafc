// Loops that put elements, one after the other, where counts of their kinds say, are partitions.
//
//   c = soac n (xs) { (i: i64, x: u32)              c = …   b = …
//     d = and x 255u32                              k, rs = soac n (xs) { (i: i64, x: u32)
//     e = convert d                                   d = and x 255u32
//     yield e, 1i64                                   e = convert d
//   } histogram 1 (zeros) (0i64) { … add … }          k = convert e
//   b = soac 256i64 () { (k: i64)                     yield k, x
//     … c[k-1], and 0 for the first                 } partition 256i64 1
//   } scan (0i64) { … add … }
//   e, rs = for n (b, ys) {
//       (i: i64, b: [256]i64, r: [n]u32)       →
//     x = index xs[i]
//     d = and x 255u32
//     e = convert d
//     p = index b[e]
//     q = add p 1i64
//     s = update b[e] = q
//     t = update r[p] = x
//     yield s, t
//   }
//
// Counting sort (Knuth, The Art of Computer Programming, volume 3, 5.2) as it is written for one
// thread.  All places of `r` are written, each once.  What the loop fails by, a number that no kind
// has, is checked before, for all elements; where the number of kinds is not known, the loop stays
// for the case that it is large.  On the host's level only: inside of SOACs a loop is as good.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_counting_sorts(ir::Function& function);

} // namespace sinter::jit
