// Which nests can be tiled (tile.h): a map over rows, a map over columns, and a reduction whose
// reads go by row or by column, but none by both.
//
//   c = soac n (a) { (i: i64, r: [m]f32)       rows: over `i`; what `r` and `i` give is of the row
//     u = soac p () { (j: i64)                 columns: over `j`
//       s = soac m (r) { (k: i64, x: f32)      reduction: over `k`
//         y = index b[k, j]                    a read of the column; b[j, k] is one too
//         z = mul x y                          of the row, as `x` is
//         yield z
//       } reduce (0f32) { … }
//       yield s                                scalar code around it may be here
//     } map
//     yield u
//   } map
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace sinter::jit {

/// The parts of a nest that can be tiled.
struct TiledNest {
  const ir::Statement* statement = nullptr;
  const ir::Soac* rows = nullptr;
  const ir::Soac* columns = nullptr;
  const ir::Soac* reduction = nullptr;
  const ir::Statement* reduction_statement = nullptr;
  /// Reads of the reduction's body (by result) that depend on the column: which array, and whether
  /// the column comes first.
  struct ColumnRead {
    ir::ValueId array;
    bool column_first = false;
  };
  std::unordered_map<std::uint32_t, ColumnRead> column_reads;
  /// Values of the reduction's body that depend on the row.
  std::unordered_set<std::uint32_t> of_row;
};

/// The statement as such a nest, if it is one; the parts point into it.
std::optional<TiledNest> find_tiled_nest(const ir::Function& function,
                                         const ir::Statement& statement);

} // namespace sinter::jit
