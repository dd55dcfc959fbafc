// Loops whose rounds need nothing of each other are SOACs.
//
//   h, t = for n (h0, t0) {                        h, r = soac n () { (i: i64)
//     (i: i64, hs: [k]i32, s: i64)                   b = index bs[i]
//     b = index bs[i]                                x = index xs[i]
//     x = index xs[i]                                yield b, 1i32, x
//     c = index hs[b]                      →       } histogram … (h0) reduce (0i64) { … }
//     d = add c 1i32                               t = add t0 r
//     us = update hs[b] = d
//     u = add s x
//     yield us, u
//   }
//
// Which rounds those are, carried_states.h says.  What rounds write at their own places is a map;
// of an array that is written but for a margin, a map over all of it,
//
//   v = for m (a) { (j: i64, w: [n]f32)            v = soac n () { (i: i64)
//     i = add j 1i64                                 c = … 1 <= i < m + 1
//     e = …                                →         x = if c { j = sub i 1i64  e = …  yield e }
//     u = update w[i] = e                                else { y = index a[i]  yield y }
//     yield u                                        yield x
//   }                                              } map
//
// or else an array of what is written, and a slice that it replaces.  Several places of a round,
// `a[2*i]` and `a[2*i+1]` or `a[i, 0]` and `a[i, 1]`, are a row that a map gives; of a marked loop
// also a slice each, where what lies between them may not be there.  Inner loops come first, so
// that a nest of loops becomes a nest of maps; a check that does not change comes before the loop.
// Inside of SOACs, loops that write here and there stay (bins, scattered elements): there a loop is
// as good, and needs less.
//
// A loop that is marked `parallel` is taken at its word where a round reads what it then writes, at
// a place that is not understood: the values come first, then they are scattered.
//
//   v = for n (a) parallel {                       xs = soac n () { (i: i64)
//     (i: i64, w: [k]f32)                            p = index ps[i]  x = index a[p]
//     p = index ps[i]                                y = …
//     x = index w[p]                                 yield p, y
//     y = …                                →       } map map
//     u = update w[p] = y                          v = soac n (xs…) { (i: i64, p: i64, y: f32)
//     yield u                                        yield p, y
//   }                                              } scatter (a)
//
// What it carries all the same is told.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/carried_states.h"

#include <string_view>
#include <vector>

namespace sinter::jit {

void parallelise_loops(ir::Function& function);

/// What loops that are marked `parallel` carry, inner ones first, those inside of SOACs left out.
struct MarkedLoops {
  std::vector<CarriedState> carried;
  /// Of those that are in no other one and stay, though they carry nothing: why, in words, "its
  /// iterations are numbered in 64 bits without a sign".
  std::vector<std::string_view> staying;
};
MarkedLoops look_at_marked_loops(ir::Function function);

} // namespace sinter::jit
