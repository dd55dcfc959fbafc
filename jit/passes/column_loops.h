// Interchange of a loop and maps on the host's level: a loop each of whose rounds maps over the
// same indices, and needs nothing but what stands at its own index, is a map of loops.
//
//   c = for m (c0) { (k: i64, t: [m][n]f32)        cs = soac n (a) { (i: i64, r: [m]f32)
//     p = sub k 1i64                                 t0 = soac m () { … index c0[j, i] … } map
//     b: [n]f32 = index t[p]                         u = for m (t0) { (k: i64, t: [m]f32)
//     v = soac n (b) { (i: i64, x: f32)                p = sub k 1i64
//       y = index a[i, k]                              x = index t[p]
//       z = mul x y                        →           y = index r[k]
//       yield z                                        z = mul x y
//     } map                                            v = update t[k] = z
//     u = update t[k] = v                              yield v
//     yield u                                        }
//   }                                                yield u
//                                                  } map
//                                                  c = transpose cs (1, 0)
//
// A carried table may also lie the other way, [n][m], with columns that are written whole (`update
// t[0:, k:] = reshape v`): then nothing is turned round.
//
// Many systems of equations, or sequences, that are solved side by side, "a loop over unknowns,
// each step a map over systems", so become what "a map over systems, each a loop" is: one launch
// that reads each row from end to end, instead of one for each column that reads across memory.
// Maps of several such loops then fuse.  Only where arrays that come from outside are read across
// memory, and none along it, and no more results are turned round than arrays that are read are;
// only where what a round computes besides its maps is next to nothing, since each element computes
// it then; and an array that is carried must have as many rows as there are rounds, since all of it
// is made anew.
//
// (Loop interchange as in J. R. Allen and K. Kennedy, "Automatic translation of FORTRAN programs to
// vector form", ACM TOPLAS 9(4), 1987; the other way round than rule G7 of Henriksen, Serup,
// Elsman, Henglein and Oancea, PLDI 2017, which wants more threads.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// Of loops on the host's level.
void interchange_column_loops(ir::Function& function);

} // namespace sinter::jit
