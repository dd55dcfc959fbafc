// Updates that combine an element with something in an order that does not matter:
//
//   hs with [b] = hs[b] + x         let old = hs[b] in hs with [b] = i32.max x old
//
// Iterations of a loop may do that to one element without needing anything of each other.
#pragma once

#include "lang/core/core.h"

#include <unordered_set>

namespace sinter::eval {

/// The updates, and the reads that are part of them (core::Index).
struct CombiningWrites {
  std::unordered_set<const core::Expr*> updates, reads;
};

/// Those of an expression and of the functions that it names: of integers and truth values, by an
/// operation that gives the same bits in any order.
CombiningWrites combining_writes(const core::Expr& expr);

} // namespace sinter::eval
