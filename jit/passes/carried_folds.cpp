#include "jit/passes/carried_folds.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/index_reads.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;
using Statements = StatementWriter::Statements;

/// With fewer rounds there is none before another.
constexpr std::int64_t least_rounds = 2;
/// What a fold of a round may do for an element, in additions: the last one is in vain.
constexpr unsigned most_of_fold = 40;
/// Statements of what two SOACs become.
constexpr std::size_t most_statements = 200;

/// Whether a body is a little scalar code.
bool is_light(const Body& body) {
  unsigned sum = 0;
  for (const Statement& statement : body.statements) {
    if (!is_scalar_operation(statement.operation) &&
        !std::holds_alternative<ir::Index>(statement.operation))
      return false;
    sum += cost(statement);
  }
  return sum <= most_of_fold;
}

/// The body's statement whose map the result is, if that only maps and folds.
const Statement* map_of(const Body& body, const Operand& result) {
  for (const Statement& statement : body.statements) {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (!soac || std::ranges::count(statement.results, result.value()) == 0) continue;
    bool is_map = false;
    for_each_group(*soac, [&](const Group& group, std::size_t, std::size_t at) {
      if (std::holds_alternative<MapGroup>(group) && Operand(statement.results[at]) == result)
        is_map = true;
    });
    return is_map && has_only<MapGroup, ReduceGroup>(*soac) ? &statement : nullptr;
  }
  return nullptr;
}

/// A loop, as far as those with a number of rounds and those with a condition are alike.
struct Rounds {
  std::vector<Operand>& initial;
  Body& body;
  /// The body whose folds are looked for, and the first of its parameters that is state.
  Body& place;
  std::size_t first = 0;

  ValueId state(std::size_t position) const { return place.parameters[first + position]; }
  std::optional<std::size_t> position_of(ValueId state) const {
    const auto begin = place.parameters.begin() + static_cast<std::ptrdiff_t>(first);
    const auto at = std::find(begin, place.parameters.end(), state);
    if (at == place.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(at - begin);
  }
  std::vector<Replacement> states_as(const std::vector<Operand>& values) const {
    std::vector<Replacement> result;
    for (std::size_t i = 0; i < values.size(); ++i)
      result.emplace_back(state(i), values[i]);
    return result;
  }
};

class FoldCarrier {
public:
  explicit FoldCarrier(Function& function) : function_(function) {}

  /// From the inside out.
  void body(Body& body) {
    Statements result;
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (auto* loop = std::get_if<For>(&statement.operation))
        carry(*loop, statement, result);
      else if (auto* loop = std::get_if<While>(&statement.operation))
        carry(*loop, statement, result);
      result.push_back(std::move(statement));
    }
    body.statements = std::move(result);
  }

private:
  void carry(For& loop, Statement& statement, Statements& before) {
    const bool is_known = loop.bound.is_constant();
    if (is_known && loop.bound.scalar().as<std::int64_t>() < least_rounds) return;
    const Rounds rounds{loop.initial, loop.body, loop.body, 1};
    for (Statement& fold : take_folds(statement, rounds, /*last_is_in_vain=*/true)) {
      Statement first = next(fold, rounds, statement);
      if (!is_known) first = if_any(loop, std::move(first), before);
      loop.initial.insert(loop.initial.end(), first.results.begin(), first.results.end());
      before.push_back(std::move(first));
      loop.body.parameters.insert(loop.body.parameters.end(), fold.results.begin(),
                                  fold.results.end());
    }
  }

  void carry(While& loop, Statement& statement, Statements& before) {
    const Rounds rounds{loop.initial, loop.body, loop.condition, 0};
    for (Statement& fold : take_folds(statement, rounds, /*last_is_in_vain=*/false)) {
      Statement first = next(fold, rounds, statement);
      loop.initial.insert(loop.initial.end(), first.results.begin(), first.results.end());
      before.push_back(std::move(first));
      loop.condition.parameters.insert(loop.condition.parameters.end(), fold.results.begin(),
                                       fold.results.end());
      for (ValueId result : fold.results)
        loop.body.parameters.push_back(fresh(result));
    }
  }

  /// Folds of what a round begins with, where the round before makes that by a map.
  std::vector<Statement> take_folds(const Statement& loop, const Rounds& rounds,
                                    bool last_is_in_vain) const {
    const std::vector<ValueId> outside = free_values(function_, loop.operation);
    std::vector<Statement>& statements = rounds.place.statements;
    std::vector<bool> are_carried;
    bool is_after_checks = false;
    for (const Statement& statement : statements) {
      are_carried.push_back(is_carried(statement, rounds, outside, last_is_in_vain) &&
                            !(is_after_checks && reads_elsewhere(statement, rounds)));
      is_after_checks = is_after_checks || may_fail(statement.operation);
    }
    std::vector<Statement> folds, others;
    for (std::size_t i = 0; i < statements.size(); ++i)
      (are_carried[i] ? folds : others).push_back(std::move(statements[i]));
    statements = std::move(others);
    return folds;
  }

