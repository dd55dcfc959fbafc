// Distribution: a map of few elements, whose body goes through many itself, becomes several
// statements over both at once, for places with more threads than the map has elements.
//
//   c, d = soac n (xss) { (i: i64, xs: [m]f32)      ss = soac n (xss) { (i: i64, xs: [m]f32)
//     s = soac m (xs) { … } reduce …                  s = soac m (xs) { … } reduce …
//     r = sqrt s                                      yield s
//     ys = soac m (xs) { (k: i64, x: f32)     →     } map
//       y = div x r                                 c = soac n (ss, xss) { (i: i64, s: f32, xs:
//       [m]f32) yield y                                       r = sqrt s
//     } map                                           ys = soac m (xs) { … div x r … } map
//     yield ys, r                                     yield ys
//   } map map                                       } map
//                                                   d = soac n (ss) { … r = sqrt s … } map
//
// What a later statement needs of an earlier one is kept in arrays with one more dimension. Scalars
// in between are computed again where they are needed.  A SOAC that maps and folds is taken apart.
// A loop with such code inside goes round outside (map of loop → loop of maps):
//
//   soac n (ss) { (i, s0)                           for t < k (ss) { (t, s1)
//     for t < k (s0) { (t, s) … }             →       … over all n …
//   } map                                           }
//
// The nest as it was stays for other sizes, by a branch when it runs: many elements keep all
// threads busy by themselves, without anything in between.  Sizes inside must be the same for all
// elements; nothing may fail, consume or go round an unknown number of times.  (Rules G1–G4 and G7
// of Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: purely functional GPU-programming
// with nested parallelism and in-place array updates", PLDI 2017; versions by sizes as in
// Henriksen, Thorøe, Elsman and Oancea, "Incremental flattening for nested data parallelism", PPoPP
// 2019.)
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void distribute(ir::Function& function);

} // namespace sinter::jit
