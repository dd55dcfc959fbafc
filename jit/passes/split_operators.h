// Reductions and scans of tuples are split into those of the components that meet.
//
//   s, m = soac n (xs) { yield x, x }                   s, m = soac n (xs) { yield x, x }
//     reduce (0f32, 0i32) { (a, p, b, q)          →       reduce (0f32) { (a, b)
//       c = add a b                                         c = add a b
//       r = max p q                                         yield c
//       yield c, r                                        } reduce (0i32) { (p, q)
//     }                                                     r = max p q
//                                                           yield r
//                                                         }
//
// Components meet where the operator's result for one depends on an operand of the other.  Each
// class of those that do becomes a group of its own: it is folded as suits it (a sum of integers
// need not wait for the order of a sum of floats), and goes by itself where nobody needs it.
// Components that no needed one depends on go at once.  The order of folding depends on sizes
// alone, so that the bits stay.  Operators with checks stay whole: which check fails first shows.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void split_operators(ir::Function& function);

} // namespace sinter::jit
