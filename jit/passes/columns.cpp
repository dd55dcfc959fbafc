#include "jit/passes/columns.h"

#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/column_bins.h"
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
using Statements = std::vector<Statement>;

namespace {

/// Statements of a body that all columns may do again.
constexpr std::size_t most_statements_of_row = 8;

/// So many columns are not few: they are combined at once then, a row after the other; and so many
/// rows that are reduced are not few: a thread has some of them.  (Measured: 10⁷ numbers of four
/// bytes.  Short rows have code of their own, jit/runtime/short_rows.h, but not from the first
/// launch on: where rows are not computed, columns take a seventh of the time until then.  A few
/// rows that are scanned would be written across memory.)
constexpr std::int64_t enough_columns_to_reduce = 8, enough_computed_columns_to_reduce = 2,
                       enough_columns_to_scan = 12, enough_rows_to_reduce = 64;

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

/// What `use` makes of the reduction or the scan.
template <typename AnyGroup, typename Use>
decltype(auto) with_fold(AnyGroup& group, Use&& use) {
  if (auto* const reduce = std::get_if<ReduceGroup>(&group)) return use(*reduce);
  return use(std::get<ScanGroup>(group));
}

/// A statement that reduces or scans rows, and what stands for it.
class ColumnWriter : StatementWriter {
public:
  ColumnWriter(Function& function, const Statement& statement)
      : StatementWriter(function, statement.span), statement_(statement),
        rows_soac_(std::get<Soac>(statement.operation)) {}

  /// Whether it reduces rows so that columns can be gone down.
  bool reduces() {
    return has_group<ReduceGroup>(rows_soac_) && has_only<ReduceGroup>(rows_soac_) &&
           !has_before(rows_soac_) && match();
  }
  /// Or scans them.
  bool scans() {
    return only_group<ScanGroup>(rows_soac_) && !has_before(rows_soac_) && !has_post(rows_soac_) &&
           match();
  }

  /// The statements that go down columns instead; they define these results.
  Statements write(const std::vector<ValueId>& results) {
    Statements out;
    if (has_only<ReduceGroup>(rows_soac_)) {
      out.push_back({results, map_over_columns(), span_});
      return out;
    }
    std::vector<ValueId> by_columns;
    by_columns.reserve(results.size());
    for (const ValueId result : results)
      by_columns.push_back(
          value(array_type(columns_, {function_.type(result).element, {rows_soac_.extent}})));
    out.push_back({by_columns, map_over_columns(), span_});
    for (std::size_t i = 0; i < results.size(); ++i)
      out.push_back({{results[i]}, Transpose{by_columns[i], {1, 0}}, span_});
    return out;
  }

  /// A branch at run time: nothing if there is none to be decided then.
  std::optional<Statements> write_where_few() {
    const bool is_reduction = reduces();
    if ((!is_reduction && !scans()) || columns_.is_constant()) return std::nullopt;
    Statements out;
    const auto are_less = [&](const Operand& extent, std::int64_t than) {
      return scalar(row(primitives::Operation::Less, ElementType::I64),
                    {extent, Operand::i64(than)}, out);
    };
    Operand are_few = are_less(columns_, !is_reduction   ? enough_columns_to_scan
                                         : rows_.empty() ? enough_columns_to_reduce
                                                         : enough_computed_columns_to_reduce);
    if (is_reduction && !calls_functions_for_rows()) {
      const Operand are_few_rows = are_less(rows_soac_.extent, enough_rows_to_reduce);
      are_few =
          scalar(row(primitives::Operation::Or, ElementType::Bool), {are_few, are_few_rows}, out);
    }
    Body few, many;
    std::vector<ValueId> results;
    for (const ValueId result : statement_.results) {
      results.push_back(value(function_.type(result)));
      few.results.emplace_back(results.back());
    }
    few.statements = write(results);
    std::vector<Replacement> renamed;
    many.statements.push_back(clone(function_, statement_, renamed));
    for (const ValueId result : many.statements[0].results)
      many.results.emplace_back(result);
    out.push_back({statement_.results, If{are_few, std::move(few), std::move(many)}, span_});
    return out;
  }

private:
  Soac map_over_columns() {
    Soac map;
    map.extent = columns_;
    const ValueId column = value({ElementType::I64, {}});
    map.body.parameters = {column};
    Soac inner;
    inner.extent = rows_soac_.extent;
    Statement of_column{{}, Soac{}, span_};
    for (std::size_t i = 0; i < rows_soac_.groups.size(); ++i) {
      Group group = rows_soac_.groups[i];
      auto& neutral_elements =
          with_fold(group, [](auto& fold) -> std::vector<Operand>& { return fold.neutral; });
      for (Operand& neutral : neutral_elements) {
        const Type element{function_.type(neutral).element, {}};
        map.inputs.push_back(neutral.value());
        map.body.parameters.push_back(value(element));
        neutral = map.body.parameters.back();
        of_column.results.push_back(value(std::holds_alternative<ScanGroup>(group)
                                              ? array_type(inner.extent, element)
                                              : element));
        map.body.results.emplace_back(of_column.results.back());
        map.groups.emplace_back(MapGroup{});
      }
      with_fold(group, [&](auto& fold) {
        fold.combine = operator_on_elements(fold.combine, *operators_[i]);
      });
      inner.groups.push_back(std::move(group));
    }
    inner.body = element_of_rows(column);
    of_column.operation = std::move(inner);
    map.body.statements.push_back(std::move(of_column));
    return map;
  }

  // ---- what is taken

