// Copies where an array would be overwritten that somebody else may still need.
//
// A trace is written as if updates made new arrays.  The language's uniqueness types promise that
// most of them may write in place; here that is found again from the IR alone: an array is consumed
// as it is if its memory belongs to the code that consumes it and nobody looks at it later, else a
// copy of it is.  State that a loop updates is copied before the loop, if at all.
//
// Why the checker's proofs and the last uses of lang/core are not carried to here, nor from here to
// the passes and the runtime, which find such facts again where they need them (passes/in_place.h,
// `in_place_origin` of emit/analysis.h, runtime/plan_liveness.cpp): they are about other
// values.
// - Tracing makes one array of several (equal views are shared, a branch whose sides agree is gone,
//   records are taken apart) and several of one (a leaf for each field): what was proved of `xs`
//   holds for no single value of the IR.
// - A last use is one in an order.  Fusing, hoisting and flattening change the order, and turn an
//   array that is read once into one that is read by whatever was fused with its reader; a flag
//   that they all had to maintain would be one more thing to get wrong, silently.
// - The judge is the IR: consumption.h checks the rules after every pass by the text alone, so a
//   function that was read from a file is as good as a traced one.
// The cost is one walk each, linear in the code.
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
