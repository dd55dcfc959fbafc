#include "jit/passes/columns.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Statements of a body that all columns may do again.
constexpr std::size_t most_statements_of_row = 8;

bool computes_scalars(const Function& function, const Body& body) {
  return std::ranges::all_of(body.statements, [&](const Statement& each) {
    return is_scalar_operation(each.operation) || (std::holds_alternative<Index>(each.operation) &&
                                                   function.type(each.results[0]).is_scalar());
  });
}

bool maps_scalars(const Function& function, const Soac& soac) {
  return std::ranges::all_of(
             soac.groups,
             [](const Group& group) { return std::holds_alternative<MapGroup>(group); }) &&
         computes_scalars(function, soac.body) &&
         std::ranges::all_of(soac.body.results, [&](const Operand& result) {
           return function.type(result).is_scalar();
         });
}

/// A statement that reduces rows, and what stands for it.
class ColumnReducer : StatementWriter {
public:
  ColumnReducer(Function& function, const Statement& statement)
      : StatementWriter(function, statement.span), statement_(statement),
        reduction_(std::get<Soac>(statement.operation)) {}

  /// Nothing: it stays as it is.
  std::optional<Statement> run() {
    if (!match()) return std::nullopt;
    const auto& reduce = std::get<ReduceGroup>(reduction_.groups[0]);
    Soac map;
    map.extent = columns_;
    const ValueId column = value({ElementType::I64, {}});
    map.body.parameters = {column};
    Soac inner;
    inner.extent = reduction_.extent;
    ReduceGroup group;
    Statement reduction{{}, Soac{}, span_};
    for (const Operand& neutral : reduce.neutral) {
      const ElementType element = function_.type(neutral).element;
      map.inputs.push_back(neutral.value());
      map.body.parameters.push_back(value({element, {}}));
      group.neutral.emplace_back(map.body.parameters.back());
      reduction.results.push_back(value({element, {}}));
      map.body.results.emplace_back(reduction.results.back());
      map.groups.emplace_back(MapGroup{});
    }
    group.combine = operator_on_elements(reduce.combine);
    group.is_commutative = reduce.is_commutative;
    inner.body = element_of_rows(column);
    inner.groups.emplace_back(std::move(group));
    reduction.operation = std::move(inner);
    map.body.statements.push_back(std::move(reduction));
    return Statement{statement_.results, std::move(map), span_};
  }

private:
  // ---- what is taken