  bool match() {
    if (may_fail(statement_.operation) || !consumed_values(function_, statement_.operation).empty())
      return false;
    for (const Group& group : rows_soac_.groups) {
      const auto& neutral = with_fold(
          group, [](const auto& fold) -> const std::vector<Operand>& { return fold.neutral; });
      if (!std::ranges::all_of(neutral, [&](const Operand& each) {
            return each.is_value() && function_.type(each).rank() == 1;
          }))
        return false;
      const Operand columns = function_.type(neutral[0]).extents[0];
      if (!operators_.empty() && columns != columns_) return false;
      columns_ = columns;
      operators_.push_back(mapped_operator(*operator_of(group)));
      if (!operators_.back()) return false;
    }
    return match_rows();
  }
  /// A map over columns, of both rows' elements; null if the operator is none.
  const Soac* mapped_operator(const Body& combine) const {
    if (combine.statements.size() != 1) return nullptr;
    const Soac* const soac = std::get_if<Soac>(&combine.statements[0].operation);
    return soac && is_map_of_rows(*soac, combine) ? soac : nullptr;
  }
  bool is_map_of_rows(const Soac& soac, const Body& combine) const {
    if (!maps_scalars(function_, soac) || soac.body.results.size() != combine.results.size())
      return false;
    for (std::size_t i = 0; i < combine.results.size(); ++i)
      if (combine.results[i] != Operand(combine.statements[0].results[i])) return false;
    // (Other arrays would have to be read at the column.)
    if (!std::ranges::all_of(soac.inputs, [&](ValueId input) {
          return std::ranges::find(combine.parameters, input) != combine.parameters.end();
        }))
      return false;
    const std::vector<ValueId> free = free_values(function_, soac.body);
    return std::ranges::none_of(combine.parameters,
                                [&](ValueId parameter) {
                                  return std::ranges::find(free, parameter) != free.end();
                                }) &&
           !uses_index(soac.body);
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
    const Body& body = rows_soac_.body;
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
  /// Each column would call them again.
  bool calls_functions_for_rows() const {
    return std::ranges::any_of(rows_soac_.body.statements, [](const Statement& each) {
      const auto* const primitive = std::get_if<ir::Primitive>(&each.operation);
      return primitive && primitive->primitive->cost >= costs::function_call;
    });
  }
  /// Not rows that are computed, by index.
  bool reads_rows(const Body& inner) const {
    const std::vector<ValueId> used = free_values(function_, inner);
    return std::ranges::none_of(used, [&](ValueId each) { return rows_.contains(each.index); });
  }

  // ---- what is made

  /// On the elements of a column.
  Body operator_on_elements(const Body& combine, const Soac& of_rows) {
    Body result;
    std::vector<Replacement> replaced;
    std::unordered_map<std::uint32_t, ValueId> elements;
    for (const ValueId parameter : combine.parameters) {
      result.parameters.push_back(value({function_.type(parameter).element, {}}));
      elements.emplace(parameter.index, result.parameters.back());
    }
    for (std::size_t i = 0; i < of_rows.inputs.size(); ++i)
      replaced.emplace_back(of_rows.body.parameters[i + 1], elements.at(of_rows.inputs[i].index));
    append(of_rows.body, result.statements, replaced);
    for (const Operand& each : of_rows.body.results)
      result.results.push_back(there(each, replaced));
    return result;
  }

  Body element_of_rows(ValueId column) {
    Body result;
    const ValueId row = value({ElementType::I64, {}});
    result.parameters = {row};
    std::vector<Replacement> replaced = {{rows_soac_.body.parameters[0], row}};
    row_ = row;
    column_ = column;
    for (std::size_t i = 0; i < rows_soac_.inputs.size(); ++i) {
      const ValueId element_of_input = rows_soac_.body.parameters[i + 1];
      inputs_.emplace(element_of_input.index, rows_soac_.inputs[i]);
      if (!is_used(element_of_input)) continue;
      const ValueId input_there = value(function_.type(element_of_input));
      result.statements.push_back({{input_there}, Index{rows_soac_.inputs[i], {row}}, span_});
      replaced.emplace_back(element_of_input, input_there);
    }
    for (const Statement& each : rows_soac_.body.statements)
      if (!std::holds_alternative<Soac>(each.operation))
        result.statements.push_back(clone(function_, each, replaced));
    for (const Operand& each : rows_soac_.body.results)
      result.results.push_back(element_of(each.value(), result.statements, replaced));
    return result;
  }
  /// Otherwise than as a row by columns.
  bool is_used(ValueId element_of_input) const {
    for (const Statement& each : rows_soac_.body.statements) {
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
  const Soac& rows_soac_;
  std::vector<const Soac*> operators_; ///< by group
  Operand columns_;
  ValueId row_, column_;
  std::unordered_map<std::uint32_t, const Statement*> rows_; ///< computed ones, by what they are
  std::unordered_map<std::uint32_t, ValueId> inputs_;        ///< by elements
};

} // namespace

void reduce_columns(Function& function) {
  for (Statement& statement : function.body.statements)
    if (std::holds_alternative<Soac>(statement.operation)) {
      ColumnWriter writer(function, statement);
      if (writer.reduces()) {
        Statements written = writer.write(statement.results);
        statement = std::move(written[0]);
      }
    }
}

void go_down_thin_matrices(Function& function) {
  Statements out;
  for (Statement& statement : function.body.statements) {
    std::optional<Statements> written;
    if (std::holds_alternative<Soac>(statement.operation))
      written = ColumnWriter(function, statement).write_where_few();
    if (written)
      std::ranges::move(*written, std::back_inserter(out));
    else
      out.push_back(std::move(statement));
  }
  function.body.statements = std::move(out);
  combine_column_bins(function);
}

} // namespace sinter::jit
