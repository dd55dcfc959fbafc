// What the round before has written is carried as a number, too.
//
//   v = for n (a) { (i: i64, u: [m]f32)            x0 = index a[0]
//     x = index u[i]                               v, _ = for n (a, x0) { (i: i64, u: [m]f32, x: f32)
//     j = add i 1i64                                 j = add i 1i64
//     y = add x e                            →       y = add x e
//     w = update u[j] = y                            w = update u[j] = y
//     yield w                                        yield w, y
//   }                                              }
//
// So a round needs not wait until what was written can be read, and sums are seen to be prefixes
// (separate_states.h).  Only where the first element is known to be there, as a loop of no rounds
// reads nothing.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <vector>

namespace sinter::jit {

/// Changes the loop that the statement is; what comes before it goes to `out`.
void carry_previous_elements(ir::Function& function, ir::Statement& statement, Facts& facts,
                             std::vector<ir::Statement>& out);

} // namespace sinter::jit
