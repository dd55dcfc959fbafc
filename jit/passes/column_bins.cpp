#include "jit/passes/column_bins.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

/// Rows of fewer elements are not worth it.  (Measured: 10⁶ rows of numbers of four bytes.)
constexpr std::int64_t least_columns = 4;

/// A map over columns, of histograms.
class ColumnBins : StatementWriter {
public:
  ColumnBins(Function& function, const Statement& statement)
      : StatementWriter(function, statement.span), statement_(statement),
        columns_(std::get<Soac>(statement.operation)) {}

  /// What stands for it; nothing if it is something else.
  std::optional<Statements> combined() {
    if (!match()) return std::nullopt;
    const Operand& count = columns_.extent;
    if (count.is_constant()) {
      if (count.scalar().as<std::int64_t>() < least_columns) return std::nullopt;
      return write(statement_.results);
    }
    Statements out;
    const Operand are_few = scalar(row(primitives::Operation::Less, ElementType::I64),
                                   {count, Operand::i64(least_columns)}, out);
    Body few, many;
    std::vector<Replacement> renamed;
    few.statements.push_back(clone(function_, statement_, renamed));
    for (const ValueId result : few.statements[0].results)
      few.results.emplace_back(result);
    std::vector<ValueId> results;
    for (const ValueId result : statement_.results) {
      const Type type = function_.type(result);
      results.push_back(value(type));
      many.results.emplace_back(results.back());
    }
    many.statements = write(results);
    out.push_back({statement_.results, If{are_few, std::move(few), std::move(many)}, span_});
    return out;
  }

private:
  // ---- what is taken

  bool match() {
    const Body& body = columns_.body;
    if (!columns_.inputs.empty() || !has_only<MapGroup>(columns_) || body.statements.empty() ||
        may_fail(statement_.operation) || !consumed_values(function_, columns_).empty())
      return false;
    column_ = body.parameters[0];
    const Statement& last = body.statements.back();
    bins_ = std::get_if<Soac>(&last.operation);
    if (!bins_ || !has_only<HistogramGroup>(*bins_) || bins_->groups.empty() ||
        body.results.size() != last.results.size())
      return false;
    for (std::size_t i = 0; i < last.results.size(); ++i)
      if (body.results[i] != Operand(last.results[i])) return false;
    changing_.insert(column_.index);
    for (std::size_t i = 0; i + 1 < body.statements.size(); ++i)
      if (changes(free_values(function_, body.statements[i]))) return false;
    return match_elements() && match_groups();
  }
  /// Whether it is another one for each column.
  bool changes(const Operand& operand) const {
    return operand.is_value() && changing_.contains(operand.value().index);
  }
  bool changes(const std::vector<ValueId>& used) const {
    return std::ranges::any_of(used, [&](ValueId each) { return changes(Operand(each)); });
  }

  /// What changes from column to column is scalar code on what rows have there.
  bool match_elements() {
    if (std::ranges::any_of(bins_->inputs,
                            [&](ValueId input) { return function_.type(input).rank() != 1; }))
      return false;
    const Operand element = bins_->body.parameters[0];
    bool reads_rows = false;
    for (const Statement& each : bins_->body.statements) {
      if (!changes(free_values(function_, each))) continue;
      if (const auto* index = std::get_if<ir::Index>(&each.operation)) {
        if (index->indices != std::vector<Operand>{element, column_} ||
            function_.type(index->array).rank() != 2 || is_inside(index->array))
          return false;
        reads_rows = true;
      } else if (!is_scalar_operation(each.operation)) {
        return false;
      }
      for (const ValueId result : each.results)
        changing_.insert(result.index);
    }
    return reads_rows;
  }
  bool is_inside(ValueId array) const {
    return is_defined_in(columns_.body, array) || is_defined_in(bins_->body, array);
  }

  /// Indices are the same for all columns, operators are scalar code, and values rows.
  bool match_groups() const {
    std::size_t at = 0;
    for (const Group& each : bins_->groups) {
      const auto& group = std::get<HistogramGroup>(each);
      if (group.index_count != 1 || changes(bins_->body.results[at++])) return false;
      for (std::size_t i = 0; i < group.destinations.size(); ++i) {
        if (!group.destinations[i].is_value() ||
            function_.type(group.destinations[i]).rank() != 1 || changes(group.neutral[i]) ||
            !changes(bins_->body.results[at++]))
          return false;
      }
      if (changes(free_values(function_, group.combine)) ||
          !std::ranges::all_of(group.combine.statements, [](const Statement& statement) {
            return is_scalar_operation(statement.operation);
          }))
        return false;
    }
    return true;
  }

  // ---- what is made

  Statements write(const std::vector<ValueId>& results) {
    Statements out;
    std::vector<Replacement> known;
    for (std::size_t i = 0; i + 1 < columns_.body.statements.size(); ++i)
      out.push_back(clone(function_, columns_.body.statements[i], known));
    Soac rows;
    rows.extent = there(bins_->extent, known);
    rows.inputs = bins_->inputs;
    for (ValueId& input : rows.inputs)
      input = there(input, known).value();
    std::vector<ValueId> by_rows;
    for (const Group& each : bins_->groups) {
      const auto& group = std::get<HistogramGroup>(each);
      rows.groups.emplace_back(of_rows(group, known, out, by_rows));
    }
    rows.body = element_rows(rows.inputs, known);
    out.push_back({by_rows, std::move(rows), span_});
    for (std::size_t i = 0; i < results.size(); ++i)
      out.push_back({{results[i]}, Transpose{by_rows[i], {1, 0}}, span_});
    return out;
  }
  static Operand there(const Operand& operand, const std::vector<Replacement>& known) {
    if (operand.is_constant()) return operand;
    const auto found = std::ranges::find(known, operand.value(), &Replacement::first);
    return found == known.end() ? operand : found->second;
  }

