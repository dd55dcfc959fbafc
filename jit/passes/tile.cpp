#include "jit/passes/tile.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/column_inputs.h"
#include "jit/passes/computed_rows.h"
#include "jit/passes/statement_writer.h"
#include "jit/passes/tiled_nest.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// What is read by columns, where blocks of rows follow each other: so much stays in the
/// second-level cache.  With fewer rows threads would have too few blocks; of longer sums ordering
/// takes less time than columns do that come from the second-level cache each time.
constexpr std::int64_t most_elements_by_rows = std::int64_t{1} << 17, least_rows_by_rows = 256;
constexpr std::int64_t most_depth_by_rows = 128;

/// Writes the tiled form of a nest.
class TileWriter : StatementWriter {
public:
  TileWriter(Function& function, const TiledNest& nest)
      : StatementWriter(function, nest.statement->span), nest_(nest), rows_(nest.rows->extent),
        columns_(nest.columns->extent), depth_(nest.depth()),
        element_(function.type(nest.statement->results[0]).element), height_(nest.block.rows),
        width_(nest.block.columns) {}

  /// The statements that stand for the nest, or for all of `whole`, of which it is what comes after
  /// `before`: a branch on whether blocks pay.
  std::vector<Statement> write(const Statement& whole, std::vector<Statement> before) {
    std::vector<Statement> out;
    std::vector<Replacement> renamed;
    Body small;
    small.statements.push_back(clone(function_, whole, renamed));
    small.results = {Operand(small.statements[0].results[0])};
    const Operand pays = blocks_pay(function_, nest_, out);
    Body large = tiled(std::move(before));
    out.push_back({whole.results, If{pays, std::move(large), std::move(small)}, span_});
    return out;
  }

private:
  // ---- the tiled form

  Body tiled(Statements before) {
    Body body{{}, std::move(before), {}};
    Statements& out = body.statements;
    last_row_ = scalar(Operation::Subtract, rows_, Operand::i64(1), out);
    last_column_ = scalar(Operation::Subtract, columns_, Operand::i64(1), out);
    const Operand row_blocks = rounded_up_quotient(rows_, height_, out);
    const Operand column_blocks = rounded_up_quotient(columns_, width_, out);
    for (const auto& [result, read] : nest_.column_reads)
      if (!packed_.contains(key(read))) packed_.emplace(key(read), pack(read, column_blocks, out));
    const ValueId result = value({element_, {rows_, columns_}});
    const Operand is_low = by_rows_pays(out);
    out.push_back(
        {{result},
         If{is_low, by_rows(row_blocks, column_blocks), by_columns(row_blocks, column_blocks)},
         span_});
    body.results = {result};
    return body;
  }

  // ---- which blocks follow each other

  /// Whether all columns, which are short, stay in the second-level cache while many rows pass.
  Operand by_rows_pays(Statements& out) {
    const Operand elements = scalar(Operation::Multiply, columns_, depth_, out);
    const Operand few = scalar(row(Operation::LessEqual, ElementType::I64),
                               {elements, Operand::i64(most_elements_by_rows)}, out);
    const Operand many = scalar(row(Operation::GreaterEqual, ElementType::I64),
                                {rows_, Operand::i64(least_rows_by_rows)}, out);
    const Operand low = scalar(row(Operation::LessEqual, ElementType::I64),
                               {depth_, Operand::i64(most_depth_by_rows)}, out);
    const Operand both = scalar(row(Operation::And, ElementType::Bool), {few, many}, out);
    return scalar(row(Operation::And, ElementType::Bool), {both, low}, out);
  }

  /// All columns' blocks for a block of rows, which are in order then.
  Body by_rows(const Operand& row_blocks, const Operand& column_blocks) {
    Body body;
    const auto row_block = [&](ValueId block, Statements& of_block) {
      const std::vector<ValueId> all =
          map(column_blocks, of_block, [&](ValueId column, Statements& inner) {
            const std::vector<ValueId> one = lines(block, column, inner);
            return std::vector<Operand>(one.begin(), one.end());
          });
      return std::vector<Operand>{literal(all, of_block)};
    };
    const ValueId computed = map(row_blocks, body.statements, row_block)[0];
    const Operand padded =
        scalar(Operation::Multiply, row_blocks, Operand::i64(height_), body.statements);
    body.results = {without_padding(computed, padded, column_blocks, body.statements)};
    return body;
  }

