#include "jit/passes/column_inputs.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Whether the row is used as an input of the body's SOACs alone.
bool is_only_walked(const Function& function, const Body& body, ValueId row) {
  const bool is_result = std::ranges::find(body.results, Operand(row)) != body.results.end();
  return !is_result && std::ranges::all_of(body.statements, [&](const Statement& statement) {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    const std::vector<ValueId> used =
        soac ? free_values(function, soac->body) : free_values(function, statement);
    return std::ranges::find(used, row) == used.end();
  });
}

bool may_be_read(const Function& function, const Soac& columns) {
  for (std::size_t i = 0; i < columns.inputs.size(); ++i) {
    const std::size_t rank = function.type(columns.inputs[i]).rank();
    const ValueId row = columns.body.parameters[i + 1];
    if (rank > 2 || (rank == 2 && !is_only_walked(function, columns.body, row))) return false;
  }
  return !columns.inputs.empty() && has_only<MapGroup>(columns);
}

const Soac* columns_of(const Statement& statement) {
  const auto* rows = std::get_if<Soac>(&statement.operation);
  if (!rows || rows->body.statements.empty()) return nullptr;
  return std::get_if<Soac>(&rows->body.statements.back().operation);
}

} // namespace

void walk_by_index(const Soac& columns, Statement& statement) {
  auto* const walk = std::get_if<Soac>(&statement.operation);
  if (!walk) return;
  std::vector<Statement> reads;
  for (std::size_t i = walk->inputs.size(); i-- > 0;) {
    const auto begin = columns.body.parameters.begin() + 1, end = columns.body.parameters.end();
    const auto row = std::find(begin, end, walk->inputs[i]);
    if (row == end) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    const ValueId array = columns.inputs[static_cast<std::size_t>(row - begin)];
    reads.push_back({{walk->body.parameters[i + 1]},
                     ir::Index{array, {columns.body.parameters[0], walk->body.parameters[0]}},
                     statement.span});
    walk->inputs.erase(walk->inputs.begin() + at);
    walk->body.parameters.erase(walk->body.parameters.begin() + at + 1);
  }
  walk->body.statements.insert(walk->body.statements.begin(), reads.rbegin(), reads.rend());
}

std::optional<Statement> read_columns_by_index(Function& function, const Statement& statement) {
  const Soac* const found = columns_of(statement);
  if (!found || !may_be_read(function, *found)) return std::nullopt;
  std::vector<Replacement> renamed;
  Statement result = clone(function, statement, renamed);
  Statement& last = std::get<Soac>(result.operation).body.statements.back();
  auto& columns = std::get<Soac>(last.operation);
  for (Statement& each : columns.body.statements)
    walk_by_index(columns, each);
  std::vector<Statement> reads;
  for (std::size_t i = 0; i < columns.inputs.size(); ++i)
    if (function.type(columns.inputs[i]).rank() == 1)
      reads.push_back({{columns.body.parameters[i + 1]},
                       ir::Index{columns.inputs[i], {columns.body.parameters[0]}},
                       last.span});
  columns.body.statements.insert(columns.body.statements.begin(), reads.begin(), reads.end());
  columns.body.parameters.resize(1);
  columns.inputs.clear();
  return result;
}

} // namespace sinter::jit
