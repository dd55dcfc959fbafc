// Interchange of a loop and a map: a loop that carries an array through maps over its elements is a
// map of loops that carry a number.
//
//   u = for m (c) { (k: i64, a: [p]f32)          u = soac p (c) { (j: i64, c0: f32)
//     y: [p]f32 = index b[k]                       s = for m (c0) { (k: i64, x: f32)
//     t = index r[k]                                 t = index r[k]
//     v = soac p (a, y) {                            z = index b[k, j]
//       (j: i64, x: f32, z: f32)           →         q = mul t z
//       q = mul t z                                  w = add x q
//       w = add x q                                  yield w
//       yield w                                    }
//     } map                                        yield s
//     yield v                                    } map
//   }
//
// So a product of matrices that is written as a sum of rows becomes the nest that one of dot
// products is, for lanes along `j` and for tiles (tile.h): each element depends on itself alone,
// and keeps the order of its rounds.  (Loop interchange as in J. R. Allen and K. Kennedy,
// "Automatic translation of FORTRAN programs to vector form", ACM TOPLAS 9(4), 1987.)  Only inside
// of SOACs, where a round is no launch of its own that walks a row of memory from end to end; only
// where the elements' reads are those of a product, which blocks keep near; and only where what a
// round computes besides is next to nothing, since each element computes it then.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void interchange(ir::Function& function);

} // namespace sinter::jit