  /// All rows' blocks for a block of columns, which stays in the first-level cache.
  Body by_columns(const Operand& row_blocks, const Operand& column_blocks) {
    Body body;
    const auto block = [&](const std::vector<ValueId>& at, Statements& inner) {
      return literal(lines(at[1], at[0], inner), inner);
    };
    const ValueId computed = tabulate({column_blocks, row_blocks}, body.statements, block);
    body.results = {ordered(computed, column_blocks, body.statements)};
    return body;
  }

  ValueId literal(const std::vector<ValueId>& lines, Statements& out) {
    const ValueId result = value(array_type(Operand::i64(height_), function_.type(lines[0])));
    out.push_back({{result}, ArrayLiteral{{lines.begin(), lines.end()}}, span_});
    return result;
  }

  static std::uint64_t key(const TiledNest::ColumnRead& read) {
    return (std::uint64_t{read.array.index} << 1) | (read.column_first ? 1 : 0);
  }

  /// The array in blocks of columns: [blocks][depth][width].
  ValueId pack(const TiledNest::ColumnRead& read, const Operand& column_blocks, Statements& out) {
    const auto pack_block = [&](ValueId block, Statements& of_block) {
      const Operand first = scalar(Operation::Multiply, block, Operand::i64(width_), of_block);
      const auto copied = [&](const std::vector<ValueId>& at, Statements& inner) {
        const Operand sum = scalar(Operation::Add, first, at[1], inner);
        const Operand column = scalar(Operation::Minimum, sum, last_column_, inner);
        return read.column_first ? element(read.array, {column, at[0]}, inner)
                                 : element(read.array, {at[0], column}, inner);
      };
      return std::vector<Operand>{tabulate({depth_, Operand::i64(width_)}, of_block, copied)};
    };
    return map(column_blocks, out, pack_block)[0];
  }

  /// The lines of a block, [width] each.
  std::vector<ValueId> lines(ValueId row_block, ValueId column_block, Statements& out) {
    const Operand first = scalar(Operation::Multiply, row_block, Operand::i64(height_), out);
    std::vector<Operand> rows;
    for (std::int64_t t = 0; t < height_; ++t) {
      const Operand next = scalar(Operation::Add, first, Operand::i64(t), out);
      rows.push_back(scalar(Operation::Minimum, next, last_row_, out));
    }
    const Operand first_column =
        scalar(Operation::Multiply, column_block, Operand::i64(width_), out);
    return map(Operand::i64(width_), out, [&](ValueId j, Statements& inner) {
      return sums(rows, column_block, first_column, j, inner);
    });
  }

  /// The reductions of all rows of a block at one column, and what the nest makes of them.
  std::vector<Operand> sums(const std::vector<Operand>& rows, ValueId column_block,
                            const Operand& first_column, ValueId j, Statements& out) {
    const Operand sum = scalar(Operation::Add, first_column, j, out);
    const Operand column = scalar(Operation::Minimum, sum, last_column_, out);
    const ValueId k = value({ElementType::I64, {}});
    Body step{{k}, {}, {}};
    const std::vector<Replacement> shared = shared_by_rows(column, {column_block, k, j}, step);
    std::vector<std::vector<Replacement>> of_rows;
    for (const Operand& row : rows) {
      of_rows.push_back(row_parameters(row, out));
      add_row(row, of_rows.back(), shared, step);
    }
    std::vector<ValueId> results;
    for (const Operand& result : step.results)
      results.push_back(value(function_.type(result)));
    out.push_back({results, repetition(std::move(step)), span_});
    const std::size_t of_each = nest_.reduction_statement->results.size();
    std::vector<Operand> elements;
    for (std::size_t t = 0; t < rows.size(); ++t)
      elements.push_back(finish(std::move(of_rows[t]), column,
                                std::span(results).subspan(t * of_each, of_each), out));
    return elements;
  }

