#include "jit/emit/seldom_reads.h"

#include "jit/ir/index_positions.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// A row that is read by the index.
struct ReadRow {
  ir::ValueId array;
  std::vector<ir::Operand> leading;
  friend bool operator==(const ReadRow&, const ReadRow&) = default;
};

struct NearIndex {}; ///< the index, a constant distance away

} // namespace

std::vector<ir::ValueId> seldom_reads(const ir::Soac& soac) {
  ir::IndexPositions<NearIndex> positions;
  positions.define(soac.body.parameters);
  positions.set(soac.body.parameters[0], {});
  std::vector<ir::ValueId> reads;
  std::vector<ReadRow> rows;
  for (const ir::Statement& statement : soac.body.statements) {
    positions.define(statement.results);
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
      const auto step = positions.step(*primitive);
      if (step.from && step.by.is_constant() &&
          primitive->primitive->operation == primitives::Operation::Add)
        positions.set(statement.results[0], {});
    }
    const auto* index = std::get_if<ir::Index>(&statement.operation);
    if (!index) continue;
    if (positions.find(index->indices.back())) {
      ReadRow row = {index->array, {index->indices.begin(), index->indices.end() - 1}};
      if (std::ranges::find(rows, row) != rows.end()) continue;
      rows.push_back(std::move(row));
    }
    reads.push_back(statement.results[0]);
  }
  return reads;
}

} // namespace sinter::jit
