// What the bits of a number choose, and any order combines, is looked up several bits at a time:
//
//   ys = soac n () { (i: i64)                      t = soac 8 { (g) soac 16 { (c)
//     b0 = and i 1   c0 = eq b0 1                      what the bits of `c` choose of
//     s0 = select c0 v0 0                              v[4g] … v[4g + 3]
//     b1 = and (shr i 1) 1   …                 →     } map } map
//     s1 = select c1 v1 0                          ys = soac n () { (i: i64)
//     x1 = xor s0 s1                                 x0 = index t[0, and i 15]
//     …                                              x1 = index t[1, and (shr i 4) 15]
//     x31 = xor x30 s31                              x2 = xor x0 x1   …
//     yield x31                                      yield x14
//   } map                                          } map
//
// Exclusive ors, sums and the like of integers give the same bits in any order, so those of four
// bits are found once, for all elements.  What is chosen must be known before the elements are: be
// read from an array at constant places, or also at the index of one map of constant extent inside,
// for each index of which there is a table then.  Rows of 16 numbers of four bytes are a register's
// or two, from which lanes pick.  Bits of a Gray code, `xor p (shr p 1)`, beside such a map are
// written as those of its parts: emission then sees a running index's high bits, which most lanes
// have in common.  (The method of the four Russians: Arlazarov, Dinic, Kronrod, Faradzev, "On
// economical construction of the transitive closure of a directed graph", 1970.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_bit_tables(ir::Function& function);

} // namespace sinter::jit
