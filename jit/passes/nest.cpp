#include "jit/passes/nest.h"

#include "jit/ir/walk.h"
#include "jit/passes/index_reads.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

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
        for (Statement& inside : soac->body.statements)
          if (auto* inner = std::get_if<Soac>(&inside.operation))
            for (std::size_t i = 0; i < inner->inputs.size(); ++i)
              if (is_shared(*soac, *inner, i))
                inner->inputs[i] = across(inner->inputs[i], statement.span, body.statements);
      } else {
        for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      }
      body.statements.push_back(std::move(statement));
    }
  }

private:
  /// Whether the input is the same in each iteration of `outer`, and its rows are read by elements
  /// that a reduction walks.
  bool is_shared(const Soac& outer, const Soac& inner, std::size_t input) const {
    const bool has_enough_rows =
        inner.extent.is_constant() && inner.extent.scalar().as<std::int64_t>() >= least_rows;
    if (!has_enough_rows || function_.type(inner.inputs[input]).rank() != 2) return false;
    if (is_defined_in(outer.body, inner.inputs[input])) return false;
    const ValueId row = inner.body.parameters[input + 1];
    bool walked = false, otherwise = false;
    for (const Statement& statement : inner.body.statements) {
      const auto* reduction = std::get_if<Soac>(&statement.operation);
      for_each_operand(statement.operation, [&](const Operand& operand) {
        if (operand == Operand(row)) (reduction ? walked : otherwise) = true;
      });
      if (reduction) {
        const std::vector<ValueId> free = free_values(function_, reduction->body);
        otherwise = otherwise || std::find(free.begin(), free.end(), row) != free.end();
      } else {
        for_each_body(statement.operation, [&](const Body&) { otherwise = true; });
      }
    }
    for (const Operand& result : inner.body.results)
      otherwise = otherwise || result == Operand(row);
    return walked && !otherwise;
  }

  /// The array as a view of a transposed copy.
  ValueId across(ValueId array, Span span, std::vector<Statement>& out) {
    const Type type = function_.type(array);
    const ElementType element = type.element;
    const Operand rows = type.extents[0], columns = type.extents[1];
    const auto number = [&] { return function_.add_value({ElementType::I64, {}}); };
    const ValueId column = number(), row = number();
    const ValueId read = function_.add_value({element, {}});
    const ValueId line = function_.add_value({element, {rows}});
    Soac inner{rows, {}, {{row}, {}, {read}}, {MapGroup{}}};
    inner.body.statements.push_back({{read}, ir::Index{array, {row, column}}, span});
    Soac outer{columns, {}, {{column}, {}, {line}}, {MapGroup{}}};
    outer.body.statements.push_back({{line}, std::move(inner), span});
    const ValueId copied = function_.add_value({element, {columns, rows}});
    const ValueId view = function_.add_value(type);
    out.push_back({{copied}, std::move(outer), span});
    out.push_back({{view}, Transpose{copied, {1, 0}}, span});
    return view;
  }

  Function& function_;
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
