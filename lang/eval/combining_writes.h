// Updates that combine an element with something in an order that does not matter:
//
//   hs with [b] = hs[b] + x         let old = hs[b] in hs with [b] = i32.max x old
//
// Iterations of a loop may do that to one element without needing anything of each other.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/values/concrete.h"

#include <unordered_set>

namespace sinter::eval {

/// The updates, and the reads that are part of them (core::Index).
struct CombiningWrites {
  std::unordered_set<const core::Expr*> updates, reads;
};

/// Those of a loop's body, and of the functions that it names or finds in its frame: of integers
/// and truth values, by an operation that gives the same bits in any order.
CombiningWrites combining_writes(const LoopPlace<Concrete>& place);

} // namespace sinter::eval
