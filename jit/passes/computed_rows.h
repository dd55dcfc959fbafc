// Products whose rows are computed on the way: where a map makes a row of its own before a nest
// that can be tiled (tiled_nest.h) reads it, the rows of all are made first, and stored.
//
//   c = soac n (a) { (i: i64, r: [m]f32)         q = soac n (a) { (i: i64, r: [m]f32)
//     s = soac m (r) { … } reduce …                s = soac m (r) { … } reduce …
//     q = soac m (r) { … div x s … } map           q = soac m (r) { … div x s … } map
//     u = soac p () { (j: i64)              →      yield q
//       t = soac m (q) { … } reduce …            } map
//       yield t                                  c = soac n (q) { (i: i64, q: [m]f32)
//     } map                                        u = soac p () { (j: i64) … } map
//     yield u                                      yield u
//   } map                                        } map
//
// So is what the nest itself computes of a row's elements, which would be done again for each
// column:
//
//   c = soac n (a) { (i: i64, r: [m]f32)         q = soac n (a) { (i: i64, r: [m]f32)
//     u = soac p () { (j: i64)                     s = soac m (r) { (k: i64, x: f32)
//       t = soac m (r) { (k: i64, x: f32)            v = max x 0f32
//         v = max x 0f32                             yield v
//         y = index b[k, j]                        } map
//         z = mul v y                       →      yield s
//         yield z                                } map
//       } reduce (0f32) { … }                    c = soac n (q) { (i: i64, s: [m]f32)
//       yield t                                    u = soac p () { (j: i64)
//     } map                                          t = soac m (s) { (k: i64, v: f32)
//     yield u                                          y = index b[k, j] …
//   } map                                        …
//
// Storing a row takes as long as a column or two of the product, and blocks of rows share what they
// read of the columns.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/vector_registers.h"

#include <optional>

namespace sinter::jit {

struct ComputedRows {
  ir::Statement rows; ///< what is computed for each row
  ir::Statement nest; ///< what can be tiled; its values may be the statement's
};

/// The statement in two, if that makes such a nest of it, or a better one than it is; it stays as
/// it is.
std::optional<ComputedRows> compute_rows_first(ir::Function& function,
                                               const ir::Statement& statement,
                                               const VectorRegisters& vectors);

} // namespace sinter::jit
