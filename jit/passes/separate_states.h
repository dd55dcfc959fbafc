// States of a loop that need nothing of its others leave it, though rounds read them: running
// values of integers are scans, what has been best so far is a reduction of pairs.
//
//   a, t = for n (b, s) {                          p = soac n () { (i) x = index xs[i]  yield x }
//     (i: i64, c: [n]i64, r: i64)                    scan (0i64) { … add … }
//     x = index xs[i]                              a = for n (b) { (i: i64, c: [n]i64)
//     u = add r x                          →         q = index p[i]
//     d = update c[i] = u                            u = add s q
//     yield d, u                                     d = update c[i] = u
//   }                                                yield d
//                                                  }
//
//   m, k = for n (s, t) {                          v, w = soac n () { (i: i64)
//     (i: i64, b: f32, at: i64)                      x = index xs[i]
//     x = index xs[i]                                y = …  x, or -inf if x is no number
//     c = gt x b                           →         yield y, i
//     d = select c x b                             } reduce (-f32.inf, n) { … the greater, of
//     e = select c i at                              equals the one that comes first … }
//     yield d, e                                   c = gt v s
//   }                                              m = select c v s   k = select c w t
//
// `x` may take a fold, of a row of a matrix, say, if it is not needed otherwise: it would be
// computed twice.  Where rounds read all elements of an array but the first, the SOAC goes along
// the whole array, the first one being behind all others.
//
// By a strict comparison, of equals the first stays, the state at the beginning before all; by one
// that is not, the last one does.  Other states that change with the best, of what the round has,
// are read or computed at the index that is found.  What is not a number is better than nothing;
// nothing is better than a beginning that is not a number.  Running values of floats show the order
// in which they are made, and stay.  Nothing is done where the rest of the loop would stay a loop.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// The statements that stand for a loop, among which is the loop of the states that are left, if
/// there are any; nothing if all of them stay.
std::optional<std::vector<ir::Statement>>
separate_states(ir::Function& function, const ir::Statement& statement, Facts& facts);

} // namespace sinter::jit
