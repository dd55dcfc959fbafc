// Products that are used on the way: where a nest that can be tiled (tiled_nest.h) is the inner
// part of something larger, say the maximum over a product of matrices, its elements are stored
// after all, since blocks are worth more than what storing takes.
//
//   s = soac n (a) { (i: i64, r: [m]f32)         for panels of rows, from `first` on:
//     u = soac p () { (j: i64)                     ap = slice a[first …]
//       t = soac m (r) {                           c = soac l (ap) { (i: i64, r: [m]f32)
//         (k: i64, x: f32)                           v = soac p () { (j: i64)
//         y = index b[k, j]                            t = soac m (r) { … } reduce (0f32) { … }
//         z = mul x y                                  yield t
//         yield z                          →         } map
//       } reduce (0f32) { … }                        yield v
//       yield t                                    } map                       (tile.h takes it)
//     } reduce (-f32.inf) { … }                    q = soac l (c) { (i: i64, r: [p]f32)
//     yield u                                        u = soac p (r) { … } reduce (-f32.inf) { … }
//   } reduce (-f32.inf) { … }                        yield u
//                                                  } map
//                                                  us with [first …] = q
//                                                s = soac n (us) { … } reduce (-f32.inf) { … }
//
// All folds keep their elements and their order.  A panel has as many rows as keep what is stored
// small, however large the product is; where rows of the product are part of the result anyway, it
// is stored at once.  What the rows' body computes for the product is computed before, for all rows
// (rows_before.h), if that is not too much to be kept; what is made of the product may have another
// one: layers of a network come apart.  Where something in the rows' body may fail, or overwrites a
// row, the body is cut before the first such thing, or behind the last one.  Small problems, and those whose columns stay in the
// first-level cache, take the nest as it was, by a branch at run time.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/vector_registers.h"

#include <cstdint>

namespace sinter::jit {

/// For a processor with such registers.
void store_products(ir::Function& function, const VectorRegisters& vectors = {});
/// The same with panels of about so many elements (but 128 rows or more), for tests.
void store_products(ir::Function& function, const VectorRegisters& vectors,
                    std::int64_t panel_elements);

} // namespace sinter::jit
