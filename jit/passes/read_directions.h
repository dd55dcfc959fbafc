// Which way reads go through the memory of arrays with rows.
//
//   t = transpose x (1, 0)
//   soac m (t) { (j: i64, r: [n]f32)
//     soac n () { (i: i64)
//       a = index y[j, i]        neighbours in `i` are neighbours in memory: in order
//       b = index y[i, j]        they are rows apart: across
//       c = index r[i]           of `x`: across
//       d = index y[i, i]        neither
//
// Seen is the index of the innermost SOAC, along which lanes go. Reads across inside of folds,
// which lanes may go through in two ways, count as neither; so do those of loops that nobody
// counted.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::jit {

enum class Direction : std::uint8_t { InOrder, Across, Neither };

struct DirectedRead {
  ir::ValueId array; ///< what views look at in the end
  Direction direction = Direction::Neither;
  Direction if_swapped = Direction::Neither; ///< if the two innermost SOACs changed places
  std::optional<ir::ValueId> index{};        ///< of the innermost SOAC around it
  bool is_in_loop = false; ///< inside of that: lanes that go along rows may turn them over
};

/// Of all arrays. What uses an array otherwise than by reading elements goes through what it uses,
/// the array or a view, in order.
std::vector<DirectedRead> directed_reads(const ir::Function& function);

} // namespace sinter::jit
