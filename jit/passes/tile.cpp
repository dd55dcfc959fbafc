#include "jit/passes/tile.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/tiled_nest.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

constexpr std::int64_t height = 8;       ///< rows that are reduced at a time
constexpr std::int64_t width_bytes = 64; ///< of a block of columns: what a vector holds
constexpr std::int64_t least_depth = 16; ///< of the reduction, for blocks to pay

/// Writes the tiled form of a nest.
class TileWriter {
public:
  TileWriter(Function& function, const TiledNest& nest)
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
    const Operand pays = blocks_pay(out);
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

  /// An array of these extents, by maps over indices alone, one in the other.
  template <typename Write>
  ValueId tabulate(std::initializer_list<Operand> extents, Statements& out, Write&& write) {
    return tabulate({extents.begin(), extents.size()}, {}, out, write);
  }
  template <typename Write>
  ValueId tabulate(std::span<const Operand> extents, const std::vector<ValueId>& outer,
                   Statements& out, Write&& write) {
    if (extents.empty()) return write(outer, out);
    const auto inner = [&](ValueId index, Statements& inside) {
      std::vector<ValueId> indices = outer;
      indices.push_back(index);
      return std::vector<Operand>{tabulate(extents.subspan(1), indices, inside, write)};
    };
    return map(extents[0], out, inner)[0];
  }

  // ---- the tiled form

  /// Whether there are so many rows, columns and elements of both that blocks pay.
  Operand blocks_pay(Statements& out) {
    Operand pays = scalar(Operation::GreaterEqual, rows_, Operand::i64(height), out);
    for (const auto& [extent, least] :
         {std::pair(columns_, width_), std::pair(depth_, least_depth)}) {
      const Operand enough = scalar(Operation::GreaterEqual, extent, Operand::i64(least), out);
      pays = scalar(row(Operation::And, ElementType::Bool), {pays, enough}, out);
    }
    return pays;
  }

  Body tiled() {
    Body body;
    Statements& out = body.statements;
    last_row_ = scalar(Operation::Subtract, rows_, Operand::i64(1), out);
    last_column_ = scalar(Operation::Subtract, columns_, Operand::i64(1), out);
    const Operand row_blocks = blocks(rows_, height, out);
    const Operand column_blocks = blocks(columns_, width_, out);
    for (const auto& [result, read] : nest_.column_reads)
      if (!packed_.contains(key(read))) packed_.emplace(key(read), pack(read, column_blocks, out));
    const ValueId computed = tabulate({column_blocks, row_blocks}, out,
                                      [&](const std::vector<ValueId>& at, Statements& inner) {
                                        return block(at[1], at[0], inner);
                                      });
    body.results = {ordered(computed, column_blocks, out)};
    return body;
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

  /// One block: [height][width].
  ValueId block(ValueId row_block, ValueId column_block, Statements& out) {
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
    const Operand sum = scalar(Operation::Add, first_column, j, out);
    const Operand column = scalar(Operation::Minimum, sum, last_column_, out);
    Soac reduction;
    reduction.extent = depth_;
    const ValueId k = value({ElementType::I64, {}});
    reduction.body.parameters = {k};
    const std::vector<Replacement> shared =
        shared_by_rows(column, {column_block, k, j}, reduction.body);
    std::vector<ValueId> results;
    for (const Operand& row : rows) {
      add_row(row, shared, reduction);
      for (const Operand& neutral : source_group().neutral)
        results.push_back(value(function_.type(neutral)));
    }
    out.push_back({results, std::move(reduction), span_});
    const std::size_t of_each = source_group().neutral.size();
    std::vector<Operand> elements;
    for (std::size_t t = 0; t < rows.size(); ++t)
      elements.push_back(
          finish(rows[t], column, std::span(results).subspan(t * of_each, of_each), out));
    return elements;
  }
  const ReduceGroup& source_group() const {
    return std::get<ReduceGroup>(nest_.reduction->groups[0]);
  }

  /// Writes what all rows share into the reduction's body, reads of columns at `packed_index`;
  /// gives what stands for the values of the nest.
  std::vector<Replacement> shared_by_rows(const Operand& column,
                                          const std::vector<Operand>& packed_index, Body& body) {
    const Body& source = nest_.reduction->body;
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

  /// Adds the reduction of one row to the block's.
  void add_row(const Operand& row, std::vector<Replacement> own, Soac& reduction) {
    const Soac& source = *nest_.reduction;
    Statements& out = reduction.body.statements;
    own.emplace_back(nest_.rows->body.parameters[0], row);
    for (std::size_t i = 0; i < source.inputs.size(); ++i) {
      const ValueId array = array_of(source.inputs[i]);
      own.emplace_back(source.body.parameters[i + 1],
                       Operand(element(array, {row, reduction.body.parameters[0]}, out)));
    }
    for (const Statement& each : source.body.statements)
      if (nest_.of_row.contains(each.results[0].index)) out.push_back(clone_for_row(each, own));
    for (const Operand& result : source.body.results)
      reduction.body.results.push_back(replaced(result, own));
    const ReduceGroup& group = source_group();
    reduction.groups.push_back(
        ReduceGroup{group.neutral, clone(function_, group.combine), group.is_commutative});
  }

  /// The statements of the columns' body around the reduction.
  Operand finish(const Operand& row, const Operand& column, std::span<const ValueId> sums,
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
      const Operand block = scalar(Operation::Quotient, i, Operand::i64(height), of_row);
      const Operand line = scalar(Operation::Remainder, i, Operand::i64(height), of_row);
      const auto read = [&](const std::vector<ValueId>& at, Statements& inner) {
        return element(computed, {at[0], block, line, at[1]}, inner);
      };
      return std::vector<Operand>{tabulate({column_blocks, Operand::i64(width_)}, of_row, read)};
    };
    const ValueId lines = map(rows_, out, row_in_order)[0];
    const Operand padded = scalar(Operation::Multiply, column_blocks, Operand::i64(width_), out);
    const ValueId joined = value({element_, {rows_, padded}});
    out.push_back({{joined}, Reshape{lines}, span_});
    const ValueId result = value({element_, {rows_, columns_}});
    const Slice::Dimension all{Operand::i64(0), Operand::i64(1)};
    out.push_back({{result}, Slice{joined, {all, all}}, span_});
    return result;
  }

  Function& function_;
  const TiledNest& nest_;
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
      if (const auto nest = find_tiled_nest(function, statement)) {
        std::vector<Statement> tiled = TileWriter(function, *nest).write();
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
