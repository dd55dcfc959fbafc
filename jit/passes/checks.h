// Checks say less: what is known of a condition needs no checking, and from a check on, sizes that
// it equates have one name.
//
//   (where 0 <= i is known)                 c = and a b
//   a = le 0 i;  b = lt i n                 check c  →  check b
//   c = and a b
//   e = eq m n                              check e
//   check e                                 ys: [m]f32  →  ys: [n]f32, in all that follows
#pragma once

#include "jit/passes/knowledge.h"

namespace sinter::jit {

/// A conjunction without its parts that hold anyway.
ir::Operand open_part(ir::Operand condition, Knowledge& known);

/// The condition holds from here to the end of the function: sizes that are equal by it get one
/// name.
void unify_sizes(const ir::Operand& condition, Knowledge& known);

} // namespace sinter::jit
