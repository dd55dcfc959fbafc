// Loops whose rounds turn out to have little to do: one kernel goes through all of them, instead of
// a launch or several for each.
//
//   r: [n]f64 = for k (xs) {                a: i64 = mul n 3i64   -- but no more than some number
//     (i: i64, s: [n]f64)                   is_short: bool = le a 8192i64
//     t = soac n (s) { … } map         →    r: [n]f64 = if is_short {
//     yield t                                 t = for k (xs) whole { … }
//   }                                         yield t
//                                           } else always { what it was }
//
// How much a round does is known before the loop where the extents of its SOACs are.  It is less
// than what threads would share: they would be told, and waited for, in each round.  Of loops in
// loops each has its own choice.
//
// (By sizes at run time as in T. Henriksen, F. Thorøe, M. Elsman, C. Oancea, "Incremental flattening
// for nested data parallelism", PPoPP 2019; there for what is inside of maps.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_short_rounds(ir::Function& function);

/// Whether a kernel goes through all rounds of a loop, though there are SOACs in it.
bool is_whole_loop(const ir::Operation& operation);

/// Whether there is a SOAC in the operation's bodies that may be worth a launch of its own: one
/// whose extent is not a small constant; or a stream.
bool holds_launches(const ir::Operation& operation);

} // namespace sinter::jit
