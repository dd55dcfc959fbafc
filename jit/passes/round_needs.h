// What a SOAC must be given of a round: for each change of a state (carried_states.h) its guard or
// indices, then its terms or its value.
//
//   us, v = if c {                                 b1, e1, f1 = if c {
//     b = …  e = …                                   b = …  e = …
//     x = index hs[b]                                f = …
//     y = add x e                            →       yield b, e, f
//     u = update hs[b] = y                         } else {
//     f = …  t = mul s f                             yield -1i64, 0i64, 1i64
//     yield u, t                                   }
//   } else { yield hs, s }
//
// Where one branch alone changes a state, the other gives what changes nothing: a place that no
// array has, neutral terms.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/carried_states.h"

#include <span>

namespace sinter::jit {

/// The round without what combines and overwrites states; its results are what the changes need,
/// one after the other.
ir::Body round_of_needs(ir::Function& function, const ir::For& loop,
                        std::span<const StateChange> changes);
/// What an Update, or an UpdateSlice, puts there.
ir::Operand written_by(const ir::Statement& update);

} // namespace sinter::jit
