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
//       yield s                                scalar code and reads around it may be here
//     } map
//     yield u
//   } map
//
// In the reduction's place may be a loop over `k` whose state are numbers that begin as constants:
// a fold in the order of its rounds.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/vector_registers.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::jit {

/// What is reduced at a time: its sums are what registers hold.
struct BlockShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0; ///< those of a cache line
};

/// The parts of a nest that can be tiled.
struct TiledNest {
  const ir::Statement* statement = nullptr;
  const ir::Soac* rows = nullptr;
  const ir::Soac* columns = nullptr;
  const ir::Statement* reduction_statement = nullptr;
  const ir::Soac* reduction = nullptr; ///< if it is one
  const ir::For* loop = nullptr;       ///< if it is a loop
  /// Reads of the reduction's body (by result) that depend on the column: which array, and whether
  /// the column comes first.
  struct ColumnRead {
    ir::ValueId array;
    bool column_first = false;
  };
  std::unordered_map<std::uint32_t, ColumnRead> column_reads;
  /// Values of the reduction's body that depend on the row.
  std::unordered_set<std::uint32_t> of_row;
  BlockShape block;

  /// How many elements are reduced.
  const ir::Operand& depth() const { return reduction ? reduction->extent : loop->bound; }
  /// What is done for each: its parameters are `k` and then the elements or the state.
  const ir::Body& step() const { return reduction ? reduction->body : loop->body; }
};

/// The statement as such a nest, if it is one; the parts point into it.  Blocks are for those
/// registers.
std::optional<TiledNest> find_tiled_nest(const ir::Function& function,
                                         const ir::Statement& statement,
                                         const VectorRegisters& vectors);

/// Whether there are so many rows, columns and elements of both that blocks pay, in statements at
/// the end of `out`.
ir::Operand blocks_pay(ir::Function& function, const TiledNest& nest,
                       std::vector<ir::Statement>& out);

} // namespace sinter::jit
