// Arrays that SOACs make for each other, and that are too large for the caches, are made and used
// piece by piece.
//
//   m, ys = soac n (xs) { (i: i64, x: i64)         is_large: bool = le 4194304i64 n
//     …  yield p, x                                r: i64 = if is_large {
//   } filter 1                                       s, t = stream n by 1 bytes 16 (0i64, 0i64) {
//   r = soac m (ys) { (j: i64, y: i64)           →       (b: i64, c: i64, before: i64, r0: i64)
//     yield y, y                                       part: [c]i64 = slice xs[b:1i64]
//   } scan (0i64) { … add … }                          k, zs = soac c (part) { … } filter 1
//   post 1 { (l: i64, u: i64, v: i64)                  r1, sum = soac k (zs) { (j: i64, y: i64)
//     w = xor u v   yield w                              yield y, y, y
//   } reduce (0i64) { … max … } end                    } scan (0i64) { … }
//                                                      post 1 { (l: i64, u0: i64, v: i64)
//                                                        u = add before u0   w = xor u v   yield w
//                                                      } reduce (0i64) { … } end
//                                                      reduce (0i64) { … add … }
//                                                      next = add before sum   r2 = max r0 r1
//                                                      yield next, r2
//                                                    }
//                                                    yield t
//                                                  } else always { what it was }
//
// A fold whose order shows goes on from what the pieces before have come to, `reduce (0f32) { … add
// … } after going (sum)`, where there are any, and pieces are whole blocks of that order (by 4096;
// lang/primitives/fold_order.h): blocks are combined from the left, however they are cut.
//
// Which SOACs: stream_group.h.  How large a piece is, who runs it decides
// (jit/runtime/piece_sizes.h); arrays that are smaller than 32 MiB stay whole.  It comes last:
// other passes see the SOACs as they were.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>

namespace sinter::jit {

/// Of an array that members make for each other, from which on they go by pieces.
inline constexpr std::int64_t least_streamed_bytes = std::int64_t{32} << 20;

void write_streams(ir::Function& function);

} // namespace sinter::jit
