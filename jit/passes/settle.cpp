#include "jit/passes/settle.h"

#include "jit/ir/walk.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;

/// Fewer rounds than that are written out, if their number is known.
constexpr std::int64_t few_rounds = 16;
/// Statements of a condition that a round may compute again.
constexpr std::size_t most_of_condition = 16;

/// What a round does while the loop goes on.
struct Round {
  Operand condition; ///< a value of the loop's body
  bool goes_on_where = true;
  std::vector<Operand> next; ///< the state then
  /// Whose branch that is; otherwise all of the body's statements are.
  const If* choice = nullptr;
};

bool is_cheap_scalar(const Statement& statement) {
  return std::holds_alternative<ir::Primitive>(statement.operation) ||
         std::holds_alternative<Select>(statement.operation);
}

class Settler {
public:
  explicit Settler(Function& function) : function_(function) {}

  void run() { body(function_.body, /*is_inside=*/false); }

private:
  /// From the inside out.
  void body(Body& body, bool is_inside) {
    for (Statement& statement : body.statements) {
      const bool is_soac = std::holds_alternative<Soac>(statement.operation);
      for_each_body(statement.operation,
                    [&](Body& inner) { this->body(inner, is_inside || is_soac); });
      // The host's own loops of launches have better ways (jit/runtime).
      if (is_inside) settle(statement);
    }
  }

  bool are_scalars(const std::vector<ValueId>& values) const {
    return std::ranges::all_of(values,
                               [&](ValueId value) { return function_.type(value).is_scalar(); });
  }

  void settle(Statement& statement) {
    const auto* loop = std::get_if<For>(&statement.operation);
    if (!loop || loop->initial.empty() || !are_scalars(loop->body.parameters)) return;
    if (loop->bound.is_constant() && loop->bound.scalar().as<std::int64_t>() <= few_rounds) return;
    definitions_.clear();
    for (const Statement& inner : loop->body.statements)
      for (ValueId result : inner.results)
        definitions_[result.index] = &inner;
    const std::optional<Round> round = round_of(*loop);
    if (!round || round->condition.is_constant()) return;
    std::optional<std::vector<Statement>> condition = condition_of(*loop, round->condition);
    if (condition) write(statement, *loop, *round, std::move(*condition));
  }

  const Statement* definition(const Operand& operand) const {
    if (operand.is_constant()) return nullptr;
    const auto found = definitions_.find(operand.value().index);
    return found == definitions_.end() ? nullptr : found->second;
  }

  std::optional<Round> round_of(const For& loop) const {
    if (loop.body.statements.empty()) return std::nullopt;
    const Statement& last = loop.body.statements.back();
    if (const auto* choice = std::get_if<If>(&last.operation))
      return by_branch(loop, last, *choice);
    if (may_fail(loop.body)) return std::nullopt;
    return by_selection(loop);
  }

  /// Each number of the state is handed on as it is, or selected by the one condition.
  std::optional<Round> by_selection(const For& loop) const {
    std::optional<Round> round;
    std::vector<Operand> next;
    for (std::size_t i = 0; i < loop.initial.size(); ++i) {
      const Operand& result = loop.body.results[i];
      const Operand parameter = loop.body.parameters[1 + i];
      if (result == parameter) {
        next.push_back(result);
        continue;
      }
      const Statement* definition = this->definition(result);
      const auto* select = definition ? std::get_if<Select>(&definition->operation) : nullptr;
      if (!select) {
        // A count of the rounds that the condition holds in: in each that there is, it does.
        const std::optional<Operand> condition = counted(definition, parameter);
        if (!condition) return std::nullopt;
        if (!round) round = Round{*condition, true, {}, nullptr};
        if (*condition != round->condition || !round->goes_on_where) return std::nullopt;
        next.push_back(result);
        continue;
      }
      const bool stays_otherwise = select->else_value == parameter;
      if (!stays_otherwise && select->then_value != parameter) return std::nullopt;
      if (!round) round = Round{select->condition, stays_otherwise, {}, nullptr};
      if (select->condition != round->condition || stays_otherwise != round->goes_on_where)
        return std::nullopt;
      next.push_back(stays_otherwise ? select->then_value : select->else_value);
    }
    if (round) round->next = std::move(next);
    return round;
  }

