// Arrays whose inside is replaced by what a map makes are made whole: each element is computed, or
// what it was.
//
//   m = add n -2                                   zs = soac n () { (i)
//   a = slice xs [0:+1]   (m of them)                k = add i -1
//   b = slice xs [2:+1]                              p = le 1 i
//   ys = soac m (a, b) { (i, x, w)                   q = lt k m
//     y = add x w                            →       c = and p q
//     yield y                                        z = if c {
//   } map                                              x = index xs[k]  …  yield y
//   zs = update_slice xs [1:+1] = ys                 } else { z0 = index xs[i]  yield z0 }
//                                                    yield z
//                                                  } map
//
// So a stencil that leaves its border as it was is one map, no matter that it reads what is
// replaced; and nothing is overwritten, nor copied to be.  Only where a few elements are left on
// each side, and where the map's elements are computed by scalar operations (delay.h).
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void write_whole_updates(ir::Function& function);

} // namespace sinter::jit
