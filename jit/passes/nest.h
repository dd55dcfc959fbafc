// Nests: what lets the code generator choose along which index lanes should run.
//
//   bt: [p][m]f32 = transpose b (1, 0)             c = soac n (a) { (i: i64, r: [m]f32)
//   c = soac n (a) { (i: i64, r: [m]f32)             u = soac p () { (j: i64)
//     u = soac p (bt) { (j: i64, q: [m]f32)            s = soac m (r) { (k: i64, x: f32)
//       s = soac m (r, q)                                y = index b[k, j]
//         { (k: i64, x: f32, y: f32)           →         z = mul x y
//         z = mul x y                                    yield z
//         yield z                                      } reduce (0f32) { … }
//       } reduce (0f32) { … }                          yield s
//       yield s                                      } map
//     } map                                          yield u
//     yield u                                      } map
//   } map
//
// Rows of a transposed array lie across memory: read through the array itself, it is plain that `j`
// is the index with neighbouring elements (coalescing, in Futhark's terms).
//
// The other way round, rows of a small array that a nest goes over again and again are better read
// across, so that lanes may run along them: the array is transposed once, before the nest.
//
//   soac n (ps) { (i: i64, p: [d]f32)              ct = soac d () { … index cs[j, k] … } map
//     soac 64 (cs) { (j: i64, c: [d]f32)           soac n (ps) { (i: i64, p: [d]f32)
//       soac d (p, c) { … } reduce           →       soac 64 () { (j: i64)
//       …                                              soac d (p) { … index ct[k, j] … } reduce
//
// The nest may be inside of loops; rows may be those of the own index in a larger array, `index
// cs[j]`, and what a fold or a loop reads one after the other, `index cs[j, k]`, or, of rows behind
// each other, `index cs[d * j + k]`.  (Of rows that are not there zeros are copied, which nobody
// reads.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void transpose_shared_rows(ir::Function& function);
void read_transposed_by_index(ir::Function& function);

} // namespace sinter::jit
