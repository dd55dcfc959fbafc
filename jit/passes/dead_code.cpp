#include "jit/passes/dead_code.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Where a value is defined.
struct Definition {
  const Statement* statement = nullptr; ///< null: a parameter of the function
  const Body* body = nullptr;           ///< of a parameter: whose; else null
  std::size_t position = 0;             ///< among the results, or the parameters
};

/// Finds the values that are needed.
class Marker {
public:
  explicit Marker(const Function& function)
      : function_(function), definitions_(function.values.size()),
        needed_(function.values.size(), false) {}

  std::vector<bool> run() {
    note(function_.body, nullptr);
    need_roots(function_.body);
    for (const Operand& result : function_.body.results)
      need(result);
    while (!work_.empty()) {
      const ValueId value = work_.back();
      work_.pop_back();
      follow(value);
    }
    return std::move(needed_);
  }

private:
  void note(const Body& body, const Statement* owner) {
    for (std::size_t i = 0; i < body.parameters.size(); ++i)
      definitions_[body.parameters[i].index] = {owner, &body, i};
    for (const Statement& statement : body.statements) {
      for (std::size_t i = 0; i < statement.results.size(); ++i)
        definitions_[statement.results[i].index] = {&statement, nullptr, i};
      for_each_body(statement.operation, [&](const Body& inner) { note(inner, &statement); });
    }
  }

  /// Parameters of the function, checks, and what decides whether they are reached.
  void need_roots(const Body& body) {
    for (ValueId parameter : function_.body.parameters)
      need(parameter);
    need_checks(body);
  }
  bool need_checks(const Body& body) {
    bool any = false;
    for (const Statement& statement : body.statements) {
      if (const auto* check = std::get_if<Check>(&statement.operation)) {
        need(check->condition);
        any = true;
      }
      bool inside = false;
      for_each_body(statement.operation,
                    [&](const Body& inner) { inside = need_checks(inner) || inside; });
      if (inside) need_control(statement);
      any = any || inside;
    }
    return any;
  }
  /// What decides how often the statement's bodies run.
  void need_control(const Statement& statement) {
    if (const auto* choice = std::get_if<If>(&statement.operation)) need(choice->condition);
    if (const auto* loop = std::get_if<For>(&statement.operation)) need(loop->bound);
    if (const auto* loop = std::get_if<While>(&statement.operation))
      need(loop->condition.results[0]);
    if (const auto* stream = std::get_if<Stream>(&statement.operation)) need(stream->extent);
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) need(soac->extent);
  }

  void need(const Operand& operand) {
    if (!operand.is_value() || needed_[operand.value().index]) return;
    needed_[operand.value().index] = true;
    work_.push_back(operand.value());
  }
  void need(const std::vector<Operand>& operands) {
    for (const Operand& operand : operands)
      need(operand);
  }

  void follow(ValueId value) {
    need(function_.type(value).extents);
    const Definition& definition = definitions_[value.index];
    if (!definition.statement) return;
    need_control(*definition.statement);
    if (definition.body)
      follow_parameter(*definition.statement, *definition.body, definition.position);
    else
      follow_result(*definition.statement, definition.position);
  }

  void follow_state(const std::vector<Operand>& initial, const Statement& loop, const Body& body,
                    std::size_t position) {
    need(initial[position]);
    need(body.results[position]);
    // The state before, the result and the parameter are one thing.
    need(loop.results[position]);
    need(body.parameters[body.parameters.size() - initial.size() + position]);
  }

  void follow_parameter(const Statement& statement, const Body& body, std::size_t position) {
    if (const auto* loop = std::get_if<For>(&statement.operation)) {
      if (position > 0) follow_state(loop->initial, statement, loop->body, position - 1);
    } else if (const auto* loop = std::get_if<While>(&statement.operation)) {
      follow_state(loop->initial, statement, loop->body, position);
    } else if (const auto* stream = std::get_if<Stream>(&statement.operation)) {
      if (position > 1) follow_state(stream->initial, statement, stream->body, position - 2);
    } else if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      if (&body == &soac->body && position > 0) need(soac->inputs[position - 1]);
    }
  }

  void follow_result(const Statement& statement, std::size_t position) {
    if (const auto* choice = std::get_if<If>(&statement.operation)) {
      need(choice->then_body.results[position]);
      need(choice->else_body.results[position]);
    } else if (const auto* loop = std::get_if<For>(&statement.operation)) {
      follow_state(loop->initial, statement, loop->body, position);
    } else if (const auto* loop = std::get_if<While>(&statement.operation)) {
      follow_state(loop->initial, statement, loop->body, position);
    } else if (const auto* stream = std::get_if<Stream>(&statement.operation)) {
      follow_state(stream->initial, statement, stream->body, position);
    } else if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      for_each_group(*soac, [&](const Group& group, std::size_t from, std::size_t to) {
        const GroupArity size = arity(group);
        if (position < to || position >= to + size.results) return;
        for (std::size_t i = 0; i < size.body_results; ++i)
          need(soac->body.results[from + i]);
        for_each_operand(group, [&](const Operand& operand) { need(operand); });
        for_each_body(group, [&](const Body& combine) { need(combine.results); });
        // A group stands or falls as a whole.
        for (std::size_t i = 0; i < size.results; ++i)
          need(statement.results[to + i]);
      });
    } else {
      for_each_operand(statement.operation, [&](const Operand& operand) { need(operand); });
    }
  }

  const Function& function_;
  std::vector<Definition> definitions_;
  std::vector<bool> needed_;
  std::vector<ValueId> work_;
};