  bool match() {
    if (reduction_.groups.size() != 1 || !std::holds_alternative<ReduceGroup>(reduction_.groups[0]))
      return false;
    const auto& reduce = std::get<ReduceGroup>(reduction_.groups[0]);
    if (may_fail(statement_.operation) || !consumed_values(function_, statement_.operation).empty())
      return false;
    if (!std::ranges::all_of(reduce.neutral, [&](const Operand& neutral) {
          return neutral.is_value() && function_.type(neutral).rank() == 1;
        }))
      return false;
    columns_ = function_.type(reduce.neutral[0]).extents[0];
    return match_operator(reduce.combine) && match_rows();
  }
  /// A map over columns, of both rows' elements.
  bool match_operator(const Body& combine) {
    if (combine.statements.size() != 1) return false;
    operator_ = std::get_if<Soac>(&combine.statements[0].operation);
    if (!operator_ || !maps_scalars(function_, *operator_) ||
        operator_->body.results.size() != combine.results.size())
      return false;
    for (std::size_t i = 0; i < combine.results.size(); ++i)
      if (combine.results[i] != Operand(combine.statements[0].results[i])) return false;
    // (Other arrays would have to be read at the column.)
    if (!std::ranges::all_of(operator_->inputs, [&](ValueId input) {
          return std::ranges::find(combine.parameters, input) != combine.parameters.end();
        }))
      return false;
    const std::vector<ValueId> free = free_values(function_, operator_->body);
    return std::ranges::none_of(combine.parameters,
                                [&](ValueId parameter) {
                                  return std::ranges::find(free, parameter) != free.end();
                                }) &&
           !uses_index(operator_->body);
  }
  bool uses_index(const Body& body) const {
    for (const Statement& each : body.statements) {
      const std::vector<ValueId> used = free_values(function_, each);
      if (std::ranges::find(used, body.parameters[0]) != used.end()) return true;
    }
    return std::ranges::find(body.results, Operand(body.parameters[0])) != body.results.end();
  }
  /// Rows are inputs' elements, arrays of outside, or computed by maps of such.
  bool match_rows() {
    const Body& body = reduction_.body;
    std::size_t statements = 0;
    for (const Statement& each : body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        if (!maps_scalars(function_, *soac) || !reads_rows(soac->body)) return false;
        for (const ValueId result : each.results)
          rows_.emplace(result.index, &each);
        continue;
      }
      const bool is_scalar =
          is_scalar_operation(each.operation) || (std::holds_alternative<Index>(each.operation) &&
                                                  function_.type(each.results[0]).is_scalar());
      if (!is_scalar || ++statements > most_statements_of_row) return false;
    }
    return std::ranges::all_of(body.results,
                               [](const Operand& result) { return result.is_value(); });
  }
  /// Not rows that are computed, by index.
  bool reads_rows(const Body& inner) const {
    const std::vector<ValueId> used = free_values(function_, inner);
    return std::ranges::none_of(used, [&](ValueId each) { return rows_.contains(each.index); });
  }

  // ---- what is made

  /// On the elements of a column.
  Body operator_on_elements(const Body& combine) {
    Body result;
    std::vector<Replacement> replaced;
    std::unordered_map<std::uint32_t, ValueId> elements;
    for (const ValueId parameter : combine.parameters) {
      result.parameters.push_back(value({function_.type(parameter).element, {}}));
      elements.emplace(parameter.index, result.parameters.back());
    }
    for (std::size_t i = 0; i < operator_->inputs.size(); ++i)
      replaced.emplace_back(operator_->body.parameters[i + 1],
                            elements.at(operator_->inputs[i].index));
    append(operator_->body, result.statements, replaced);
    for (const Operand& each : operator_->body.results)
      result.results.push_back(there(each, replaced));
    return result;
  }

  Body element_of_rows(ValueId column) {
    Body result;
    const ValueId row = value({ElementType::I64, {}});
    result.parameters = {row};
    std::vector<Replacement> replaced = {{reduction_.body.parameters[0], row}};
    row_ = row;
    column_ = column;
    for (std::size_t i = 0; i < reduction_.inputs.size(); ++i) {
      const ValueId element_of_input = reduction_.body.parameters[i + 1];
      inputs_.emplace(element_of_input.index, reduction_.inputs[i]);
      if (!is_used(element_of_input)) continue;
      const ValueId input_there = value(function_.type(element_of_input));
      result.statements.push_back({{input_there}, Index{reduction_.inputs[i], {row}}, span_});
      replaced.emplace_back(element_of_input, input_there);
    }
    for (const Statement& each : reduction_.body.statements)
      if (!std::holds_alternative<Soac>(each.operation))
        result.statements.push_back(clone(function_, each, replaced));
    for (const Operand& each : reduction_.body.results)
      result.results.push_back(element_of(each.value(), result.statements, replaced));
    return result;
  }
  /// Otherwise than as a row by columns.
  bool is_used(ValueId element_of_input) const {
    for (const Statement& each : reduction_.body.statements) {
      const auto* soac = std::get_if<Soac>(&each.operation);
      const std::vector<ValueId> used =
          soac ? free_values(function_, soac->body) : free_values(function_, each);
      if (std::ranges::find(used, element_of_input) != used.end()) return true;
    }
    return false;
  }

  /// Of a row, that of the column.
  Operand element_of(ValueId array, Statements& out, std::vector<Replacement>& replaced) {
    if (const auto computed = rows_.find(array.index); computed != rows_.end()) {
      const Statement& statement = *computed->second;
      const auto& soac = std::get<Soac>(statement.operation);
      std::vector<Replacement> own = replaced;
      own.emplace_back(soac.body.parameters[0], column_);
      for (std::size_t i = 0; i < soac.inputs.size(); ++i)
        own.emplace_back(soac.body.parameters[i + 1], element_of(soac.inputs[i], out, replaced));
      append(soac.body, out, own);
      const auto which = std::ranges::find(statement.results, array) - statement.results.begin();
      return there(soac.body.results[static_cast<std::size_t>(which)], own);
    }
    if (const auto input = inputs_.find(array.index); input != inputs_.end())
      return element(input->second, {row_, column_}, out);
    return element(array, {column_}, out);
  }

  void append(const Body& body, Statements& out, std::vector<Replacement>& replaced) {
    for (const Statement& each : body.statements)
      out.push_back(clone(function_, each, replaced));
  }
  static Operand there(const Operand& operand, const std::vector<Replacement>& replaced) {
    if (operand.is_constant()) return operand;
    const auto found = std::ranges::find(replaced, operand.value(), &Replacement::first);
    return found == replaced.end() ? operand : found->second;
  }

  const Statement& statement_;
  const Soac& reduction_;
  const Soac* operator_ = nullptr;
  Operand columns_;
  ValueId row_, column_;
  std::unordered_map<std::uint32_t, const Statement*> rows_; ///< computed ones, by what they are
  std::unordered_map<std::uint32_t, ValueId> inputs_;        ///< by elements
};

} // namespace

void reduce_columns(Function& function) {
  for (Statement& statement : function.body.statements)
    if (std::holds_alternative<Soac>(statement.operation))
      if (std::optional<Statement> made = ColumnReducer(function, statement).run())
        statement = std::move(*made);
}

} // namespace sinter::jit
