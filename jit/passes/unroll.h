// Short loops inside of SOACs are written out, round by round.
//
//   r = soac n (xs) { (i: i64, x: [4]f32)           r = soac n (xs) { (i: i64, x: [4]f32)
//     s = for 4i64 (0f32) { (k: i64, s: f32)          a = index x[0]
//       w = index ws[k]                               b = mul a 3f32          (`ws` is a literal)
//       y = index x[k]                        →       c = index x[1]
//       z = mul y w                                   d = mul c 5f32 …
//       t = add s z                                   yield t
//       yield t                                     } map
//     }
//     yield s
//   } map
//
// Loops and SOACs (maps, reductions and scans) of a constant extent, where that makes no more code
// than a kernel bears, but for maps that only make rows of the SOAC around them (short rows that
// have something of their own are written out, too), and for what goes along an array of 16
// elements or more that a SOAC which stays has just made: lanes go along both.  What the number of
// a round decides (branches, positions in tables, which word is taken) then needs no running, and
// small arrays whose positions are all known are no arrays any more but numbers in registers
// (simplify.h sees to that).  Reductions and scans are
// written out up to one row of the order of folding, within which that is from left to right.
//
// So are loops of the host whose rounds are maps over the same elements, where the number of the
// round chooses among those (`if k < 16 then map … else map …`): fused, they are one map.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// Of what holds no loops.
void unroll(ir::Function& function);
/// Of what holds loops, if there are very few rounds: before fusion, to which these loops are
/// neighbours then.
void unroll_loops_of_loops(ir::Function& function);

} // namespace sinter::jit
