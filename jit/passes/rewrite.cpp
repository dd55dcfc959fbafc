#include "jit/passes/rewrite.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <cassert>

namespace sinter::jit {

using namespace ir;

// ---- Substitution ------------------------------------------------------------------------------

void Substitution::set(ValueId from, Operand to) {
  if (to == Operand(from)) return;
  for (std::size_t i = to_.size(); i <= from.index; ++i)
    to_.push_back(ValueId{static_cast<std::uint32_t>(i)});
  to_[from.index] = resolve(to);
  assert(to_[from.index] != Operand(from) && "a substitution must not be circular");
  ++count_;
}

Operand Substitution::resolve(Operand operand) const {
  while (operand.is_value() && operand.value().index < to_.size()) {
    const Operand& next = to_[operand.value().index];
    if (next == operand) break;
    operand = next;
  }
  return operand;
}

void Substitution::apply_to_type(Function& function, ValueId value) const {
  for (Operand& extent : function.values[value.index].type.extents)
    extent = resolve(extent);
}

void Substitution::apply_to_head(Function& function, Statement& statement) const {
  for_each_operand(statement.operation, [&](Operand& operand) { operand = resolve(operand); });
  for (ValueId result : statement.results)
    apply_to_type(function, result);
}

void Substitution::apply(Function& function, Statement& statement) const {
  apply_to_head(function, statement);
  for_each_body(statement.operation, [&](Body& body) { apply(function, body); });
}

void Substitution::apply(Function& function, Body& body) const {
  for (ValueId parameter : body.parameters)
    apply_to_type(function, parameter);
  for (Statement& statement : body.statements)
    apply(function, statement);
  for (Operand& result : body.results)
    result = resolve(result);
}

// ---- aliases -----------------------------------------------------------------------------------

AliasClasses::AliasClasses(const Function& function) {
  const std::size_t count = function.values.size();
  parent_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    parent_[i] = static_cast<std::uint32_t>(i);
  consumed_.resize(count, false);
  parameter_.resize(count, false);
  visit(function, function.body);
  for (ValueId parameter : function.body.parameters)
    parameter_[parameter.index] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t root = of(ValueId{static_cast<std::uint32_t>(i)});
    if (consumed_[i]) consumed_[root] = true;
    if (parameter_[i]) parameter_[root] = true;
  }
}

std::uint32_t AliasClasses::of(ValueId value) const {
  if (value.index >= parent_.size()) return value.index; // made since: an array of its own
  std::uint32_t root = value.index;
  while (parent_[root] != root)
    root = parent_[root] = parent_[parent_[root]];
  return root;
}

bool AliasClasses::is_consumed(ValueId value) const {
  const std::uint32_t root = of(value);
  return root < consumed_.size() && consumed_[root];
}

bool AliasClasses::has_parameter(ValueId value) const {
  const std::uint32_t root = of(value);
  return root < parameter_.size() && parameter_[root];
}

void AliasClasses::join(ValueId a, Operand b) {
  if (b.is_value()) parent_[of(a)] = of(b.value());
}

void AliasClasses::visit(const Function& function, const Body& body) {
  for (const Statement& statement : body.statements)
    visit(function, statement);
}

void AliasClasses::visit(const Function& function, const Statement& statement) {
  for_each_body(statement.operation, [&](const Body& body) { visit(function, body); });
  for (ValueId array : directly_consumed(statement.operation))
    consumed_[array.index] = true;
  const auto join_results = [&](const std::vector<Operand>& others) {
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      if (!function.type(statement.results[i]).is_scalar()) join(statement.results[i], others[i]);
  };
  const auto join_state = [&](const Body& body, std::size_t first,
                              const std::vector<Operand>& initial) {
    for (std::size_t i = 0; i < initial.size(); ++i)
      if (!function.type(body.parameters[first + i]).is_scalar())
        join(body.parameters[first + i], initial[i]);
  };
  const ir::Operation& operation = statement.operation;
  if (const auto* o = std::get_if<If>(&operation)) {
    join_results(o->then_body.results);
    join_results(o->else_body.results);
  } else if (const auto* o = std::get_if<For>(&operation)) {
    join_results(o->initial);
    join_results(o->body.results);
    join_state(o->body, 1, o->initial);
  } else if (const auto* o = std::get_if<While>(&operation)) {
    join_results(o->initial);
    join_results(o->body.results);
    join_state(o->body, 0, o->initial);
    join_state(o->condition, 0, o->initial);
  } else if (const auto* o = std::get_if<Stream>(&operation)) {
    join_results(o->initial);
    join_results(o->body.results);
    join_state(o->body, 2, o->initial);
  } else if (const auto* o = std::get_if<Soac>(&operation)) {
    // Elements that are arrays are views of the inputs; destinations become results.
    for (std::size_t i = 0; i < o->inputs.size(); ++i)
      if (!function.type(o->body.parameters[i + 1]).is_scalar())
        join(o->body.parameters[i + 1], o->inputs[i]);
    for_each_group(*o, [&](const Group& group, std::size_t, std::size_t result) {
      for (const Operand& destination : destinations(group))
        join(statement.results[result++], destination);
    });
  } else if (is_view(operation) || row_of(operation).has(laws::Overwrites)) {
    if (!function.type(statement.results[0]).is_scalar())
      join(statement.results[0], source_array(operation));
  }
}

} // namespace sinter::jit
