#include "jit/passes/tiled_nest.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;

namespace {

constexpr std::size_t reduction_limit = 16; ///< statements of the reduction's body

using Values = std::unordered_set<std::uint32_t>;

bool uses(const ir::Operation& operation, const Values& values) {
  bool result = false;
  for_each_operand(operation, [&](const Operand& operand) {
    result = result || (operand.is_value() && values.contains(operand.value().index));
  });
  return result;
}

void add_results(const Statement& statement, Values& values) {
  for (ValueId result : statement.results)
    values.insert(result.index);
}

/// The SOAC's only group, if it is of the type.
template <typename GroupType>
const GroupType* only_group(const Soac& soac) {
  return soac.groups.size() == 1 ? std::get_if<GroupType>(&soac.groups[0]) : nullptr;
}

/// The body's only SOAC.
const Statement* only_soac(const Body& body) {
  const Statement* result = nullptr;
  for (const Statement& statement : body.statements) {
    if (!std::holds_alternative<Soac>(statement.operation)) continue;
    if (result) return nullptr;
    result = &statement;
  }
  return result;
}

// ---- the nest ----------------------------------------------------------------------------------

/// A map whose rows a map over an index alone makes.
bool match_maps(const Statement& statement, TiledNest& nest) {
  nest.statement = &statement;
  nest.rows = std::get_if<Soac>(&statement.operation);
  if (!nest.rows || !only_group<MapGroup>(*nest.rows) || nest.rows->body.statements.size() != 1)
    return false;
  const Statement& inner = nest.rows->body.statements[0];
  nest.columns = std::get_if<Soac>(&inner.operation);
  return nest.columns && only_group<MapGroup>(*nest.columns) && nest.columns->inputs.empty() &&
         nest.rows->body.results[0] == Operand(inner.results[0]);
}

/// The only SOAC of the columns' body, amid scalar code: it reduces, from constants.
bool match_columns(const Function& function, TiledNest& nest) {
  const Body& body = nest.columns->body;
  nest.reduction_statement = only_soac(body);
  if (!nest.reduction_statement) return false;
  nest.reduction = &std::get<Soac>(nest.reduction_statement->operation);
  if (!body.results[0].is_value() || !function.type(body.results[0]).is_scalar()) return false;
  const auto is_fit = [&](const Statement& each) {
    return &each == nest.reduction_statement || is_scalar_operation(each.operation);
  };
  const auto* group = only_group<ReduceGroup>(*nest.reduction);
  return std::all_of(body.statements.begin(), body.statements.end(), is_fit) && group &&
         nest.reduction->body.statements.size() <= reduction_limit &&
         std::all_of(group->neutral.begin(), group->neutral.end(),
                     [](const Operand& neutral) { return neutral.is_constant(); });
}

// ---- the reduction -----------------------------------------------------------------------------

/// What values of the reduction's body depend on.
struct Origins {
  Values row;    ///< the row, or what it gives
  Values column; ///< the column's number, without a read
  Values around; ///< the code around the reduction
};

Origins origins_before(const TiledNest& nest) {
  Origins origins;
  for (ValueId parameter : nest.rows->body.parameters)
    origins.row.insert(parameter.index);
  origins.column.insert(nest.columns->body.parameters[0].index);
  for (const Statement& each : nest.columns->body.statements)
    if (&each != nest.reduction_statement) add_results(each, origins.around);
  return origins;
}

/// The reduction's inputs are rows of arrays that the rows' SOAC is given.
bool match_inputs(const Soac& reduction, Origins& origins) {
  for (std::size_t i = 0; i < reduction.inputs.size(); ++i) {
    if (!origins.row.contains(reduction.inputs[i].index)) return false;
    origins.row.insert(reduction.body.parameters[i + 1].index);
  }
  return true;
}

/// Whether the element is that of one column, at the reduction's index.
std::optional<TiledNest::ColumnRead> column_read(const Function& function, const Index& index,
                                                 const TiledNest& nest) {
  if (index.indices.size() != 2 || function.type(index.array).rank() != 2) return std::nullopt;
  const Operand column = nest.columns->body.parameters[0];
  const Operand depth = nest.reduction->body.parameters[0];
  const Operand &first = index.indices[0], &second = index.indices[1];
  if (first == column && second == depth) return TiledNest::ColumnRead{index.array, true};
  if (first == depth && second == column) return TiledNest::ColumnRead{index.array, false};
  return std::nullopt;
}

/// Scalar code, or a read by row or by column: notes which.
bool match_statement(const Function& function, const Statement& statement, Origins& origins,
                     TiledNest& nest) {
  const bool by_row = uses(statement.operation, origins.row);
  const bool by_column = uses(statement.operation, origins.column);
  const auto* read = std::get_if<Index>(&statement.operation);
  if (uses(statement.operation, origins.around)) return false;
  if (read ? by_row && by_column : !is_scalar_operation(statement.operation)) return false;
  if (by_row) {
    add_results(statement, origins.row);
    add_results(statement, nest.of_row);
  } else if (by_column && read) {
    const auto of_column = column_read(function, *read, nest);
    if (!of_column) return false;
    nest.column_reads.emplace(statement.results[0].index, *of_column);
  } else if (by_column) {
    add_results(statement, origins.column);
  }
  return true;
}

bool match_reduction(const Function& function, TiledNest& nest) {
  const Soac& reduction = *nest.reduction;
  Origins origins = origins_before(nest);
  if (!match_inputs(reduction, origins)) return false;
  for (const Statement& each : reduction.body.statements)
    if (!match_statement(function, each, origins, nest)) return false;
  const bool reads_rows = !nest.of_row.empty() || !reduction.inputs.empty();
  return reads_rows && !nest.column_reads.empty();
}

/// Whether the sizes and the arrays are known before the nest.
bool is_known_before(const TiledNest& nest) {
  Values inside;
  for (const Soac* soac : {nest.rows, nest.columns, nest.reduction}) {
    for (ValueId parameter : soac->body.parameters)
      inside.insert(parameter.index);
    for (const Statement& statement : soac->body.statements)
      add_results(statement, inside);
  }
  const auto is_outside = [&](const Operand& operand) {
    return operand.is_constant() || !inside.contains(operand.value().index);
  };
  return is_outside(nest.columns->extent) && is_outside(nest.reduction->extent) &&
         std::all_of(nest.column_reads.begin(), nest.column_reads.end(),
                     [&](const auto& read) { return is_outside(read.second.array); });
}

} // namespace

std::optional<TiledNest> find_tiled_nest(const Function& function, const Statement& statement) {
  TiledNest nest;
  if (match_maps(statement, nest) && match_columns(function, nest) &&
      match_reduction(function, nest) && is_known_before(nest))
    return nest;
  return std::nullopt;
}

} // namespace sinter::jit
