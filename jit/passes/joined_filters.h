// Filters of the same elements by what a digit is equal to, all of them joined: as a partition.
//
//   m, as, k, bs = soac n (xs) { (i: i64, x: u32)       c, rs = soac n (xs) { (i: i64, x: u32)
//     d = and x 1u32                                      d = and x 1u32
//     p = eq d 0u32                                       k = convert d
//     q = eq d 1u32                                →      yield k, x
//     yield p, x, q, x                                  } partition 2i64 1
//   } filter 1 filter 1                                 m = index c[0]
//   l = add m k                                         k = index c[1]
//   rs = concat as bs                                   -- `n` for `l`
//
// What follows of counts is said at once: all of them together are all elements, none of their sums
// is more.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>

namespace sinter::jit {

/// Of the body's statements, those that are filtered by at least so many kinds.  Whether there are
/// any.
bool join_filters(ir::Function& function, ir::Body& body, std::size_t fewest_kinds);

} // namespace sinter::jit
