// Stencils whose neighbours are a few elements away, with indices that are clamped at the borders:
// a vector of neighbours is a vector that is read anyway, moved by as many elements.
//
//   lanes        t[j] …           the row at the lanes' own places:  c0 c1 c2 c3
//   before       t[max 0 (j-1)]   p c0 c1 c2                         p = t[max 0 (first - 1)]
//   after        t[min m (j+1)]   c1 c2 c3 n                         n = t[min m (first + 4)]
//
// So only the element that comes in at the edge can have a clamped index, and the borders need no
// code of their own, as long as no bound lies within the vector.  Memory is read once, and in
// vectors that may be aligned.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::jit {

/// `max` or `min` with a bound that is known before the SOAC runs.
struct IndexClamp {
  primitives::Operation operation{};
  ir::Operand bound;
  friend bool operator==(const IndexClamp&, const IndexClamp&) = default;
};

/// The reads of one row of an array, by the results of their statements.
struct EdgeRow {
  struct Neighbour {
    ir::ValueId result;
    std::int64_t distance = 0; ///< more than 0, to either side
  };
  ir::ValueId array;
  std::vector<ir::Operand> leading; ///< indices of the row; known outside
  std::vector<ir::ValueId> at;
  std::vector<Neighbour> before, after;
  std::vector<IndexClamp> before_clamps, after_clamps; ///< in their order
};

struct EdgeReads {
  /// `left < right`, or `left <= right`, of i64; known outside.
  struct Precondition {
    primitives::Operation order{};
    ir::Operand left, right;
  };
  std::vector<EdgeRow> rows;
  std::vector<IndexClamp> clamps; ///< all of them
  /// If they hold, so do all checks.
  std::vector<Precondition> preconditions;
  /// Conditions of checks: those that are true then, and those that are known outside.
  std::vector<ir::ValueId> checked, checked_outside;
};

/// Of a SOAC whose elements need nothing else by neighbouring indices, and have a branch for the
/// borders (borders.h) around it all.
std::optional<EdgeReads> edge_reads(const ir::Function& function, const ir::Soac& soac);

} // namespace sinter::jit
