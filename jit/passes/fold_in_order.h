// Reductions whose operator rounds become loops, so that every sum is taken in the evaluator's
// order.
//
//   s = soac n (xs) { (i: i64, x: f32)             s = for n (0f32) { (i: i64, a: f32)
//     y = mul x x                                    x = index xs[i]
//     yield y                                        y = mul x x
//   } reduce (0f32) { (a: f32, b: f32)         →     c = add a y
//     c = add a b                                    yield c
//     yield c                                      }
//   }
//
// The language demands associative operators, and lets an implementation regroup; addition of
// floats is not quite one.  This pass is for those who want the evaluator's bits in sums as well:
// reductions, scans and histograms whose operator rounds run one element after the other.  What
// makes the elements stays parallel where it is long: it is stored first, then folded.  Operators
// that only choose among values (minimum, maximum, "the greater with its index") do not round.
//
// Must run after fusion, which knows nothing of loops, and before anything that cuts reductions
// into pieces.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void fold_in_order(ir::Function& function);

/// Whether running it may round a float: then regrouping a reduction by it shows.
bool rounds(const ir::Body& combine);

} // namespace sinter::jit
