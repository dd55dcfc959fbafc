// Rows that are made to be put into an array are made there; arrays that loops fill need no
// elements before.
//
//   a = soac n () { … 0f32 … } map                 (a: memory alone)
//   c, d = for n (a, b) { (i: i64, e, f)
//     r, q = soac m (x) { … } map map              (r is made in e[i], q in f[i, 0])
//     s = update e[i] = r
//     t = update f[i, 0] = q
//     yield s, t
//   }
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// A row that its only use, an update, puts into an array.
struct RowOfUpdate {
  const ir::Update* update = nullptr; ///< in the function
  bool is_read_again = false;         ///< whether the array has more uses where it is updated
};

/// By the index of a SOAC's result: into whose array's place each element may be stored as soon as
/// it is computed.  In the SOAC, and from there to the update, that memory is read by elements of
/// the SOAC's own index alone, in rows that are the same as the place or lie apart from it: in
/// scalar code, or in vectors that are stored after they are read, and are computed once.
std::unordered_map<std::uint32_t, RowOfUpdate> rows_of_updates(const ir::Function& function);

/// Which arrays (indexed by value) are the results of SOACs that loops write from end to end before
/// an element is read, so that it does not matter what they hold.
std::vector<bool> filled_by_loops(const ir::Function& function);

} // namespace sinter::jit
