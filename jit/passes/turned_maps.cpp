#include "jit/passes/turned_maps.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/read_directions.h"
#include "jit/passes/simplify.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;
using Statements = StatementWriter::Statements;

/// What the outer map may compute for a row, in additions: each element computes it then.
constexpr unsigned most_for_row = 16;
/// Fewer rows than this are too few for lanes to go along.
constexpr std::int64_t least_length = 16;

/// A map of maps that may be turned.
struct Nest {
  std::vector<ValueId> results;
  ValueId inner_index;
};

/// A nest's inner map; null if the statement is not a nest of that form.
class NestForm {
public:
  explicit NestForm(const Function& function) : function_(function) {}

  const Statement* inner_of(const Statement& statement) const {
    const auto* const outer = std::get_if<Soac>(&statement.operation);
    if (!outer || !has_only<MapGroup>(*outer) || has_few_rows(*outer)) return nullptr;
    const Statement* inner = nullptr;
    unsigned for_row = 0;
    for (const Statement& each : outer->body.statements) {
      if (std::holds_alternative<Soac>(each.operation)) {
        if (std::exchange(inner, &each)) return nullptr;
      } else if (const auto* check = std::get_if<Check>(&each.operation)) {
        if (is_defined_in(outer->body, check->condition)) return nullptr;
      } else {
        if (inner || !is_light(each) || may_fail(each.operation)) return nullptr;
        for_row += is_strided_view(each.operation) ? 0 : cost(each);
      }
    }
    if (!inner || for_row > most_for_row) return nullptr;
    return is_inner(std::get<Soac>(inner->operation), *inner, outer->body) ? inner : nullptr;
  }

private:
  static bool has_few_rows(const Soac& outer) {
    return outer.extent.is_constant() && outer.extent.scalar().as<std::int64_t>() < least_length;
  }
  bool is_inner(const Soac& inner, const Statement& statement, const Body& around) const {
    const auto is_scalar = [&](const Operand& result) {
      return function_.type(result).is_scalar();
    };
    const auto is_made = [&](const Operand& result) {
      return result.is_value() && std::ranges::count(statement.results, result.value()) > 0;
    };
    return has_only<MapGroup>(inner) && !is_defined_in(around, inner.extent) &&
           std::ranges::all_of(inner.body.results, is_scalar) &&
           std::ranges::all_of(inner.body.statements,
                               [&](const Statement& each) { return is_light_element(each); }) &&
           std::ranges::all_of(around.results, is_made);
  }
  /// Scalar code that reads elements, in loops too: an element is computed once, as before.
  bool is_light_element(const Statement& statement) const {
    const auto* const loop = std::get_if<For>(&statement.operation);
    if (!loop) return is_light(statement);
    const auto is_scalar = [&](ValueId result) { return function_.type(result).is_scalar(); };
    return std::ranges::all_of(statement.results, is_scalar) &&
           std::ranges::all_of(loop->body.statements,
                               [&](const Statement& each) { return is_light_element(each); });
  }
  /// Scalar code that reads elements.
  bool is_light(const Statement& statement) const {
    const ir::Operation& operation = statement.operation;
    if (const auto* choice = std::get_if<If>(&operation)) {
      const auto is_scalar = [&](ValueId result) { return function_.type(result).is_scalar(); };
      const auto is_light_there = [&](const Statement& each) { return is_light(each); };
      return std::ranges::all_of(statement.results, is_scalar) &&
             std::ranges::all_of(choice->then_body.statements, is_light_there) &&
             std::ranges::all_of(choice->else_body.statements, is_light_there);
    }
    return is_scalar_operation(operation) || is_strided_view(operation) ||
           std::holds_alternative<Check>(operation);
  }

  const Function& function_;
};

/// Which nests are worth turning.
class NestFinder {
public:
  explicit NestFinder(const Function& function) : form_(function) { note(function.body); }

  /// By their first results.
  std::unordered_set<std::uint32_t> find(const Function& function) {
    std::unordered_set<std::uint32_t> turned;
    if (nests_.empty()) return turned;
    reads_ = directed_reads(function);
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      readers_[reads_[i].array.index].push_back(i);
      if (reads_[i].index) reads_by_[reads_[i].index->index].push_back(i);
    }
    // From the last one on: what reads a nest's elements has been turned by then, or stays.
    for (auto nest = nests_.rbegin(); nest != nests_.rend(); ++nest)
      if (is_read_across(*nest) && is_not_worse(*nest)) {
        turned.insert(nest->results[0].index);
        for (const std::size_t read : reads_by_[nest->inner_index.index])
          std::swap(reads_[read].direction, reads_[read].if_swapped);
      }
    return turned;
  }

