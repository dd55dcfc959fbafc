// What rounds compute of nothing but their own number, if that is much, is computed for all of them
// before the loop: in lanes, and by threads.
//
//   s = for n (0f64) { (i: i64, t: f64)             ys = soac n () { (i: i64)
//     x = index xs[i]                                 x = index xs[i]
//     y = …  of x, much                               y = …
//     u = add t y                            →        yield y
//     yield u                                       } map
//   }                                               s = for n (0f64) { (i: i64, t: f64)
//                                                     y = index ys[i]
//                                                     u = add t y
//                                                     yield u
//                                                   }
//
// The loop itself keeps its order, so that sums of floats stay what they are.  In a loop that is in
// others it is done where it has as many rounds in all of theirs.  What is computed is
// numbers, one or a few for each round: where rounds read no array along which they go, which is as
// long as what they come to then, that is done for some 65,000 rounds at a time (in another loop,
// only if there are not too many).  Checks that come before go along: one that fails later in the
// program fails, and then nothing has been done.
//
// (Loop distribution, as in R. Allen and K. Kennedy, "Automatic translation of FORTRAN programs to
// vector form", TOPLAS 9(4), 1987; with a value that crosses from one part to the other expanded to
// an array.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// Of the host's level: those that have no other form by then.
void distribute_loops(ir::Function& function);

} // namespace sinter::jit