  /// What the nest repeats, for the rows of a block at once.
  ir::Operation repetition(Body step) {
    if (nest_.loop) {
      For loop{depth_, nest_.loop->index_type, {}, std::move(step)};
      for (std::int64_t t = 0; t < height_; ++t)
        loop.initial.insert(loop.initial.end(), nest_.loop->initial.begin(),
                            nest_.loop->initial.end());
      return loop;
    }
    const auto& group = std::get<ReduceGroup>(nest_.reduction->groups[0]);
    Soac reduction{depth_, {}, std::move(step), {}};
    for (std::int64_t t = 0; t < height_; ++t)
      reduction.groups.push_back(
          ReduceGroup{group.neutral, clone(function_, group.combine), group.is_commutative});
    return reduction;
  }

  /// Writes what all rows share into the reduction's body, reads of columns at `packed_index`;
  /// gives what stands for the values of the nest.
  std::vector<Replacement> shared_by_rows(const Operand& column,
                                          const std::vector<Operand>& packed_index, Body& body) {
    const Body& source = nest_.step();
    std::vector<Replacement> shared = {{source.parameters[0], Operand(body.parameters[0])},
                                       {nest_.columns->body.parameters[0], column}};
    for (const Statement& each : source.statements) {
      const ValueId result = each.results[0];
      const auto read = nest_.column_reads.find(result.index);
      if (read != nest_.column_reads.end()) {
        const ValueId packed = packed_.at(key(read->second));
        shared.emplace_back(result, Operand(element(packed, packed_index, body.statements)));
      } else if (!nest_.of_row.contains(result.index)) {
        body.statements.push_back(clone(function_, each, shared));
      }
    }
    return shared;
  }

  /// What stands for the parameters of the rows' body that are scalars: the row's number, and what
  /// a row has beside its elements.
  std::vector<Replacement> row_parameters(const Operand& row, Statements& out) {
    const std::vector<ValueId>& parameters = nest_.rows->body.parameters;
    std::vector<Replacement> result = {{parameters[0], row}};
    for (std::size_t i = 1; i < parameters.size(); ++i)
      if (function_.type(parameters[i]).is_scalar())
        result.emplace_back(parameters[i], Operand(element(nest_.rows->inputs[i - 1], {row}, out)));
    return result;
  }

  /// Adds the step of one row to the block's.
  void add_row(const Operand& row, const std::vector<Replacement>& of_row,
               std::vector<Replacement> own, Body& step) {
    const Body& source = nest_.step();
    own.insert(own.end(), of_row.begin(), of_row.end());
    for (std::size_t i = 1; i < source.parameters.size(); ++i) {
      const ValueId parameter = source.parameters[i];
      if (nest_.loop) {
        step.parameters.push_back(value(function_.type(parameter)));
        own.emplace_back(parameter, Operand(step.parameters.back()));
      } else {
        const ValueId array = array_of(nest_.reduction->inputs[i - 1]);
        own.emplace_back(parameter,
                         Operand(element(array, {row, step.parameters[0]}, step.statements)));
      }
    }
    for (const Statement& each : source.statements)
      if (nest_.of_row.contains(each.results[0].index))
        step.statements.push_back(clone_for_row(each, own));
    for (const Operand& result : source.results)
      step.results.push_back(replaced(result, own));
  }

  /// The statements of the columns' body around the reduction.
  Operand finish(std::vector<Replacement> own, const Operand& column, std::span<const ValueId> sums,
                 Statements& out) {
    own.emplace_back(nest_.columns->body.parameters[0], column);
    for (std::size_t i = 0; i < sums.size(); ++i)
      own.emplace_back(nest_.reduction_statement->results[i], Operand(sums[i]));
    for (const Statement& each : nest_.columns->body.statements)
      if (&each != nest_.reduction_statement) out.push_back(clone_for_row(each, own));
    return replaced(nest_.columns->body.results[0], own);
  }

  Statement clone_for_row(const Statement& statement, std::vector<Replacement>& own) {
    // A read through a row that the SOAC was given reads the array itself.
    const auto* index = std::get_if<ir::Index>(&statement.operation);
    const auto position = index ? position_of_row(index->array) : std::nullopt;
    if (!position) return clone(function_, statement, own);
    Statement whole = statement;
    auto& read = std::get<ir::Index>(whole.operation);
    read.array = nest_.rows->inputs[*position];
    read.indices.insert(read.indices.begin(), nest_.rows->body.parameters[0]);
    return clone(function_, whole, own);
  }

