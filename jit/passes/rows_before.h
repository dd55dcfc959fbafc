// What a map computes of its rows before one of its statements needs it, as a map of its own:
//
//   c, d = soac n (a) { (i: i64, r: [m]f32)        q = soac n (a) { (i: i64, r: [m]f32)
//     q = soac m (r) { … max x 0f32 … } map          q = soac m (r) { … max x 0f32 … } map
//     g = convert i                                  yield q
//     u = soac p () { (j: i64)                     } map
//       t = soac m (q) { … } reduce …        →     c, d = soac n (a, q) { (i: i64, r, q: [m]f32)
//       yield t                                      g = convert i
//     } map                                          u = soac p () { … t = soac m (q) … } map
//     yield u, q                                     yield u, q
//   } map map                                      } map map
//
// (Rule G2 of Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: purely functional
// GPU-programming with nested parallelism and in-place array updates", PLDI 2017, for one cut.)
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::jit {

struct RowsBefore {
  ir::Statement before; ///< with values of its own
  ir::Statement rest;   ///< whose values are those that the statement had: it stands in its place
  std::size_t at = 0;   ///< where the statement that needs them is in the rest's body
};

/// Takes out what computes the needed values, of the statements before the one at `at`.  The
/// statement is a SOAC in which nothing fails before another thing does that is not taken out.
/// Nothing if none of them is computed there, or the size of one that is kept is.
std::optional<RowsBefore> compute_rows_before(ir::Function& function,
                                              const ir::Statement& statement, std::size_t at,
                                              const std::vector<ir::ValueId>& needed);

/// How many elements are kept for each row, in statements at the end of `out`.
ir::Operand kept_elements(ir::Function& function, const RowsBefore& rows,
                          std::vector<ir::Statement>& out);

} // namespace sinter::jit