  bool is_carried(const Statement& statement, const Rounds& rounds,
                  std::span<const ValueId> outside, bool last_is_in_vain) const {
    const auto* fold = std::get_if<Soac>(&statement.operation);
    if (!fold || !has_only<ReduceGroup>(*fold) || !are_scalars(statement.results) ||
        may_fail(statement.operation) || (last_is_in_vain && !is_light(fold->body)))
      return false;
    // But the states that it goes along, all is known before the loop.
    const Statement* maker = nullptr;
    for (ValueId value : free_values(function_, statement)) {
      if (std::ranges::count(outside, value) > 0) continue;
      const std::optional<std::size_t> state = rounds.position_of(value);
      if (!state || !goes_along(*fold, value)) return false;
      const Statement* const map = map_of(rounds.body, rounds.body.results[*state]);
      if (!map || (maker && map != maker)) return false;
      maker = map;
    }
    return maker && goes_with(*fold, std::get<Soac>(maker->operation));
  }

  /// Whether the fold reads elements of other arrays than those that it goes along: a check may
  /// stand before it that they are there.
  static bool reads_elsewhere(const Statement& fold, const Rounds& rounds) {
    return std::ranges::any_of(std::get<Soac>(fold.operation).body.statements,
                               [&](const Statement& statement) {
                                 const auto* read = std::get_if<ir::Index>(&statement.operation);
                                 return (read && !rounds.position_of(read->array)) ||
                                        (!read && !is_scalar_operation(statement.operation));
                               });
  }

  bool goes_along(const Soac& fold, ValueId array) const {
    bool is_element = true;
    const auto note = [&](const Operand& operand) {
      is_element = is_element && operand != Operand(array);
    };
    for (const Group& group : fold.groups) {
      for_each_operand(group, note);
      for_each_body(group, [&](const Body& operation) {
        for (ValueId value : free_values(function_, operation))
          note(value);
      });
    }
    return is_element && function_.type(array).rank() == 1 &&
           is_only_read_at(fold.body, array, fold.body.parameters[0]);
  }

  static bool goes_with(const Soac& fold, const Soac& map) {
    return fold.extent == map.extent &&
           statement_count(fold.body) + statement_count(map.body) <= most_statements;
  }

  /// Adds the fold to what a round makes, and its results to the loop's: what gives them before the
  /// first round.
  Statement next(const Statement& fold, const Rounds& rounds, Statement& loop) {
    std::vector<Replacement> as_first = rounds.states_as(rounds.initial);
    std::vector<Replacement> as_next = rounds.states_as(rounds.body.results);
    Statement first = clone(function_, fold, as_first);
    Statement later = clone(function_, fold, as_next);
    for (ValueId result : later.results) {
      rounds.body.results.emplace_back(result);
      loop.results.push_back(fresh(result));
    }
    rounds.body.statements.push_back(std::move(later));
    return first;
  }

  /// The fold where the loop has rounds; nobody reads what it gives otherwise.
  Statement if_any(const For& loop, Statement fold, Statements& before) {
    StatementWriter writer(function_, fold.span);
    const Operand none = Operand::constant(loop.index_type, Scalar{});
    If any;
    any.condition =
        writer.scalar(row(ScalarOperation::Less, loop.index_type), {none, loop.bound}, before);
    Statement statement;
    for (ValueId result : fold.results) {
      any.then_body.results.emplace_back(result);
      statement.results.push_back(fresh(result));
    }
    for (const Group& group : std::get<Soac>(fold.operation).groups)
      std::ranges::copy(std::get<ReduceGroup>(group).neutral,
                        std::back_inserter(any.else_body.results));
    any.then_body.statements.push_back(std::move(fold));
    statement.operation = std::move(any);
    return statement;
  }

  bool are_scalars(const std::vector<ValueId>& values) const {
    return std::ranges::all_of(values,
                               [&](ValueId value) { return function_.type(value).is_scalar(); });
  }
  ValueId fresh(ValueId like) { return function_.add_value(function_.type(like)); }

  Function& function_;
};

} // namespace

void carry_folds(Function& function) {
  FoldCarrier(function).body(function.body);
}

} // namespace sinter::jit