  /// Which input's row it is, if it is a parameter of the rows' body.
  std::optional<std::size_t> position_of_row(ValueId row) const {
    const auto& parameters = nest_.rows->body.parameters;
    const auto at = std::find(parameters.begin() + 1, parameters.end(), row);
    if (at == parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(at - parameters.begin() - 1);
  }
  /// The array whose row a parameter of the rows' body is.
  ValueId array_of(ValueId row) const { return nest_.rows->inputs[position_of_row(row).value()]; }

  static Operand replaced(const Operand& operand, const std::vector<Replacement>& replacements) {
    Operand result = operand;
    for (const Replacement& each : replacements)
      if (Operand(each.first) == operand) result = each.second;
    return result;
  }

  /// [column blocks][row blocks][height][width] as [rows][columns].
  ValueId ordered(ValueId computed, const Operand& column_blocks, Statements& out) {
    const auto row_in_order = [&](ValueId i, Statements& of_row) {
      const Operand block = scalar(Operation::Quotient, i, Operand::i64(height_), of_row);
      const Operand line = scalar(Operation::Remainder, i, Operand::i64(height_), of_row);
      const auto read = [&](const std::vector<ValueId>& at, Statements& inner) {
        return element(computed, {at[0], block, line, at[1]}, inner);
      };
      return std::vector<Operand>{tabulate({column_blocks, Operand::i64(width_)}, of_row, read)};
    };
    return without_padding(map(rows_, out, row_in_order)[0], rows_, column_blocks, out);
  }

  /// So many rows, as blocks of columns, as [rows][columns].
  ValueId without_padding(ValueId lines, const Operand& rows, const Operand& column_blocks,
                          Statements& out) {
    const Operand padded = scalar(Operation::Multiply, column_blocks, Operand::i64(width_), out);
    const ValueId joined = value({element_, {rows, padded}});
    out.push_back({{joined}, Reshape{lines}, span_});
    const ValueId result = value({element_, {rows_, columns_}});
    const Slice::Dimension all{Operand::i64(0), Operand::i64(1)};
    out.push_back({{result}, Slice{joined, {all, all}}, span_});
    return result;
  }

  const TiledNest& nest_;
  Operand rows_, columns_, depth_;
  ElementType element_;
  std::int64_t height_, width_; ///< of a block
  Operand last_row_, last_column_;
  std::unordered_map<std::uint64_t, ValueId> packed_;
};

/// What stands for the statement, if it is a nest that can be tiled.
std::vector<Statement> tiled(Function& function, const Statement& statement,
                             const VectorRegisters& vectors) {
  const std::optional<Statement> by_index = read_columns_by_index(function, statement);
  const Statement& read = by_index ? *by_index : statement;
  if (const auto cut = compute_rows_first(function, read, vectors)) {
    const TiledNest rest = find_tiled_nest(function, cut->nest, vectors).value();
    return TileWriter(function, rest).write(statement, {cut->rows});
  }
  if (const auto nest = find_tiled_nest(function, read, vectors))
    return TileWriter(function, *nest).write(statement, {});
  return {};
}

/// Nests of the host level: of the function, its branches and loops.
void tile(Function& function, Body& body, const VectorRegisters& vectors) {
  std::vector<Statement> before = std::move(body.statements);
  body.statements.clear();
  for (Statement& statement : before) {
    if (std::holds_alternative<Soac>(statement.operation)) {
      std::vector<Statement> blocks = tiled(function, statement, vectors);
      if (!blocks.empty()) {
        std::move(blocks.begin(), blocks.end(), std::back_inserter(body.statements));
        continue;
      }
    } else {
      for_each_body(statement.operation, [&](Body& inner) { tile(function, inner, vectors); });
    }
    body.statements.push_back(std::move(statement));
  }
}

} // namespace

void tile(Function& function, const VectorRegisters& vectors) {
  tile(function, function.body, vectors);
}

} // namespace sinter::jit