  /// The group with rows for numbers; appends what its results are.
  HistogramGroup of_rows(const HistogramGroup& group, const std::vector<Replacement>& known,
                         Statements& out, std::vector<ValueId>& results) {
    HistogramGroup made;
    made.index_count = 1;
    for (std::size_t i = 0; i < group.destinations.size(); ++i) {
      const ValueId bins = there(group.destinations[i], known).value();
      const Operand count = there(function_.type(bins).extents[0], known);
      const Operand neutral = there(group.neutral[i], known);
      made.neutral.emplace_back(
          tabulate({columns_.extent}, out, [&](const auto&, Statements&) { return neutral; }));
      const ValueId spread = tabulate({count, columns_.extent}, out,
                                      [&](const std::vector<ValueId>& at, Statements& inside) {
                                        return Operand(element(bins, {at[0]}, inside));
                                      });
      made.destinations.emplace_back(spread);
      results.push_back(value(function_.type(spread)));
    }
    const Body scalars = clone(function_, group.combine, known);
    Soac map;
    map.extent = columns_.extent;
    map.body.parameters = {value({ElementType::I64, {}})};
    for (const ValueId each : scalars.parameters) {
      const Type type = function_.type(each);
      made.combine.parameters.push_back(value(array_type(columns_.extent, type)));
      map.inputs.push_back(made.combine.parameters.back());
      map.body.parameters.push_back(each);
    }
    map.body.statements = scalars.statements;
    map.body.results = scalars.results;
    add_results(map, made.combine);
    return made;
  }
  /// Ends the body with the map, whose results are its own.
  void add_results(Soac map, Body& body) {
    std::vector<ValueId> results;
    for (const Operand& each : map.body.results) {
      const Type type = function_.type(each);
      results.push_back(value(array_type(columns_.extent, type)));
      body.results.emplace_back(results.back());
      map.groups.emplace_back(MapGroup{});
    }
    body.statements.push_back({std::move(results), std::move(map), span_});
  }

  /// What the body gives for a row; arrays whose rows are read become inputs.
  Body element_rows(std::vector<ValueId>& inputs, const std::vector<Replacement>& outside) {
    Body body;
    std::vector<Replacement> known = outside;
    for (const ValueId each : bins_->body.parameters) {
      body.parameters.push_back(value(function_.type(each)));
      known.emplace_back(each, body.parameters.back());
    }
    Soac map;
    map.extent = columns_.extent;
    map.body.parameters = {value({ElementType::I64, {}})};
    std::vector<Replacement> of_element = {{column_, map.body.parameters[0]}};
    std::vector<std::pair<ValueId, ValueId>> rows; ///< of reads
    for (const Statement& each : bins_->body.statements) {
      if (!changes(free_values(function_, each))) {
        body.statements.push_back(clone(function_, each, known));
      } else if (const auto* index = std::get_if<ir::Index>(&each.operation)) {
        const ValueId row = row_of(index->array, inputs, body);
        const Type type = function_.type(each.results[0]);
        map.inputs.push_back(row);
        map.body.parameters.push_back(value(type));
        of_element.emplace_back(each.results[0], map.body.parameters.back());
        rows.emplace_back(each.results[0], row);
      }
    }
    of_element.insert(of_element.end(), known.begin(), known.end());
    for (const Statement& each : bins_->body.statements)
      if (changes(free_values(function_, each)) &&
          !std::holds_alternative<ir::Index>(each.operation))
        map.body.statements.push_back(clone(function_, each, of_element));
    Body computed;
    for (const Operand& each : bins_->body.results) {
      const auto row =
          std::ranges::find(rows, each, [](const auto& pair) { return Operand(pair.first); });
      if (changes(each) && row == rows.end()) map.body.results.push_back(there(each, of_element));
    }
    const bool is_computed = !map.body.results.empty();
    if (is_computed) add_results(std::move(map), computed);
    std::ranges::move(computed.statements, std::back_inserter(body.statements));
    auto next = computed.results.begin();
    for (const Operand& each : bins_->body.results) {
      const auto row =
          std::ranges::find(rows, each, [](const auto& pair) { return Operand(pair.first); });
      if (!changes(each))
        body.results.push_back(there(each, known));
      else if (row != rows.end())
        body.results.emplace_back(row->second);
      else
        body.results.push_back(*next++);
    }
    return body;
  }
  ValueId row_of(ValueId array, std::vector<ValueId>& inputs, Body& body) {
    const Type type = function_.type(array);
    const Type row{type.element, {type.extents[1]}};
    if (type.extents[0] == bins_->extent) {
      inputs.push_back(array);
      body.parameters.push_back(value(row));
      return body.parameters.back();
    }
    const ValueId view = value(row);
    body.statements.push_back({{view}, ir::Index{array, {body.parameters[0]}}, span_});
    return view;
  }

  const Statement& statement_;
  const Soac& columns_;
  const Soac* bins_ = nullptr;
  ValueId column_;
  std::unordered_set<std::uint32_t> changing_; ///< with the column
};

} // namespace

void combine_column_bins(Function& function) {
  Statements out;
  for (Statement& statement : function.body.statements) {
    std::optional<Statements> written;
    if (std::holds_alternative<Soac>(statement.operation))
      written = ColumnBins(function, statement).combined();
    if (written)
      std::ranges::move(*written, std::back_inserter(out));
    else
      out.push_back(std::move(statement));
  }
  function.body.statements = std::move(out);
}

} // namespace sinter::jit
