// Delayed arrays: an array whose elements cost next to nothing is not stored; its elements are
// computed where they are read, also where they are read at other indices than their own.
//
//   ys = soac n () { (i: i64)                      zs = soac n () { (j: i64)
//     k = sub m i                                    k = sub m j
//     y = index xs [k]                         →     y = index xs [k]
//     yield y                                        yield y
//   } map                                          } map
//   zs = soac n () { (j: i64)
//     z = index ys [j]
//     yield z
//   } map
//
// After Repa's and Accelerate's delayed representation (Keller et al., ICFP 2010; McDonell et al.,
// ICFP 2013), which embed any producer; here only those that are so cheap that reading them from
// memory would not be faster, or that are read once: work grows by a small factor at most.  (Of
// what has rows a few readers may read each element once and in order; what branches compute, two
// readers beside it at most.)  Every reader must read elements or views; arrays that the producer
// reads must not be overwritten.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <unordered_set>

namespace sinter::jit {

void inline_delayed(ir::Function& function);

/// Of these arrays, which maps make, those whose elements can be computed where they are read,
/// whatever that costs.
std::unordered_set<std::uint32_t> delayable(const ir::Function& function,
                                            const std::unordered_set<std::uint32_t>& arrays);
/// Computes them there.  All of them are delayable.
void inline_arrays(ir::Function& function, const std::unordered_set<std::uint32_t>& arrays);

} // namespace sinter::jit
