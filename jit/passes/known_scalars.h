// Scalar operations whose value is known, or that another one gives more simply:
//
//   a = lt i n            →  true      where that is known (facts.h)
//   b = min i n           →  i         where i <= n is known
//   r = mod i n           →  i         where 0 <= i < n is known
//   q = mod (add i n) n   →  mod i n   where the sum does not wrap around
//   c = select a x y      →  x         where a is known
//   p = select c 0 1
//   d = eq p 0            →  d = c     (an operation on a choice between constants is such a
//   choice) e = sub (add x y) y   →  x         and the other identities of algebra.h
#pragma once

#include "jit/passes/knowledge.h"

#include <optional>

namespace sinter::jit {

/// Nothing if there is nothing simpler.  `statement` is the operation's.
std::optional<Simpler> simpler(const ir::Primitive& primitive, const ir::Statement& statement,
                               Knowledge& known);
std::optional<Simpler> simpler(const ir::Select& select, const ir::Statement& statement,
                               Knowledge& known);

} // namespace sinter::jit
