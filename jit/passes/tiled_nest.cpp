#include "jit/passes/tiled_nest.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

constexpr std::size_t reduction_limit = 16; ///< statements of the reduction's body
constexpr std::int64_t width_bytes = 64;    ///< of a block of columns: a cache line
constexpr std::int64_t least_depth = 16;    ///< of the reduction, for blocks to pay

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

/// The body's only SOAC or loop.
const Statement* only_repetition(const Body& body) {
  const Statement* result = nullptr;
  for (const Statement& statement : body.statements) {
    if (!std::holds_alternative<Soac>(statement.operation) &&
        !std::holds_alternative<For>(statement.operation))
      continue;
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

/// Whether it reduces, and from constants.
bool match_repetition(const Statement& statement, TiledNest& nest) {
  const std::vector<Operand>* initial = nullptr;
  if ((nest.reduction = std::get_if<Soac>(&statement.operation))) {
    const auto* group = only_group<ReduceGroup>(*nest.reduction);
    if (!group) return false;
    initial = &group->neutral;
  } else {
    nest.loop = &std::get<For>(statement.operation);
    if (nest.loop->index_type != ElementType::I64) return false;
    initial = &nest.loop->initial;
  }
  nest.reduction_statement = &statement;
  return nest.step().statements.size() <= reduction_limit &&
         std::all_of(initial->begin(), initial->end(),
                     [](const Operand& operand) { return operand.is_constant(); });
}

/// Scalar code, or a read of an element.
bool is_of_scalars(const Function& function, const Statement& statement) {
  return is_scalar_operation(statement.operation) ||
         (std::holds_alternative<Index>(statement.operation) &&
          function.type(statement.results[0]).is_scalar());
}

/// The only SOAC or loop of the columns' body, amid scalar code.
bool match_columns(const Function& function, TiledNest& nest) {
  const Body& body = nest.columns->body;
  const Statement* repetition = only_repetition(body);
  if (!repetition || !match_repetition(*repetition, nest)) return false;
  if (!body.results[0].is_value() || !function.type(body.results[0]).is_scalar()) return false;
  return std::all_of(body.statements.begin(), body.statements.end(), [&](const Statement& each) {
    return &each == repetition || is_of_scalars(function, each);
  });
}

// ---- the reduction -----------------------------------------------------------------------------

/// What values of the reduction's body depend on.
struct Origins {
  Values row;    ///< the row, or what it gives
  Values state;  ///< of a loop
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

/// The reduction's inputs are rows of arrays that the rows' SOAC is given; a loop's state is each
/// row's own.
bool match_parameters(const TiledNest& nest, Origins& origins) {
  const std::vector<ValueId>& parameters = nest.step().parameters;
  for (std::size_t i = 1; i < parameters.size(); ++i) {
    if (nest.loop) origins.state.insert(parameters[i].index);
    if (nest.reduction && !origins.row.contains(nest.reduction->inputs[i - 1].index)) return false;
    origins.row.insert(parameters[i].index);
  }
  return true;
}

/// Whether the element is that of one column, at the reduction's index.
std::optional<TiledNest::ColumnRead> column_read(const Function& function, const Index& index,
                                                 const TiledNest& nest) {
  if (index.indices.size() != 2 || function.type(index.array).rank() != 2) return std::nullopt;
  const Operand column = nest.columns->body.parameters[0];
  const Operand depth = nest.step().parameters[0];
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
  if (uses(statement.operation, origins.state)) {
    if (read) return false;
    add_results(statement, origins.state);
  }
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
  Origins origins = origins_before(nest);
  if (!match_parameters(nest, origins)) return false;
  for (const Statement& each : nest.step().statements)
    if (!match_statement(function, each, origins, nest)) return false;
  const bool reads_rows =
      !nest.of_row.empty() || (nest.reduction && !nest.reduction->inputs.empty());
  return reads_rows && !nest.column_reads.empty();
}

/// Whether the sizes and the arrays are known before the nest.
bool is_known_before(const TiledNest& nest) {
  Values inside;
  for (const Body* body : {&nest.rows->body, &nest.columns->body, &nest.step()}) {
    for (ValueId parameter : body->parameters)
      inside.insert(parameter.index);
    for (const Statement& statement : body->statements)
      add_results(statement, inside);
  }
  const auto is_outside = [&](const Operand& operand) {
    return operand.is_constant() || !inside.contains(operand.value().index);
  };
  return is_outside(nest.columns->extent) && is_outside(nest.depth()) &&
         std::all_of(nest.column_reads.begin(), nest.column_reads.end(),
                     [&](const auto& read) { return is_outside(read.second.array); });
}

// ---- blocks ------------------------------------------------------------------------------------

/// So many rows that their sums, of a line of columns, have registers beside the columns' elements,
/// a row's element and a product.  The more of them, the less is loaded for an operation: with
/// AVX2 8 vectors for 12 products and 12 sums.
std::int64_t rows_of_block(const TiledNest& nest, const VectorRegisters& vectors) {
  constexpr std::int64_t least = 2, most = 8, reserve = 4;
  if (vectors.bytes == 0) return most;
  // (How wide lanes are made: jit/emit/width.h.)
  const std::int64_t of_line = std::clamp<std::int64_t>(width_bytes / vectors.bytes, 1, 2);
  const auto sums = static_cast<std::int64_t>(nest.reduction_statement->results.size());
  return std::clamp((vectors.count - reserve) / (of_line * sums), least, most);
}

BlockShape block_shape(const Function& function, const TiledNest& nest,
                       const VectorRegisters& vectors) {
  std::int64_t bytes = 1;
  for (const auto& [result, read] : nest.column_reads)
    bytes =
        std::max(bytes, static_cast<std::int64_t>(byte_size(function.type(read.array).element)));
  return {rows_of_block(nest, vectors), width_bytes / bytes};
}

/// Whether it is known already that blocks don't pay.
bool is_small(const TiledNest& nest) {
  const auto is_below = [](const Operand& extent, std::int64_t least) {
    return extent.is_constant() && extent.scalar().as<std::int64_t>() < least;
  };
  return is_below(nest.rows->extent, nest.block.rows) ||
         is_below(nest.columns->extent, nest.block.columns) || is_below(nest.depth(), least_depth);
}

} // namespace

std::optional<TiledNest> find_tiled_nest(const Function& function, const Statement& statement,
                                         const VectorRegisters& vectors) {
  TiledNest nest;
  if (!match_maps(statement, nest) || !match_columns(function, nest) ||
      !match_reduction(function, nest) || !is_known_before(nest))
    return std::nullopt;
  nest.block = block_shape(function, nest, vectors);
  if (is_small(nest)) return std::nullopt;
  return nest;
}

Operand blocks_pay(Function& function, const TiledNest& nest, std::vector<Statement>& out) {
  using primitives::Operation;
  StatementWriter writer(function, nest.statement->span);
  Operand pays =
      writer.scalar(Operation::GreaterEqual, nest.rows->extent, Operand::i64(nest.block.rows), out);
  for (const auto& [extent, least] : {std::pair(nest.columns->extent, nest.block.columns),
                                      std::pair(nest.depth(), least_depth)}) {
    const Operand enough = writer.scalar(Operation::GreaterEqual, extent, Operand::i64(least), out);
    pays = writer.scalar(row(Operation::And, ElementType::Bool), {pays, enough}, out);
  }
  return pays;
}

} // namespace sinter::jit