/// Removes what was not marked.
class Sweeper {
public:
  explicit Sweeper(const std::vector<bool>& needed) : needed_(needed) {}

  void body(Body& body) {
    std::erase_if(body.statements, [&](const Statement& statement) {
      return std::none_of(statement.results.begin(), statement.results.end(),
                          [&](ValueId result) { return is_needed(result); }) &&
             !may_fail(statement.operation);
    });
    for (Statement& statement : body.statements) {
      prune(statement);
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    }
  }

private:
  bool is_needed(ValueId value) const { return needed_[value.index]; }

  template <typename T>
  static void erase(std::vector<T>& from, std::size_t position, std::size_t count = 1) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(position);
    from.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  }

  void prune(Statement& statement) const {
    if (auto* choice = std::get_if<If>(&statement.operation)) {
      for (std::size_t i = statement.results.size(); i-- > 0;) {
        if (is_needed(statement.results[i])) continue;
        erase(statement.results, i);
        erase(choice->then_body.results, i);
        erase(choice->else_body.results, i);
      }
    } else if (auto* loop = std::get_if<For>(&statement.operation)) {
      prune_state(statement, loop->initial, loop->body, 1, nullptr);
    } else if (auto* loop = std::get_if<While>(&statement.operation)) {
      prune_state(statement, loop->initial, loop->body, 0, &loop->condition);
    } else if (auto* stream = std::get_if<Stream>(&statement.operation)) {
      prune_state(statement, stream->initial, stream->body, 2, nullptr);
    } else if (auto* soac = std::get_if<Soac>(&statement.operation)) {
      prune_groups(statement, *soac);
      for (std::size_t i = soac->inputs.size(); i-- > 0;) {
        if (is_needed(soac->body.parameters[i + 1])) continue;
        erase(soac->inputs, i);
        erase(soac->body.parameters, i + 1);
      }
    }
  }

  void prune_state(Statement& statement, std::vector<Operand>& initial, Body& body,
                   std::size_t first, Body* other) const {
    for (std::size_t i = initial.size(); i-- > 0;) {
      if (is_needed(statement.results[i])) continue;
      erase(statement.results, i);
      erase(initial, i);
      erase(body.parameters, first + i);
      erase(body.results, i);
      if (other) erase(other->parameters, i);
    }
  }

  void prune_groups(Statement& statement, Soac& soac) const {
    std::vector<Group> groups;
    std::vector<Operand> body_results;
    std::vector<ValueId> results;
    for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
      if (!is_needed(statement.results[to])) return;
      const GroupArity size = arity(group);
      for (std::size_t i = 0; i < size.body_results; ++i)
        body_results.push_back(soac.body.results[from + i]);
      for (std::size_t i = 0; i < size.results; ++i)
        results.push_back(statement.results[to + i]);
      groups.push_back(std::move(group));
    });
    soac.groups = std::move(groups);
    soac.body.results = std::move(body_results);
    statement.results = std::move(results);
  }

  const std::vector<bool>& needed_;
};

} // namespace

void remove_dead_code(Function& function) {
  const std::vector<bool> needed = Marker(function).run();
  Sweeper(needed).body(function.body);
}

std::vector<Statement> statements_needed(const Function& function, const Body& body,
                                         std::span<const Operand> operands) {
  std::unordered_set<std::uint32_t> needed;
  for (const Operand& operand : operands)
    if (operand.is_value()) needed.insert(operand.value().index);
  std::vector<Statement> statements;
  for (auto each = body.statements.rbegin(); each != body.statements.rend(); ++each) {
    if (std::ranges::none_of(each->results,
                             [&](ValueId result) { return needed.contains(result.index); }))
      continue;
    for (const ValueId used : free_values(function, *each))
      needed.insert(used.index);
    statements.push_back(*each);
  }
  std::ranges::reverse(statements);
  return statements;
}

} // namespace sinter::jit
