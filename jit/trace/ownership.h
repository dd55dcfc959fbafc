// Copies where an array would be overwritten that somebody else may still need.
//
// A trace is written as if updates made new arrays.  The language's uniqueness types promise that
// most of them may write in place; here that is found again from the IR alone: an array is consumed
// as it is if its memory belongs to the code that consumes it and nobody looks at it later, else a
// copy of it is.  State that a loop updates is copied before the loop, if at all.
//
//   b = update a [i] x             c = copy a
//   y = index a [j]        →       b = update c [i] x
//                                  y = index a [j]
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// Makes a function, whose updates consume at will, obey the rules of consumption (ir.h).
void insert_copies(ir::Function& function);

} // namespace sinter::jit
