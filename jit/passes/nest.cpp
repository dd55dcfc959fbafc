#include "jit/passes/nest.h"

#include "jit/ir/walk.h"
#include "jit/passes/index_reads.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

void collect(const Body& body, std::unordered_set<std::uint32_t>& transposed) {
  for (const Statement& statement : body.statements) {
    if (std::holds_alternative<Transpose>(statement.operation))
      transposed.insert(statement.results[0].index);
    for_each_body(statement.operation, [&](const Body& inner) { collect(inner, transposed); });
  }
}

/// Rows that are worth reading across: as many as lanes, at least.
constexpr std::int64_t least_rows = 16;

/// Transposes arrays whose rows SOACs inside of host-level SOACs walk.
class RowTransposer {
public:
  explicit RowTransposer(Function& function) : function_(function) {}

  void body(Body& body) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      if (auto* soac = std::get_if<Soac>(&statement.operation)) {
        shared_.clear();
        for (const ValueId value : free_values(function_, statement.operation))
          shared_.insert(value.index);
        copies_.clear();
        primitives_.clear();
        note_primitives(soac->body);
        inside(soac->body, statement.span, body.statements);
      } else {
        for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      }
      body.statements.push_back(std::move(statement));
    }
  }

private:
  /// Looks for SOACs that go along rows of shared arrays, also in loops and branches.
  void inside(Body& body, Span span, std::vector<Statement>& out) {
    for (Statement& statement : body.statements) {
      if (auto* rows = std::get_if<Soac>(&statement.operation); rows && has_enough_rows(*rows)) {
        for (std::size_t i = 0; i < rows->inputs.size(); ++i)
          if (is_shared(rows->inputs[i]) && is_walked(rows->body, rows->body.parameters[i + 1]))
            rows->inputs[i] = across(matrix(rows->inputs[i], *rows), span, out).view;
        for (Statement& each : rows->body.statements)
          if (auto* row = std::get_if<ir::Index>(&each.operation);
              row && row->indices == std::vector<Operand>{rows->body.parameters[0]} &&
              is_shared(row->array) && is_walked(rows->body, each.results[0]))
            row->array = across(matrix(row->array, *rows), span, out).view;
        elements(*rows, rows->body, {}, span, out);
      }
      for_each_body(statement.operation, [&](Body& inner) { inside(inner, span, out); });
    }
  }
  static bool has_enough_rows(const Soac& soac) {
    return soac.extent.is_constant() && soac.extent.scalar().as<std::int64_t>() >= least_rows;
  }
  /// Whether the array is the same in all that goes on, a matrix.  (Of many rows those are copied
  /// that the SOAC goes along.)
  bool is_shared(ValueId array) const {
    return shared_.contains(array.index) && function_.type(array).rank() == 2;
  }
  void note_primitives(const Body& body) {
    for (const Statement& statement : body.statements) {
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        primitives_.emplace(statement.results[0].index, primitive);
      for_each_body(statement.operation, [&](const Body& inner) { note_primitives(inner); });
    }
  }

  /// Whether the row is read by elements that reductions walk, and by nobody else: lanes of a map
  /// go along the row itself.
  bool is_walked(const Body& body, ValueId row) const {
    bool walked = false, otherwise = false;
    for (const Statement& statement : body.statements) {
      const auto* soac = std::get_if<Soac>(&statement.operation);
      const bool is_reduction = soac && has_only<ReduceGroup>(*soac);
      for_each_operand(statement.operation, [&](const Operand& operand) {
        if (operand == Operand(row)) (is_reduction ? walked : otherwise) = true;
      });
      for_each_body(statement.operation, [&](const Body& inner) {
        const std::vector<ValueId> free = free_values(function_, inner);
        otherwise = otherwise || std::ranges::find(free, row) != free.end();
      });
    }
    for (const Operand& result : body.results)
      otherwise = otherwise || result == Operand(row);
    return walked && !otherwise;
  }

  /// An index that goes along a row.
  struct Walk {
    Operand index;
    std::optional<Operand> length; ///< known of a fold
  };
  /// Elements that a fold or a loop reads of a row, one after the other, are read of the copy.
  void elements(const Soac& rows, Body& body, const std::vector<Walk>& walks, Span span,
                std::vector<Statement>& out) {
    for (Statement& statement : body.statements) {
      if (auto* read = std::get_if<ir::Index>(&statement.operation))
        for (const Walk& walk : walks)
          if (const std::optional<Matrix> read_of = matrix(*read, rows, walk)) {
            *read = {across(*read_of, span, out).copy, {walk.index, rows.body.parameters[0]}};
            break;
          }
      std::vector<Walk> inside = walks;
      if (const auto* loop = std::get_if<For>(&statement.operation))
        inside.push_back({loop->body.parameters[0], std::nullopt});
      const auto* soac = std::get_if<Soac>(&statement.operation);
      if (soac && has_only<ReduceGroup>(*soac))
        inside.push_back({soac->body.parameters[0], soac->extent});
      for_each_body(statement.operation,
                    [&](Body& inner) { elements(rows, inner, inside, span, out); });
    }
  }

  /// Rows, as many as a SOAC goes along, of a matrix or of an array that has one row behind the
  /// other.
  struct Matrix {
    ValueId array;
    Operand rows, columns;
    bool operator==(const Matrix&) const = default;
  };
  Matrix matrix(ValueId array, const Soac& rows) const {
    return {array, rows.extent, function_.type(array).extents[1]};
  }
  /// That of which the row of the SOAC's index is read at the walk's.
  std::optional<Matrix> matrix(const ir::Index& read, const Soac& rows, const Walk& walk) const {
    if (!shared_.contains(read.array.index)) return std::nullopt;
    const Operand row = rows.body.parameters[0];
    const std::size_t rank = function_.type(read.array).rank();
    if (rank == 2 && read.indices == std::vector<Operand>{row, walk.index})
      return matrix(read.array, rows);
    if (rank != 1 || !walk.length) return std::nullopt;
    const Operand* const begin = other_argument(read.indices[0], ScalarOperation::Add, walk.index);
    const Operand* const length =
        begin ? other_argument(*begin, ScalarOperation::Multiply, row) : nullptr;
    const bool is_known = length && *length == *walk.length &&
                          (length->is_constant() || shared_.contains(length->value().index));
    return is_known ? std::optional(Matrix{read.array, rows.extent, *length}) : std::nullopt;
  }
  /// Of a sum or product of i64 with that argument; else null.
  const Operand* other_argument(const Operand& value, ScalarOperation operation,
                                const Operand& argument) const {
    const auto found = value.is_value() ? primitives_.find(value.value().index) : primitives_.end();
    if (found == primitives_.end() || found->second->primitive->operation != operation)
      return nullptr;
    const std::vector<Operand>& arguments = found->second->arguments;
    if (arguments[0] == argument) return &arguments[1];
    return arguments[1] == argument ? &arguments[0] : nullptr;
  }

  /// A transposed copy of a matrix, and that as a view that is like the matrix.
  struct Across {
    Matrix of;
    ValueId copy, view;
  };
  const Across& across(const Matrix& matrix, Span span, std::vector<Statement>& out) {
    const auto found = std::ranges::find(copies_, matrix, &Across::of);
    if (found != copies_.end()) return *found;
    CopyWriter writer(function_, span);
    const ValueId copy = writer.transposed(matrix, out);
    const ElementType element = function_.type(copy).element;
    const ValueId view = function_.add_value({element, {matrix.rows, matrix.columns}});
    out.push_back({{view}, Transpose{copy, {1, 0}}, span});
    return copies_.emplace_back(Across{matrix, copy, view});
  }
  struct CopyWriter : StatementWriter {
    using StatementWriter::StatementWriter;
    ValueId transposed(const Matrix& matrix, std::vector<Statement>& out) {
      return tabulate({matrix.columns, matrix.rows}, out,
                      [&](const std::vector<ValueId>& indices, std::vector<Statement>& inside) {
                        return element_at(matrix, indices[1], indices[0], inside);
                      });
    }
    /// What rows that are not there have is not read.
    Operand element_at(const Matrix& matrix, ValueId row, ValueId column,
                       std::vector<Statement>& out) {
      const Type type = function_.type(matrix.array);
      if (type.rank() == 2 && type.extents[0] == matrix.rows)
        return element(matrix.array, {row, column}, out);
      std::vector<Operand> place = {row, column};
      if (type.rank() == 1) {
        const Operand begin = scalar(ScalarOperation::Multiply, matrix.columns, row, out);
        place = {scalar(ScalarOperation::Add, column, begin, out)};
      }
      const Operand is_there = scalar(sinter::jit::row(ScalarOperation::Less, ElementType::I64),
                                      {place[0], type.extents[0]}, out);
      If choice{is_there, {}, {}};
      choice.then_body.results = {element(matrix.array, place, choice.then_body.statements)};
      choice.else_body.results = {Operand::constant(type.element, Scalar{})};
      const ValueId result = value({type.element, {}});
      out.push_back({{result}, std::move(choice), span_});
      return result;
    }
  };

  Function& function_;
  // Of the SOAC at hand.
  std::unordered_set<std::uint32_t> shared_; ///< what it reads of outside
  std::unordered_map<std::uint32_t, const ir::Primitive*> primitives_;
  std::vector<Across> copies_;
};

} // namespace

void transpose_shared_rows(Function& function) {
  RowTransposer(function).body(function.body);
}

void read_transposed_by_index(Function& function) {
  std::unordered_set<std::uint32_t> transposed;
  collect(function.body, transposed);
  if (transposed.empty()) return;
  read_by_index(function, [&](ValueId array) { return transposed.contains(array.index); });
}

} // namespace sinter::jit
