// Columns that a nest is given as inputs, as reads by their number: what a nest's columns come with
// is then in one form, which tiled_nest.h knows.
//
//   c = soac n (a, w) { (i: i64, r: [m]f32, q: [p]f32)   c = soac n (a, w) { (i: i64, …)
//     u = soac p (b, q) { (j: i64, l: [m]f32, v: f32)      u = soac p () { (j: i64)
//       s = soac m (r, l) { (k: i64, x: f32, y: f32)         v = index q[j]
//         z = mul x y                                        s = soac m (r) { (k: i64, x: f32)
//         yield z                                    →         y = index b[j, k]
//       } reduce (0f32) { … }                                  z = mul x y
//       d = sub v s                                            yield z
//       yield d                                              } reduce (0f32) { … }
//     } map                                                  d = sub v s
//     yield u                                                yield d
//   } map                                                  } map …
//
// It is for blocks only: lanes that each go along a row of memory do better with inputs (jit/emit/
// turned.cpp).
#pragma once

#include "jit/ir/ir.h"

#include <optional>

namespace sinter::jit {

/// A copy of the map over rows whose last statement, a map over columns, has no inputs; nothing if
/// it has none already, or some are rows that are more than walked.
std::optional<ir::Statement> read_columns_by_index(ir::Function& function,
                                                   const ir::Statement& statement);

/// Lets the statement of the columns' body, if it is a SOAC, read its inputs that are rows of the
/// columns' inputs.
void walk_by_index(const ir::Soac& columns, ir::Statement& statement);

} // namespace sinter::jit
