// Elements that are scattered, by counts of those with a condition, to the beginning of an array as
// long as all are filtered, and written over its first elements:
//
//   cs, s = soac n (xs) { (i: i64, x: f32)         m, rs = soac n (xs) { (i: i64, x: f32)
//     p = lt x 0.5f32                                p = lt x 0.5f32
//     o = convert p                                  yield p, x
//     yield o, o                                   } filter 1
//   } scan (0i64) { … add … } reduce …             s = m
//   ys = soac n (cs, xs) {                         ys = update zs[0 …] = rs
//     (j: i64, c: i64, x: f32)               →     part = rs
//     p = lt x 0.5f32
//     t = add c -1i64
//     u = select p t -1i64
//     yield u, x
//   } scatter 1 zs
//   part: [s] = slice ys[0 …]
//
// So is what a loop makes that fills an array from its beginning on, where a condition holds: a
// scan and a scatter first (separate_states.h).  (Where the destination has just as many elements
// as are kept: counted_filters.h.)  Counts of 32 bits must not wrap around, which is checked.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_filled_parts(ir::Function& function);

} // namespace sinter::jit
