// Folds that select one of their indices, and read arrays at those, carry what they would read.
//
//   p = soac n () { (i) yield i }                  p, y = soac n () { (i)
//     reduce (-1i64) { (a, b)                        x = index xs[i]
//       c = lt a 0i64                                yield i, x
//       r = if c { yield b } else {                } reduce (-1i64, 0f32) { (a, x, b, y)
//         x = index xs[a]                →             c = lt a 0i64
//         y = index xs[b]                              r, s = if c { yield b, y } else {
//         d = lt y x                                     d = lt y x
//         s = select d b a                               s = select d b a
//         yield s                                        t = select d y x
//       }                                                yield s, t
//       yield r                                        }
//     }                                                yield r, s
//                                                    }
//
// So the place of the least element is found without going back to the array: what makes that goes
// into the same loop, and lanes need no gathers.  The bits stay: what is carried is what would be
// read.  Only where the elements are the SOAC's own indices, into an array that has as many.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <cstddef>

namespace sinter::jit {

void carry_selected_reads(ir::Function& function);

/// Whether the operator's result for this component is always one of its two operands.
bool selects_operand(const ir::Body& combine, std::size_t component);
/// Notes for the group's operator between which numbers its operands lie, of components that select
/// one of the SOAC's indices; `first` is the body's first result that the group takes.
void note_selected_indices(const ir::Soac& soac, const ir::Group& group, std::size_t first,
                           Facts& facts);

} // namespace sinter::jit
