// A loop that comes to rest ends there: where its state stays as it is once a condition on that
// state alone fails, no later round changes anything.
//
//   s, k = for n (s0, 0i32) {                   s, k, r = while (s0, 0i32, 0i64) {
//       (i: i64, x: f32, c: i32)                    (x: f32, c: i32, i: i64)
//     p = lt x 4.0f32                             q = lt i n
//     y = mul x x                                 p = lt x 4.0f32
//     d = add c 1i32                              b = and q p
//     u = select p y x                            yield b
//     e = select p d c                →         } do { (x: f32, c: i32, i: i64)
//     yield u, e                                  y = mul x x
//   }                                             d = add c 1i32
//                                                 j = add i 1i64
//                                                 yield y, d, j
//                                               }
//
// So a fixed number of rounds, most of which would do nothing, takes no more time than a loop with
// a condition.  `add c (convert p)` is such a choice, too.  The same where an `if` at the round's end hands the state on in one of its
// branches.  Only for scalars, where the condition is cheap and what a round does cannot fail
// without it; few rounds of a known number are written out instead (unroll.h).
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void settle_loops(ir::Function& function);

} // namespace sinter::jit
