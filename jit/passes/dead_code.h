// Removal of what nobody needs: statements, results and inputs of SOACs, state of loops, results of
// branches.
//
//   a, b = soac n (xs, ys) { (i: i64, x: f32, y: f32)        a = soac n (xs) { (i: i64, x: f32)
//     u = mul x 2f32                                    →      u = mul x 2f32
//     v = mul y 2f32                                           yield u
//     yield u, v                                             } map
//   } map map            -- b is not used
//
// Needed is what leads to a result or to a check; checks stay.  Marking goes from the needed values
// to what they are computed from, so that cycles through loops' state die as well.
#pragma once

#include "jit/ir/ir.h"

#include <span>
#include <vector>

namespace sinter::jit {

void remove_dead_code(ir::Function& function);

/// The body's statements that the operands need, in order.
std::vector<ir::Statement> statements_needed(const ir::Function& function, const ir::Body& body,
                                             std::span<const ir::Operand> operands);

} // namespace sinter::jit
