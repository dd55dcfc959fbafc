// What is done with kept elements is done while they are being chosen.
//
//   m, ys = soac n (xs) { (i: i64, x: i32)         s = soac n (xs) { (i: i64, x: i32)
//     p = lt x 10i32                                 p = lt x 10i32
//     yield p, x                                     y = mul x x
//   } filter 1                                 →     z = select p y 0i32
//   s = soac m (ys) { (j: i64, e: i32)               yield z
//     y = mul e e                                  } reduce (0i32) { … }
//     yield y
//   } reduce (0i32) { … }
//
// A reduction takes its neutral element for what is not kept, if it does not show that elements are
// in other rows then (jit/ir/operator_order.h), or leaves it out, if there are so few that they are
// all in one row (lang/primitives/fold_order.h).  So does a scan whose prefixes go into such
// reductions only: nobody sees that there are prefixes of all elements then.  A map becomes part of
// the filter's values; a filter of which only the count is needed becomes a sum.  The consumer's
// body then runs for elements that are not kept, so it must be cheap and must not read memory or
// fail.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void fuse_filters(ir::Function& function);

} // namespace sinter::jit
