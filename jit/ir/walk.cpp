#include "jit/ir/walk.h"

#include <cassert>
#include <unordered_map>

namespace sinter::ir {
namespace {

/// Collects uses of values that are not defined on the way.
class FreeValues {
public:
  explicit FreeValues(const Function& function)
      : function_(function), seen_(function.values.size(), false) {}

  void use(const Operand& operand) {
    if (operand.is_value()) use(operand.value());
  }
  void define(ValueId value) { seen_[value.index] = true; }
  void use_type(ValueId value) {
    for (const Operand& extent : function_.type(value).extents)
      use(extent);
  }
  void operation(const Operation& operation) {
    for_each_operand(operation, [&](const Operand& operand) { use(operand); });
    for_each_body(operation, [&](const Body& inner) { body(inner); });
  }
  /// A statement inside: its results are not free afterwards.
  void statement(const Statement& inner) {
    operation(inner.operation);
    for (ValueId result : inner.results)
      define(result);
    for (ValueId result : inner.results)
      use_type(result);
  }
  void body(const Body& body) {
    for (ValueId parameter : body.parameters)
      define(parameter);
    for (ValueId parameter : body.parameters)
      use_type(parameter);
    for (const Statement& inner : body.statements)
      statement(inner);
    for (const Operand& result : body.results)
      use(result);
  }
  std::vector<ValueId> take() { return std::move(result_); }

private:
  void use(ValueId value) {
    if (seen_[value.index]) return;
    seen_[value.index] = true;
    result_.push_back(value);
  }

  const Function& function_;
  std::vector<bool> seen_; ///< defined inside, or in the result already
  std::vector<ValueId> result_;
};

/// Rewrites uses by a map that may grow on the way.
class Rewriter {
public:
  Rewriter(Function& function, std::span<const Replacement> replacements) : function_(function) {
    for (const Replacement& replacement : replacements)
      map_.insert_or_assign(replacement.first.index, replacement.second);
  }

  void operand(Operand& operand) const {
    if (!operand.is_value()) return;
    const auto found = map_.find(operand.value().index);
    if (found == map_.end()) return;
    operand = found->second;
  }
  void type(ValueId value) {
    for (Operand& extent : function_.values[value.index].type.extents)
      operand(extent);
  }
  void operation(Operation& operation) {
    for_each_operand(operation, [&](Operand& used) { operand(used); });
    for_each_body(operation, [&](Body& inner) { body(inner); });
  }
  void statement(Statement& statement) {
    operation(statement.operation);
    for (ValueId result : statement.results)
      type(result);
  }
  void body(Body& body) {
    for (ValueId parameter : body.parameters)
      type(parameter);
    for (Statement& inner : body.statements)
      statement(inner);
    for (Operand& result : body.results)
      operand(result);
  }

  // Copying: the same walk, but each definition gets a new id first.
  void refresh(std::vector<ValueId>& definitions) {
    for (ValueId& value : definitions) {
      const ValueInfo copy = function_.values[value.index];
      const ValueId fresh = function_.add_value(copy.type, copy.name);
      map_.insert_or_assign(value.index, Operand(fresh));
      value = fresh;
    }
    for (ValueId value : definitions)
      type(value);
  }
  void refresh(Statement& statement) {
    for_each_operand(statement.operation, [&](Operand& used) { operand(used); });
    for_each_body(statement.operation, [&](Body& inner) { refresh(inner); });
    refresh(statement.results);
  }
  void refresh(Body& body) {
    refresh(body.parameters);
    for (Statement& inner : body.statements)
      refresh(inner);
    for (Operand& result : body.results)
      operand(result);
  }

private:
  Function& function_;
  std::unordered_map<std::uint32_t, Operand> map_;
};

} // namespace

std::vector<ValueId> free_values(const Function& function, const Operation& operation) {
  FreeValues walk(function);
  walk.operation(operation);
  return walk.take();
}

std::vector<ValueId> free_values(const Function& function, const Body& body) {
  FreeValues walk(function);
  walk.body(body);
  return walk.take();
}

std::vector<ValueId> free_values(const Function& function, const Statement& statement) {
  FreeValues walk(function);
  walk.statement(statement);
  return walk.take();
}

namespace {

void count_uses(const Function& function, const Body& body, std::vector<std::uint32_t>& uses) {
  const auto use = [&](const Operand& operand) {
    if (operand.is_value()) ++uses[operand.value().index];
  };
  const auto use_type = [&](ValueId value) {
    for (const Operand& extent : function.type(value).extents)
      use(extent);
  };
  for (ValueId parameter : body.parameters)
    use_type(parameter);
  for (const Statement& statement : body.statements) {
    for_each_operand(statement.operation, use);
    for_each_body(statement.operation,
                  [&](const Body& inner) { count_uses(function, inner, uses); });
    for (ValueId result : statement.results)
      use_type(result);
  }
  for (const Operand& result : body.results)
    use(result);
}

} // namespace

std::vector<std::uint32_t> count_uses(const Function& function) {
  std::vector<std::uint32_t> uses(function.values.size(), 0);
  count_uses(function, function.body, uses);
  return uses;
}

bool may_fail(const Operation& operation) {
  if (std::holds_alternative<Check>(operation)) return true;
  bool result = false;
  for_each_body(operation, [&](const Body& body) { result = result || may_fail(body); });
  return result;
}

bool may_fail(const Body& body) {
  return std::ranges::any_of(
      body.statements, [](const Statement& statement) { return may_fail(statement.operation); });
}

std::size_t statement_count(const Body& body) {
  std::size_t count = body.statements.size();
  for (const Statement& statement : body.statements)
    for_each_body(statement.operation, [&](const Body& inner) { count += statement_count(inner); });
  return count;
}

bool is_defined_in(const Body& body, const Operand& operand) {
  if (operand.is_constant()) return false;
  const ValueId value = operand.value();
  return std::ranges::count(body.parameters, value) > 0 ||
         std::ranges::any_of(body.statements, [&](const Statement& statement) {
           return std::ranges::count(statement.results, value) > 0;
         });
}

void replace_uses(Function& function, Body& body, std::span<const Replacement> replacements) {
  Rewriter(function, replacements).body(body);
}

void replace_uses(Function& function, Statement& statement,
                  std::span<const Replacement> replacements) {
  Rewriter(function, replacements).statement(statement);
}

void erase_definitions(Body& body, std::span<const Replacement> values) {
  std::erase_if(body.statements, [&](const Statement& statement) {
    return statement.results.size() == 1 &&
           std::ranges::count(values, statement.results[0], &Replacement::first) > 0;
  });
  for (Statement& statement : body.statements)
    for_each_body(statement.operation, [&](Body& inner) { erase_definitions(inner, values); });
}

Body clone(Function& function, const Body& body, std::vector<Replacement> replacements) {
  Body copy = body;
  Rewriter(function, replacements).refresh(copy);
  return copy;
}

Statement clone(Function& function, const Statement& statement,
                std::vector<Replacement>& replacements) {
  Statement copy = statement;
  Rewriter(function, replacements).refresh(copy);
  for (std::size_t i = 0; i < copy.results.size(); ++i)
    replacements.emplace_back(statement.results[i], Operand(copy.results[i]));
  return copy;
}

} // namespace sinter::ir
