// Scans and what consumes their prefixes: an element's prefix goes on to where it is used, and no
// array of prefixes is written or read.
//
//   ys = soac n (xs) { (i: i64, x: i64)            s = soac n (xs) { (i: i64, x: i64)
//     yield x                                        yield x, x
//   } scan (0i64) { (a: i64, b: i64)               } scan (0i64) { (a: i64, b: i64)
//     c = add a b                                    c = add a b
//     yield c                                        yield c
//   }                                              } post 1 { (j: i64, y: i64, x2: i64)
//   s = soac n (ys, xs) {                     →      d = sub y x2
//       (j: i64, y: i64, x2: i64)                    yield d
//     d = sub y x2                                 } reduce (0i64) { … } end
//     yield d
//   } reduce (0i64) { … }
//
// The consumer reads prefixes at its own index only, does scalar code that can't fail, and maps or
// reduces; what it reads besides goes by the scan.  Of several scans of one SOAC whose prefixes it
// reads, one of tuples is made; if somebody else needs the prefixes, they are stored on the way, as
// one more map.  It stands behind the passes that look for maps, which see the consumer as it was.
// After the streaming operators of Henriksen et al. ("Futhark: purely functional GPU-programming
// with nested parallelism and in-place array updates", PLDI 2017, rules F1–F7), here without
// chunks.
//
// Places that have no such kernels take the two apart again.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void fuse_posts(ir::Function& function);
/// The other way round, for each post.
void split_posts(ir::Function& function);

} // namespace sinter::jit
