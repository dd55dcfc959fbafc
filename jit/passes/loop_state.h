// State that never changes is no state: what the body hands on as it is stands for its initial
// value, inside and behind the loop.
//
//   s, t = for i < n (s0, t0) { (i, s, t)         s = for i < n (s0) { (i, s)
//     s2 = add s t                           →      s2 = add s t0
//     yield s2, t                                   yield s2
//   }                                             }                      t = t0
//
// Loops that never run, or once, are no loops: their bounds tell.
#pragma once

#include "jit/passes/knowledge.h"

namespace sinter::jit {

/// `statement` is the loop's.
void drop_constant_state(ir::For& loop, ir::Statement& statement, Knowledge& known);
void drop_constant_state(ir::While& loop, ir::Statement& statement, Knowledge& known);

bool never_runs(const ir::For& loop);
bool runs_once(const ir::For& loop);

} // namespace sinter::jit