private:
  void note(const Body& body) {
    for (const Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](const Body& inner) { note(inner); });
      if (const Statement* const inner = form_.inner_of(statement))
        nests_.push_back({statement.results, std::get<Soac>(inner->operation).body.parameters[0]});
    }
  }
  bool is_read_across(const Nest& nest) {
    bool is_read = false;
    for (const ValueId result : nest.results)
      for (const std::size_t read : readers_[result.index]) {
        if (reads_[read].direction != Direction::Across || reads_[read].is_in_loop) return false;
        is_read = true;
      }
    return is_read;
  }
  /// Whether it reads no more across than before.
  bool is_not_worse(const Nest& nest) {
    std::size_t before = 0, after = 0;
    for (const std::size_t read : reads_by_[nest.inner_index.index]) {
      before += reads_[read].direction == Direction::Across ? 1 : 0;
      after += reads_[read].if_swapped == Direction::Across ? 1 : 0;
    }
    return after <= before;
  }

  const NestForm form_;
  std::vector<Nest> nests_; ///< in order
  std::vector<DirectedRead> reads_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> readers_;  ///< by array
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> reads_by_; ///< by the SOAC's index
};

class Turner {
public:
  Turner(Function& function, const std::unordered_set<std::uint32_t>& turned)
      : function_(function), turned_(turned) {}

  void body(Body& body) {
    Statements before = std::move(body.statements), out;
    for (Statement& statement : before) {
      if (!statement.results.empty() && turned_.contains(statement.results[0].index)) {
        turn(std::move(statement), out);
        continue;
      }
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      out.push_back(std::move(statement));
    }
    body.statements = std::move(out);
  }

private:
  void turn(Statement statement, Statements& out) {
    StatementWriter writer(function_, statement.span);
    Soac outer = std::get<Soac>(std::move(statement.operation));
    Soac inner;
    std::vector<ValueId> made;
    Statements code;
    read_by_index(outer, statement.span, code);
    for (Statement& each : outer.body.statements) {
      if (auto* const check = std::get_if<Check>(&each.operation)) {
        // It is there for each row: not if there is none.
        const Operand is_empty =
            writer.scalar(ScalarOperation::LessEqual, outer.extent, Operand::i64(0), out);
        check->condition = writer.scalar(row(ScalarOperation::Or, ElementType::Bool),
                                         {is_empty, check->condition}, out);
        out.push_back(std::move(each));
      } else if (auto* const soac = std::get_if<Soac>(&each.operation)) {
        inner = std::move(*soac);
        made = std::move(each.results);
      } else {
        code.push_back(std::move(each));
      }
    }
    read_by_index(inner, statement.span, code);
    std::ranges::move(inner.body.statements, std::back_inserter(code));
    inner.body.statements = std::move(code);
    write(std::move(statement), std::move(outer), std::move(inner), made, out);
  }

  /// The inputs' elements, and no inputs.
  static void read_by_index(Soac& soac, Span span, Statements& out) {
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      out.push_back({{soac.body.parameters[i + 1]},
                     ir::Index{soac.inputs[i], {soac.body.parameters[0]}},
                     span});
    soac.inputs.clear();
    soac.body.parameters.resize(1);
  }

  /// `made` are the rows that the inner map has made.
  void write(Statement statement, Soac outer, Soac inner, const std::vector<ValueId>& made,
             Statements& out) {
    std::swap(outer.extent, inner.extent);
    std::swap(outer.body.parameters, inner.body.parameters);
    std::vector<Operand> elements;
    std::vector<ValueId> rows, columns;
    for (const Operand& result : outer.body.results) {
      const auto at = std::ranges::find(made, result.value()) - made.begin();
      elements.push_back(inner.body.results[static_cast<std::size_t>(at)]);
      const ElementType element = function_.type(result).element;
      rows.push_back(function_.add_value({element, {inner.extent}}));
      columns.push_back(function_.add_value({element, {outer.extent, inner.extent}}));
    }
    inner.body.results = std::move(elements);
    inner.groups.assign(rows.size(), MapGroup{});
    outer.groups = inner.groups;
    outer.body.results.assign(rows.begin(), rows.end());
    outer.body.statements.clear();
    outer.body.statements.push_back({rows, std::move(inner), statement.span});
    out.push_back({columns, std::move(outer), statement.span});
    for (std::size_t i = 0; i < columns.size(); ++i)
      out.push_back({{statement.results[i]}, Transpose{columns[i], {1, 0}}, statement.span});
  }

  Function& function_;
  const std::unordered_set<std::uint32_t>& turned_;
};

} // namespace

void turn_maps(Function& function) {
  const std::unordered_set<std::uint32_t> turned = NestFinder(function).find(function);
  if (turned.empty()) return;
  Turner(function, turned).body(function.body);
  simplify(function);
  remove_dead_code(function);
}

} // namespace sinter::jit