  /// The condition, if it is the state and one more where that holds.
  std::optional<Operand> counted(const Statement* definition, const Operand& state) const {
    const auto* const sum =
        definition ? std::get_if<ir::Primitive>(&definition->operation) : nullptr;
    if (!sum || sum->primitive->operation != ScalarOperation::Add ||
        !is_integer(sum->primitive->operand))
      return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const Statement* const other = this->definition(sum->arguments[1 - side]);
      const auto* const convert = other ? std::get_if<ir::Primitive>(&other->operation) : nullptr;
      if (sum->arguments[side] == state && convert &&
          convert->primitive->operation == ScalarOperation::Convert &&
          convert->primitive->operand == ElementType::Bool)
        return convert->arguments[0];
    }
    return std::nullopt;
  }

  /// The last statement has a branch that hands all of the state on.
  std::optional<Round> by_branch(const For& loop, const Statement& last, const If& choice) const {
    const auto before = std::span(loop.body.statements).first(loop.body.statements.size() - 1);
    if (std::ranges::any_of(before, [](const Statement& s) { return may_fail(s.operation); }))
      return std::nullopt;
    const auto stays_in = [&](const Body& branch) {
      if (!branch.statements.empty()) return false;
      for (std::size_t i = 0; i < loop.initial.size(); ++i)
        if (of_branch(last, branch, loop.body.results[i]) != Operand(loop.body.parameters[1 + i]))
          return false;
      return true;
    };
    Round round{choice.condition, stays_in(choice.else_body), {}, &choice};
    if (!round.goes_on_where && !stays_in(choice.then_body)) return std::nullopt;
    const Body& branch = round.goes_on_where ? choice.then_body : choice.else_body;
    for (const Operand& result : loop.body.results)
      round.next.push_back(of_branch(last, branch, result));
    return round;
  }

  /// What the operand is if that branch of `last` runs.
  static Operand of_branch(const Statement& last, const Body& branch, const Operand& operand) {
    if (operand.is_constant()) return operand;
    const auto found = std::ranges::find(last.results, operand.value());
    if (found == last.results.end()) return operand;
    return branch.results[static_cast<std::size_t>(found - last.results.begin())];
  }

  /// The statements of the body that compute it from the state alone; nothing if there are others.
  std::optional<std::vector<Statement>> condition_of(const For& loop,
                                                     const Operand& condition) const {
    std::vector<Statement> statements =
        statements_needed(function_, loop.body, std::span(&condition, 1));
    if (statements.size() > most_of_condition || !std::ranges::all_of(statements, is_cheap_scalar))
      return std::nullopt;
    const std::vector<ValueId> used = free_values(function_, Body{{}, statements, {condition}});
    const auto is_used = [&](ValueId value) { return std::ranges::count(used, value) > 0; };
    const std::vector<ValueId>& parameters = loop.body.parameters;
    if (is_used(parameters[0]) || std::none_of(parameters.begin() + 1, parameters.end(), is_used))
      return std::nullopt;
    return statements;
  }

  void write(Statement& statement, const For& loop, const Round& round,
             std::vector<Statement> condition) {
    StatementWriter writer(function_, statement.span);
    const auto truth = [&](ScalarOperation operation) -> const primitives::Primitive& {
      return row(operation, ElementType::Bool);
    };
    // The round's number becomes the last of the state.
    const auto with_number = [&](const Body& of) {
      std::vector<ValueId> parameters(of.parameters.begin() + 1, of.parameters.end());
      parameters.push_back(of.parameters[0]);
      return parameters;
    };

    While result;
    result.initial = loop.initial;
    result.initial.emplace_back(Operand::constant(loop.index_type, Scalar::of<std::int64_t>(0)));

    Body goes_on{loop.body.parameters, std::move(condition), {}};
    Operand moves = round.condition;
    if (!round.goes_on_where)
      moves = writer.scalar(truth(ScalarOperation::Complement), {moves}, goes_on.statements);
    const Operand is_left =
        writer.scalar(row(ScalarOperation::Less, loop.index_type),
                      {loop.body.parameters[0], loop.bound}, goes_on.statements);
    goes_on.results = {
        writer.scalar(truth(ScalarOperation::And), {is_left, moves}, goes_on.statements)};
    result.condition = clone(function_, goes_on);
    result.condition.parameters = with_number(result.condition);

    Body does{loop.body.parameters, loop.body.statements, round.next};
    if (round.choice) {
      const Body branch = round.goes_on_where ? round.choice->then_body : round.choice->else_body;
      does.statements.pop_back();
      does.statements.insert(does.statements.end(), branch.statements.begin(),
                             branch.statements.end());
    }
    does.results.push_back(writer.scalar(
        row(ScalarOperation::Add, loop.index_type),
        {loop.body.parameters[0], Operand::constant(loop.index_type, Scalar::of<std::int64_t>(1))},
        does.statements));
    result.body = clone(function_, does);
    result.body.parameters = with_number(result.body);

    statement.results.push_back(writer.value({loop.index_type, {}}));
    statement.operation = std::move(result);
  }

  Function& function_;
  std::unordered_map<std::uint32_t, const Statement*> definitions_; ///< of the loop's body
};

} // namespace

void settle_loops(Function& function) {
  Settler(function).run();
}

} // namespace sinter::jit
