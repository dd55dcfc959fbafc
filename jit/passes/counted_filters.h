// Elements that are scattered to where counting those kept before puts them are filtered.
//
//   cs = soac n (xs) { (i: i64, x: i32)            m, rs = soac n (xs) { (j: i64, y: i32)
//     p = lt x 10i32                                 q = lt y 10i32
//     o = convert p                                  yield q, y
//     yield o                                      } filter 1
//   } scan (0i64) { … add … }
//   m = if eq n 0 { 0 } else { cs[n-1] }     →
//   ds = soac m () { … } map
//   rs = soac n (cs, xs) { (j: i64, c: i64, y: i32)
//     q = lt y 10i32
//     t = add c -1i64
//     u = select q t -1i64
//     yield u, y
//   } scatter 1 ds
//
// Kept elements go to 0, 1, … m - 1, in order, and so nothing of the destination is left.  Both
// conditions must be the same code on the same elements.  What goes on before the count is known
// runs earlier then: it must be scalar code, on elements at its own index.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_counted_filters(ir::Function& function);

} // namespace sinter::jit
