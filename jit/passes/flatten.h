// Consumers of a flattened array walk the array's own dimensions, where its producer can join them.
//
//   zs = soac n () { (i: i64)                      s = soac n (zs) { (i: i64, r: [m]i32)
//     row = soac m () { … } map                      t = soac m (r) { (j: i64, x: i32)
//     yield row                                        yield x
//   } map                                            } reduce (0i32) { … }
//   fs: [k]i32 = reshape zs                    →     yield t
//   s = soac k (fs) { (j: i64, x: i32)             } reduce (0i32) { … }
//     yield x
//   } reduce (0i32) { … }
//
// For maps (whose results are flattened instead) and reductions whose order does not show
// (jit/ir/operator_order.h), where at least one of their inputs is made by a map beside them, since
// then fusion follows: if all inputs are flattened arrays of one shape, and they do not ask for
// their index; maps for whatever is no fold, of any inputs, which are taken in rows then.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void unflatten_consumers(ir::Function& function);

} // namespace sinter::jit
