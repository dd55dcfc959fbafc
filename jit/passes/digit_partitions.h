// Filters by digits, joined, are a partition; rounds that partition by neighbouring digits are one
// by more bits.
//
//   rs = for 16i32 (xs) { (i: i32, ys: [n]u32)          rs = for 4i32 (xs) { (i: i32, ys: [n]u32)
//     s = mul i 2i32                                      s = mul i 8i32
//     m, as, k, bs, … = soac n (ys) {                     c, zs = soac n (ys) { (j: i64, y: u32)
//         (j: i64, y: u32)                                  u = shr y s
//       u = shr y s                                →        d = convert u
//       d = and u 3u32                                      e = and d 255i32
//       p = eq d 0u32                                       yield e, y
//       q = eq d 1u32 …                                   } partition 256i64 1
//       yield p, y, q, y, …                               yield zs
//     } filter 1 filter 1 …                             }
//     zs = concat as bs …
//     yield zs
//   }
//
// A partition keeps the order of elements of one kind: one by a low digit and then one by the digit
// above it are one by both (Knuth, The Art of Computer Programming, volume 3, 5.2.5).  A single
// partition into few kinds stays filters, which go through elements once.  On the host's level
// only.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_digit_partitions(ir::Function& function);

} // namespace sinter::jit
