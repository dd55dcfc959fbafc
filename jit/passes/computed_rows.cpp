#include "jit/passes/computed_rows.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rows_before.h"
#include "jit/passes/tiled_nest.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using Values = std::unordered_set<std::uint32_t>;

Type with_extent(const Operand& extent, Type type) {
  type.extents.insert(type.extents.begin(), extent);
  return type;
}

/// Whether the rows' body ends with a map over columns, which is its result, and computes something
/// before that; nothing fails in it, and nothing is overwritten.
bool may_be_cut(const Function& function, const Statement& statement) {
  const auto* soac = std::get_if<Soac>(&statement.operation);
  if (!soac || soac->groups.size() != 1 || !std::holds_alternative<MapGroup>(soac->groups[0]) ||
      soac->body.statements.size() < 2)
    return false;
  const Statement& last = soac->body.statements.back();
  return std::holds_alternative<Soac>(last.operation) && last.results.size() == 1 &&
         soac->body.results[0] == Operand(last.results[0]) && !may_fail(*soac) &&
         consumed_values(function, statement.operation).empty();
}

/// A nest behind what its rows' body computes first.
std::optional<ComputedRows> cut_before_columns(Function& function, const Statement& statement,
                                               const VectorRegisters& vectors) {
  if (!may_be_cut(function, statement)) return std::nullopt;
  const std::vector<Statement>& statements = std::get<Soac>(statement.operation).body.statements;
  std::optional<RowsBefore> cut = compute_rows_before(function, statement, statements.size() - 1,
                                                      free_values(function, statements.back()));
  if (!cut || !find_tiled_nest(function, cut->rest, vectors)) return std::nullopt;
  return ComputedRows{std::move(cut->before), std::move(cut->rest)};
}

// ---- within the nest ----------------------------------------------------------------------------

/// What is computed in the reduction's body of the row alone.
struct OfRowAlone {
  std::vector<Statement> statements;
  std::vector<ValueId> used; ///< by the others, and more than read
};

OfRowAlone find_of_row_alone(const TiledNest& nest) {
  const Body& step = nest.step();
  Values of_others; // what depends on the column
  Values of_row;    // what is computed, and not only read
  for (const ValueId parameter : nest.columns->body.parameters)
    of_others.insert(parameter.index);
  OfRowAlone alone;
  const auto depends = [](const Statement& statement, const Values& values) {
    bool result = false;
    for_each_operand(statement.operation, [&](const Operand& operand) {
      result = result || (operand.is_value() && values.contains(operand.value().index));
    });
    return result;
  };
  for (const Statement& statement : step.statements) {
    const ValueId result = statement.results[0];
    if (nest.column_reads.contains(result.index) || depends(statement, of_others)) {
      of_others.insert(result.index);
      continue;
    }
    if (nest.of_row.contains(result.index) && !std::holds_alternative<Index>(statement.operation))
      of_row.insert(result.index);
    alone.statements.push_back(statement);
  }
  const auto note = [&](const Operand& operand) {
    if (operand.is_value() && of_row.contains(operand.value().index) &&
        std::ranges::find(alone.used, operand.value()) == alone.used.end())
      alone.used.push_back(operand.value());
  };
  for (const Statement& statement : step.statements)
    if (of_others.contains(statement.results[0].index)) for_each_operand(statement.operation, note);
  std::ranges::for_each(step.results, note);
  return alone;
}

std::optional<ComputedRows> take_out_of_nest(Function& function, const Statement& statement,
                                             const VectorRegisters& vectors) {
  constexpr std::size_t most =
      2; // values of a row's element: more take longer to read than to make
  {
    const std::optional<TiledNest> found = find_tiled_nest(function, statement, vectors);
    if (!found || !found->reduction) return std::nullopt;
    const OfRowAlone alone = find_of_row_alone(*found);
    if (alone.used.empty() || alone.used.size() > most) return std::nullopt;
    if (std::ranges::any_of(alone.statements,
                            [](const Statement& each) { return may_fail(each.operation); }))
      return std::nullopt;
  }
  std::vector<Replacement> renamed;
  Statement nest = clone(function, statement, renamed);
  const TiledNest parts = find_tiled_nest(function, nest, vectors).value();
  const OfRowAlone alone = find_of_row_alone(parts);

  // All rows of what is computed.
  Soac elements{parts.depth(),
                parts.reduction->inputs,
                {parts.step().parameters, alone.statements,
                 std::vector<Operand>(alone.used.begin(), alone.used.end())},
                std::vector<Group>(alone.used.size(), MapGroup{})};
  Statement of_row{{}, std::move(elements), statement.span};
  Soac rows{parts.rows->extent,
            parts.rows->inputs,
            {parts.rows->body.parameters, {}, {}},
            std::vector<Group>(alone.used.size(), MapGroup{})};
  Statement all{{}, {}, statement.span};
  for (const ValueId value : alone.used) {
    of_row.results.push_back(function.add_value(with_extent(parts.depth(), function.type(value))));
    rows.body.results.emplace_back(of_row.results.back());
    all.results.push_back(
        function.add_value(with_extent(rows.extent, function.type(of_row.results.back()))));
  }
  rows.body.statements.push_back(std::move(of_row));
  all.operation = std::move(rows);
  std::vector<Replacement> names;
  ComputedRows result{clone(function, all, names), std::move(nest)};

  // The nest reads it.
  auto& outer = std::get<Soac>(result.nest.operation);
  auto& columns = std::get<Soac>(outer.body.statements[0].operation);
  for (Statement& each : columns.body.statements) {
    auto* const reduction = std::get_if<Soac>(&each.operation);
    if (!reduction) continue;
    for (std::size_t i = 0; i < alone.used.size(); ++i) {
      outer.inputs.push_back(result.rows.results[i]);
      outer.body.parameters.push_back(
          function.add_value(with_extent(reduction->extent, function.type(alone.used[i]))));
      reduction->inputs.push_back(outer.body.parameters.back());
      reduction->body.parameters.push_back(alone.used[i]);
      std::erase_if(reduction->body.statements, [&](const Statement& statement) {
        return std::ranges::count(statement.results, alone.used[i]) > 0;
      });
    }
  }
  if (!find_tiled_nest(function, result.nest, vectors)) return std::nullopt;
  return result;
}

} // namespace

std::optional<ComputedRows> compute_rows_first(Function& function, const Statement& statement,
                                               const VectorRegisters& vectors) {
  if (auto result = take_out_of_nest(function, statement, vectors)) return result;
  return cut_before_columns(function, statement, vectors);
}

} // namespace sinter::jit
