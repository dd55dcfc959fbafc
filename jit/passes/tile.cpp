#include "jit/passes/tile.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

constexpr std::int64_t height = 8;       ///< rows that are reduced at a time
constexpr std::int64_t width_bytes = 64; ///< of a block of columns: what a vector holds
constexpr std::int64_t least_depth = 16; ///< of the reduction, for blocks to pay
constexpr std::size_t body_limit = 16;   ///< statements of the reduction's body

using Set = std::unordered_set<std::uint32_t>;

/// The parts of a nest that can be tiled.
struct Nest {
  const Statement* statement = nullptr;
  const Soac* rows = nullptr;
  const Soac* columns = nullptr;
  const Soac* reduction = nullptr;
  const Statement* reduction_statement = nullptr;
  /// Reads of the reduction's body (by result) that depend on the column: which array, and whether
  /// the column comes first.
  struct ColumnRead {
    ValueId array;
    bool column_first = false;
  };
  std::unordered_map<std::uint32_t, ColumnRead> column_reads;
  Set of_row; ///< values of the reduction's body that depend on the row
};

bool uses(const ir::Operation& operation, const Set& values) {
  bool result = false;
  for_each_operand(operation, [&](const Operand& operand) {
    result = result || (operand.is_value() && values.contains(operand.value().index));
  });
  return result;
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

class Matcher {
public:
  explicit Matcher(const Function& function) : function_(function) {}

  std::optional<Nest> match(const Statement& statement) const {
    Nest nest;
    nest.statement = &statement;
    nest.rows = std::get_if<Soac>(&statement.operation);
    if (!nest.rows || !only_group<MapGroup>(*nest.rows) || nest.rows->body.statements.size() != 1)
      return std::nullopt;
    const Statement& inner = nest.rows->body.statements[0];
    nest.columns = std::get_if<Soac>(&inner.operation);
    if (!nest.columns || !only_group<MapGroup>(*nest.columns) || !nest.columns->inputs.empty() ||
        nest.rows->body.results[0] != Operand(inner.results[0]))
      return std::nullopt;
    nest.reduction_statement = only_soac(nest.columns->body);
    if (!nest.reduction_statement) return std::nullopt;
    nest.reduction = &std::get<Soac>(nest.reduction_statement->operation);
    const Operand element = nest.columns->body.results[0];
    if (!element.is_value() || !function_.type(element).is_scalar()) return std::nullopt;
    for (const Statement& each : nest.columns->body.statements)
      if (&each != nest.reduction_statement && !is_scalar_code(each)) return std::nullopt;
    if (!match_reduction(nest) || !extents_are_outside(nest)) return std::nullopt;
    return nest;
  }

private:
  static bool is_scalar_code(const Statement& statement) {
    return is_scalar_operation(statement.operation);
  }

  bool match_reduction(Nest& nest) const {
    const Soac& reduction = *nest.reduction;
    const auto* group = only_group<ReduceGroup>(reduction);
    if (!group || reduction.body.statements.size() > body_limit) return false;
    for (const Operand& neutral : group->neutral)
      if (!neutral.is_constant()) return false;
    const ValueId column = nest.columns->body.parameters[0];
    const ValueId depth = reduction.body.parameters[0];
    Set from_row, from_column = {column.index}, around;
    for (ValueId parameter : nest.rows->body.parameters)
      from_row.insert(parameter.index);
    for (const Statement& each : nest.columns->body.statements)
      if (&each != nest.reduction_statement)
        for (ValueId result : each.results)
          around.insert(result.index);
    for (std::size_t i = 0; i < reduction.inputs.size(); ++i) {
      // Rows of arrays that the rows' SOAC is given.
      if (!from_row.contains(reduction.inputs[i].index)) return false;
      from_row.insert(reduction.body.parameters[i + 1].index);
    }
    for (const Statement& each : reduction.body.statements) {
      if (uses(each.operation, around)) return false;
      const bool by_row = uses(each.operation, from_row);
      const bool by_column = uses(each.operation, from_column);
      const std::uint32_t result = each.results.empty() ? 0 : each.results[0].index;
      if (const auto* index = std::get_if<ir::Index>(&each.operation)) {
        if (by_row && by_column) return false;
        if (by_column && !match_column_read(*index, column, depth, nest.column_reads[result]))
          return false;
      } else if (!is_scalar_code(each)) {
        return false;
      }
      if (by_row) {
        from_row.insert(result);
        nest.of_row.insert(result);
      }
      if (by_column && !by_row && !nest.column_reads.contains(result)) from_column.insert(result);
    }
    const bool any_row = !nest.of_row.empty() || !reduction.inputs.empty();
    return !nest.column_reads.empty() && any_row;
  }

  bool match_column_read(const ir::Index& index, ValueId column, ValueId depth,
                         Nest::ColumnRead& read) const {
    if (index.indices.size() != 2 || function_.type(index.array).rank() != 2) return false;
    const Operand first = index.indices[0], second = index.indices[1];
    read.array = index.array;
    read.column_first = first == Operand(column);
    return read.column_first ? second == Operand(depth)
                             : first == Operand(depth) && second == Operand(column);
  }

  /// Whether the sizes and the arrays are known before the nest.
  static bool extents_are_outside(const Nest& nest) {
    Set inside;
    const auto add = [&](const Body& body) {
      for (ValueId parameter : body.parameters)
        inside.insert(parameter.index);
      for (const Statement& statement : body.statements)
        for (ValueId result : statement.results)
          inside.insert(result.index);
    };
    add(nest.rows->body);
    add(nest.columns->body);
    add(nest.reduction->body);
    const auto is_outside = [&](const Operand& operand) {
      return operand.is_constant() || !inside.contains(operand.value().index);
    };
    if (!is_outside(nest.columns->extent) || !is_outside(nest.reduction->extent)) return false;
    return std::all_of(nest.column_reads.begin(), nest.column_reads.end(),
                       [&](const auto& read) { return is_outside(read.second.array); });
  }

  const Function& function_;
};

/// Writes the tiled form of a nest.
class Writer {
public:
  Writer(Function& function, const Nest& nest)
      : function_(function), nest_(nest), span_(nest.statement->span), rows_(nest.rows->extent),
        columns_(nest.columns->extent), depth_(nest.reduction->extent),
        element_(function.type(nest.statement->results[0]).element) {
    std::int64_t bytes = 1;
    for (const auto& [result, read] : nest.column_reads)
      bytes = std::max<std::int64_t>(
          bytes, static_cast<std::int64_t>(byte_size(function.type(read.array).element)));
    width_ = width_bytes / bytes;
  }

  /// The statements that stand for the nest: a branch on whether blocks pay.
  std::vector<Statement> write() {
    std::vector<Statement> out;
    std::vector<Replacement> renamed;
    Body small;
    small.statements.push_back(clone(function_, *nest_.statement, renamed));
    small.results = {Operand(small.statements[0].results[0])};
    Operand pays = scalar(Operation::GreaterEqual, rows_, Operand::i64(height), out);
    for (const auto& [extent, least] :
         {std::pair(columns_, width_), std::pair(depth_, least_depth)}) {
      const Operand enough = scalar(Operation::GreaterEqual, extent, Operand::i64(least), out);
      pays = scalar(row(Operation::And, ElementType::Bool), {pays, enough}, out);
    }
    out.push_back({nest_.statement->results, If{pays, tiled(), std::move(small)}, span_});
    return out;
  }

private:
  using Statements = std::vector<Statement>;

  // ---- small parts

  ValueId value(Type type) { return function_.add_value(std::move(type)); }
  Operand scalar(const primitives::Primitive& row, std::vector<Operand> arguments,
                 Statements& out) {
    const ValueId result = value({row.result, {}});
    out.push_back({{result}, ir::Primitive{&row, std::move(arguments)}, span_});
    return result;
  }
  Operand scalar(Operation operation, Operand a, Operand b, Statements& out) {
    return scalar(row(operation, ElementType::I64), {a, b}, out);
  }
  ValueId element(ValueId array, std::vector<Operand> indices, Statements& out) {
    const ValueId result = value({function_.type(array).element, {}});
    out.push_back({{result}, ir::Index{array, std::move(indices)}, span_});
    return result;
  }
  /// `ceil(extent / size)`.
  Operand blocks(const Operand& extent, std::int64_t size, Statements& out) {
    const Operand up = scalar(Operation::Add, extent, Operand::i64(size - 1), out);
    return scalar(Operation::Quotient, up, Operand::i64(size), out);
  }

  /// A map over an index alone: `write` gives the elements.
  template <typename Write>
  std::vector<ValueId> map(const Operand& extent, Statements& out, Write&& write) {
    Soac soac;
    soac.extent = extent;
    const ValueId index = value({ElementType::I64, {}});
    soac.body.parameters = {index};
    soac.body.results = write(index, soac.body.statements);
    std::vector<ValueId> results;
    for (const Operand& result : soac.body.results) {
      Type type = function_.type(result);
      type.extents.insert(type.extents.begin(), extent);
      results.push_back(value(std::move(type)));
      soac.groups.push_back(MapGroup{});
    }
    out.push_back({results, std::move(soac), span_});
    return results;
  }

  // ---- the tiled form

  Body tiled() {
    Body body;
    Statements& out = body.statements;
    last_row_ = scalar(Operation::Subtract, rows_, Operand::i64(1), out);
    last_column_ = scalar(Operation::Subtract, columns_, Operand::i64(1), out);
    const Operand row_blocks = blocks(rows_, height, out);
    const Operand column_blocks = blocks(columns_, width_, out);
    for (const auto& [result, read] : nest_.column_reads)
      if (!packed_.contains(key(read))) packed_.emplace(key(read), pack(read, column_blocks, out));
    const ValueId computed = map(column_blocks, out, [&](ValueId column_block, Statements& inside) {
      return std::vector<Operand>{
          map(row_blocks, inside, [&](ValueId row_block, Statements& innermost) {
            return std::vector<Operand>{block(row_block, column_block, innermost)};
          })[0]};
    })[0];
    body.results = {ordered(computed, column_blocks, out)};
    return body;
  }

  static std::uint64_t key(const Nest::ColumnRead& read) {
    return (std::uint64_t{read.array.index} << 1) | (read.column_first ? 1 : 0);
  }

  /// The array in blocks of columns: [blocks][depth][width].
  ValueId pack(const Nest::ColumnRead& read, const Operand& column_blocks, Statements& out) {
    return map(column_blocks, out, [&](ValueId block, Statements& of_block) {
      const Operand first = scalar(Operation::Multiply, block, Operand::i64(width_), of_block);
      return std::vector<Operand>{map(depth_, of_block, [&](ValueId k, Statements& of_depth) {
        return std::vector<Operand>{
            map(Operand::i64(width_), of_depth, [&](ValueId j, Statements& inner) {
              const Operand column = scalar(Operation::Add, first, j, inner);
              const Operand inside = scalar(Operation::Minimum, column, last_column_, inner);
              return std::vector<Operand>{read.column_first
                                              ? element(read.array, {inside, k}, inner)
                                              : element(read.array, {k, inside}, inner)};
            })[0]};
      })[0]};
    })[0];
  }

  /// One block: [height][width].
  Operand block(ValueId row_block, ValueId column_block, Statements& out) {
    const Operand first = scalar(Operation::Multiply, row_block, Operand::i64(height), out);
    std::vector<Operand> rows;
    for (std::int64_t t = 0; t < height; ++t) {
      const Operand next = scalar(Operation::Add, first, Operand::i64(t), out);
      rows.push_back(scalar(Operation::Minimum, next, last_row_, out));
    }
    const Operand first_column =
        scalar(Operation::Multiply, column_block, Operand::i64(width_), out);
    const std::vector<ValueId> lines =
        map(Operand::i64(width_), out, [&](ValueId j, Statements& inner) {
          return sums(rows, column_block, first_column, j, inner);
        });
    const ValueId result = value({element_, {Operand::i64(height), Operand::i64(width_)}});
    out.push_back({{result}, ArrayLiteral{{lines.begin(), lines.end()}}, span_});
    return result;
  }

  /// The reductions of all rows of a block at one column, and what the nest makes of them.
  std::vector<Operand> sums(const std::vector<Operand>& rows, ValueId column_block,
                            const Operand& first_column, ValueId j, Statements& out) {
    const Soac& source = *nest_.reduction;
    const auto& group = std::get<ReduceGroup>(source.groups[0]);
    const Operand sum = scalar(Operation::Add, first_column, j, out);
    const Operand column = scalar(Operation::Minimum, sum, last_column_, out);
    Soac reduction;
    reduction.extent = depth_;
    const ValueId k = value({ElementType::I64, {}});
    reduction.body.parameters = {k};
    Statements& inner = reduction.body.statements;
    std::vector<Replacement> common = {{source.body.parameters[0], Operand(k)},
                                       {nest_.columns->body.parameters[0], column}};
    // What all rows share.
    for (const Statement& each : source.body.statements) {
      const std::uint32_t result = each.results[0].index;
      const auto read = nest_.column_reads.find(result);
      if (read != nest_.column_reads.end())
        common.emplace_back(each.results[0], Operand(element(packed_.at(key(read->second)),
                                                             {column_block, k, j}, inner)));
      else if (!nest_.of_row.contains(result))
        inner.push_back(clone(function_, each, common));
    }
    std::vector<std::vector<ValueId>> results;
    Statement statement{{}, {}, span_};
    for (const Operand& row : rows) {
      std::vector<Replacement> own = common;
      own.emplace_back(nest_.rows->body.parameters[0], row);
      for (std::size_t i = 0; i < source.inputs.size(); ++i)
        own.emplace_back(source.body.parameters[i + 1],
                         Operand(element(array_of(source.inputs[i]), {row, k}, inner)));
      for (const Statement& each : source.body.statements)
        if (nest_.of_row.contains(each.results[0].index)) inner.push_back(clone_for_row(each, own));
      for (const Operand& result : source.body.results)
        reduction.body.results.push_back(replaced(result, own));
      reduction.groups.push_back(
          ReduceGroup{group.neutral, clone(function_, group.combine), group.is_commutative});
      results.emplace_back();
      for (const Operand& neutral : group.neutral)
        results.back().push_back(value(function_.type(neutral)));
      statement.results.insert(statement.results.end(), results.back().begin(),
                               results.back().end());
    }
    statement.operation = std::move(reduction);
    out.push_back(std::move(statement));
    std::vector<Operand> elements;
    for (std::size_t t = 0; t < rows.size(); ++t)
      elements.push_back(finish(rows[t], column, results[t], out));
    return elements;
  }

  /// The statements of the columns' body around the reduction.
  Operand finish(const Operand& row, const Operand& column, const std::vector<ValueId>& sums,
                 Statements& out) {
    std::vector<Replacement> own = {{nest_.rows->body.parameters[0], row},
                                    {nest_.columns->body.parameters[0], column}};
    for (std::size_t i = 0; i < sums.size(); ++i)
      own.emplace_back(nest_.reduction_statement->results[i], Operand(sums[i]));
    for (const Statement& each : nest_.columns->body.statements)
      if (&each != nest_.reduction_statement) out.push_back(clone(function_, each, own));
    return replaced(nest_.columns->body.results[0], own);
  }

  Statement clone_for_row(const Statement& statement, std::vector<Replacement>& own) {
    // A read through a row that the SOAC was given reads the array itself.
    if (const auto* index = std::get_if<ir::Index>(&statement.operation))
      for (std::size_t i = 0; i < nest_.rows->inputs.size(); ++i)
        if (index->array == nest_.rows->body.parameters[i + 1]) {
          Statement whole = statement;
          auto& read = std::get<ir::Index>(whole.operation);
          read.array = nest_.rows->inputs[i];
          read.indices.insert(read.indices.begin(), nest_.rows->body.parameters[0]);
          return clone(function_, whole, own);
        }
    return clone(function_, statement, own);
  }

  /// The array whose row a parameter of the rows' body is.
  ValueId array_of(ValueId row) const {
    const auto& parameters = nest_.rows->body.parameters;
    const auto at = std::find(parameters.begin() + 1, parameters.end(), row);
    return nest_.rows->inputs[static_cast<std::size_t>(at - parameters.begin() - 1)];
  }

  static Operand replaced(const Operand& operand, const std::vector<Replacement>& replacements) {
    Operand result = operand;
    for (const Replacement& each : replacements)
      if (Operand(each.first) == operand) result = each.second;
    return result;
  }

  /// [column blocks][row blocks][height][width] as [rows][columns].
  ValueId ordered(ValueId computed, const Operand& column_blocks, Statements& out) {
    const ValueId lines = map(rows_, out, [&](ValueId i, Statements& of_row) {
      const Operand block = scalar(Operation::Quotient, i, Operand::i64(height), of_row);
      const Operand line = scalar(Operation::Remainder, i, Operand::i64(height), of_row);
      return std::vector<Operand>{map(column_blocks, of_row, [&](ValueId jb, Statements& inner) {
        return std::vector<Operand>{
            map(Operand::i64(width_), inner, [&](ValueId j, Statements& innermost) {
              return std::vector<Operand>{element(computed, {jb, block, line, j}, innermost)};
            })[0]};
      })[0]};
    })[0];
    const Operand padded = scalar(Operation::Multiply, column_blocks, Operand::i64(width_), out);
    const ValueId joined = value({element_, {rows_, padded}});
    out.push_back({{joined}, Reshape{lines}, span_});
    const ValueId result = value({element_, {rows_, columns_}});
    const Slice::Dimension all{Operand::i64(0), Operand::i64(1)};
    out.push_back({{result}, Slice{joined, {all, all}}, span_});
    return result;
  }

  Function& function_;
  const Nest& nest_;
  Span span_;
  Operand rows_, columns_, depth_;
  ElementType element_;
  std::int64_t width_ = 0;
  Operand last_row_, last_column_;
  std::unordered_map<std::uint64_t, ValueId> packed_;
};

/// Nests of the host level: of the function, its branches and loops.
void tile(Function& function, Body& body) {
  std::vector<Statement> before = std::move(body.statements);
  body.statements.clear();
  for (Statement& statement : before) {
    if (std::holds_alternative<Soac>(statement.operation)) {
      if (const auto nest = Matcher(function).match(statement)) {
        std::vector<Statement> tiled = Writer(function, *nest).write();
        std::move(tiled.begin(), tiled.end(), std::back_inserter(body.statements));
        continue;
      }
    } else {
      for_each_body(statement.operation, [&](Body& inner) { tile(function, inner); });
    }
    body.statements.push_back(std::move(statement));
  }
}

} // namespace

void tile(Function& function) {
  tile(function, function.body);
}

} // namespace sinter::jit
