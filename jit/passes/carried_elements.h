// An element that all rounds of a loop read and write is carried as a number.
//
//   v = for m (a) { (k: i64, u: [n]f32)            x0 = index a[i]
//     x = index u[i]                               x1 = for m (x0) { (k: i64, x: f32)
//     y = add x e                          →         y = add x e
//     w = update u[i] = y                            yield y
//     yield w                                      }
//   }                                              v = update a[i] = x1
//
// (Scalar replacement, as in D. Callahan, S. Carr and K. Kennedy, "Improving register allocation
// for subscripted variables", PLDI 1990.)  Only where the element is known to be there, as a loop
// of no rounds reads nothing.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// The statements that stand for a loop, whose own is among them; nothing if it stays.
std::optional<std::vector<ir::Statement>>
carry_elements(ir::Function& function, const ir::Statement& statement, Facts& facts);

} // namespace sinter::jit
