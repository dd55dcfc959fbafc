// Simplification: what can be computed, or seen, without running the program.
//
// One walk in the order of execution, with three things known at each point: which values stand for
// others (copy and constant propagation), which were computed already (common subexpressions), and
// which conditions hold (facts.h), so that branches and checks that are decided disappear:
//
//   fn f(n: i64, xs: [n]f32) -> [n]f32 {          fn f(n: i64, xs: [n]f32) -> [n]f32 {
//     ys = soac n () { (i: i64)                     ys = soac n () { (i: i64)
//       a = le 0 i                             →      x = index xs [i]
//       b = lt i n                                    yield x
//       c = and a b                                 } map
//       check c, "index out of bounds"              ret ys
//       x = index xs [i]                          }
//       y = mul x 1f32
//       yield y
//     } map
//     ret ys
//   }
//
// What is known at a point stands in knowledge.h; who finds it, and what becomes of operations by
// it, in files that show it in the IR's text: known_scalars.h, known_elements.h, views.h, joins.h,
// checks.h, branches.h, loop_state.h.  No rule changes the bits of a float.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void simplify(ir::Function& function);

} // namespace sinter::jit
