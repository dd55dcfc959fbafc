// Branches that need not be: small ones without side conditions choose between values that are both
// computed, and what both branches agree on needs none.
//
//   y = if p {                              a = add x 1
//     a = add x 1                           b = mul x 2
//     yield a                          →    y = select p a b
//   } else {
//     b = mul x 2
//     yield b
//   }
//   y, z = if p { …; yield a, m }           y = if p { …; yield a } else { …; yield b }
//          else { …; yield b, m }      →    z = m
//   as, c = if p {                          d = add b 1
//     d = add b 1                           c = select p d b
//     u = update ys[b] = x             →    as = if p { u = update ys[b] = x  yield u }
//     yield u, d                                 else { yield ys }
//   } else { yield ys, b }
#pragma once

#include "jit/passes/knowledge.h"

#include <vector>

namespace sinter::jit {

/// Whether both branches may as well be computed, and chosen from.  `statement` is the `if`'s.
bool becomes_select(const ir::If& choice, const ir::Statement& statement,
                    const ir::Function& function);

/// Numbers that arrays are chosen beside, where few operations make them: what computes and chooses
/// them, to come before the `if`, which they leave.
std::vector<ir::Statement> scalars_beside(ir::If& choice, ir::Statement& statement,
                                          const ir::Function& function);

void drop_equal_results(ir::If& choice, ir::Statement& statement, Knowledge& known);

} // namespace sinter::jit
