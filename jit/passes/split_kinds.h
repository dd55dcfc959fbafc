// SOACs with groups of several kinds, for places where each kind has a way of its own to spread
// over threads: elements are computed once, with the maps and the groups of one kind, and what the
// other kinds need of them is stored.
//
//   s, is = soac n (xs) { (i: i64, x: f32)         s, ys = soac n (xs) { (i: i64, x: f32)
//     y = mul x x                                    y = mul x x
//     yield x, y                              →      yield x, y
//   } reduce (0f32) { … }                          } reduce (0f32) { … } map
//     scan (0f32) { … }                            is = soac n (ys) { (j: i64, y2: f32)
//                                                    yield y2
//                                                  } scan (0f32) { … }
//
// Elements that are partitioned are stored before, too, unless their body is short.
//
// What a kind needs that is an element of an input, the index or the same for all elements is not
// stored.  Groups whose operators may fail, and those of arrays, leave the SOAC as it is.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void split_kinds(ir::Function& function);

} // namespace sinter::jit
