#include "jit/passes/counted_elements.h"

#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

const Statement* definition_in(const std::vector<Statement>& statements, const Operand& operand) {
  if (operand.is_constant()) return nullptr;
  const auto found = std::ranges::find_if(statements, [&](const Statement& statement) {
    return std::ranges::count(statement.results, operand.value()) > 0;
  });
  return found == statements.end() ? nullptr : &*found;
}

const std::vector<Operand>* arguments_of(const std::vector<Statement>& statements,
                                         const Operand& operand, ScalarOperation operation,
                                         ElementType type) {
  const auto* primitive = defining<ir::Primitive>(statements, operand);
  return primitive && primitive->primitive->operation == operation &&
                 primitive->primitive->operand == type
             ? &primitive->arguments
             : nullptr;
}

bool is_one_less(const std::vector<Statement>& statements, const Operand& operand,
                 const Operand& value) {
  if (const auto* sum = arguments_of(statements, operand, ScalarOperation::Add, ElementType::I64))
    return *sum == std::vector{value, Operand::i64(-1)} ||
           *sum == std::vector{Operand::i64(-1), value};
  const auto* rest = arguments_of(statements, operand, ScalarOperation::Subtract, ElementType::I64);
  return rest && *rest == std::vector{value, Operand::i64(1)};
}

namespace {

/// The array whose element at the SOAC's own index the operand is; null if it is none.
const ValueId* array_at_index(const Soac& soac, const Operand& operand) {
  if (operand.is_constant()) return nullptr;
  const auto& parameters = soac.body.parameters;
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (parameters[i + 1] == operand.value()) return &soac.inputs[i];
  const auto* index = defining<Index>(soac.body.statements, operand);
  return index && index->indices == std::vector{Operand(parameters[0])} ? &index->array : nullptr;
}

} // namespace

bool CodeComparison::are_same(const Operand& a, const Operand& b) {
  if (a.is_constant() || b.is_constant()) return a == b;
  // What is used often is compared once; the first difference ends it all.
  const std::pair pair(a.value().index, b.value().index);
  if (known_.contains(pair)) return true;
  if (!are_same_values(a, b)) return false;
  known_.insert(pair);
  return true;
}

bool CodeComparison::are_same_values(const Operand& a, const Operand& b) {
  const ValueId *from = array_at_index(first_, a), *to = array_at_index(second_, b);
  if (from || to) return from && to && *from == *to;
  const bool is_index = a == Operand(first_.body.parameters[0]);
  if (is_index || b == Operand(second_.body.parameters[0]))
    return is_index && b == Operand(second_.body.parameters[0]);
  const Statement* made = definition_in(first_.body.statements, a);
  const Statement* other = definition_in(second_.body.statements, b);
  if (!made || !other) return !made && !other && a == b;
  const auto* primitive = std::get_if<ir::Primitive>(&made->operation);
  const auto* other_primitive = std::get_if<ir::Primitive>(&other->operation);
  if (primitive && other_primitive)
    return primitive->primitive == other_primitive->primitive &&
           std::ranges::equal(primitive->arguments, other_primitive->arguments,
                              [&](const Operand& x, const Operand& y) { return are_same(x, y); });
  const auto* select = std::get_if<Select>(&made->operation);
  const auto* other_select = std::get_if<Select>(&other->operation);
  return select && other_select && are_same(select->condition, other_select->condition) &&
         are_same(select->then_value, other_select->then_value) &&
         are_same(select->else_value, other_select->else_value);
}

std::optional<Operand> counted_number(const Soac& soac, const Group& group,
                                      std::size_t body_result) {
  const auto* scan = std::get_if<ScanGroup>(&group);
  if (!scan || scan->neutral.size() != 1 || !scan->neutral[0].is_constant() ||
      !is_integer(scan->neutral[0].element()) ||
      scan->neutral[0].scalar().as<std::int64_t>() != 0 || !scan->before.empty() ||
      !scan->post.empty())
    return std::nullopt;
  const primitives::Primitive* combine = component_operation(scan->combine, 0);
  if (!combine || combine->operation != ScalarOperation::Add) return std::nullopt;
  return soac.body.results[body_result];
}

Operand counted_condition(const Soac& soac, const Group& group, std::size_t body_result) {
  const Operand none = Operand::i64(0);
  const std::optional<Operand> number = counted_number(soac, group, body_result);
  if (!number) return none;
  const auto& statements = soac.body.statements;
  const Operand& one = *number;
  if (const auto* flag = arguments_of(statements, one, ScalarOperation::Convert, ElementType::Bool))
    return (*flag)[0];
  const auto* select = defining<Select>(statements, one);
  return select && select->then_value == Operand::i64(1) && select->else_value == Operand::i64(0)
             ? select->condition
             : none;
}

const Statement* definition_around(std::span<const Body* const> around, const Operand& operand) {
  for (auto body = around.rbegin(); body != around.rend(); ++body)
    if (const Statement* statement = definition_in((*body)->statements, operand)) return statement;
  return nullptr;
}

namespace {

/// What the test says where the extent is nothing, if that is what it asks.
std::optional<bool> truth_where_empty(const ir::Primitive& test, const Operand& extent) {
  const Operand none = Operand::i64(0);
  const bool is_first = test.arguments == std::vector{extent, none};
  const bool is_second = test.arguments == std::vector{none, extent};
  if (!is_first && !is_second) return std::nullopt;
  switch (test.primitive->operation) {
  case ScalarOperation::Equal:
    return true;
  case ScalarOperation::NotEqual:
    return false;
  case ScalarOperation::Greater:
    return is_first ? std::optional(false) : std::nullopt;
  case ScalarOperation::Less:
    return is_second ? std::optional(false) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

bool is_total_of(std::span<const Body* const> around, const Operand& total, ValueId counts,
                 const Operand& extent) {
  const Statement* statement = definition_around(around, total);
  const auto* branch = statement ? std::get_if<If>(&statement->operation) : nullptr;
  if (!branch) return false;
  const auto at = static_cast<std::size_t>(std::ranges::find(statement->results, total.value()) -
                                           statement->results.begin());
  const Statement* condition = definition_around(around, branch->condition);
  const auto* test = condition ? std::get_if<ir::Primitive>(&condition->operation) : nullptr;
  const std::optional<bool> where_empty = test ? truth_where_empty(*test, extent) : std::nullopt;
  if (!where_empty) return false;
  const Body& of_none = *where_empty ? branch->then_body : branch->else_body;
  const Body& of_some = *where_empty ? branch->else_body : branch->then_body;
  const Operand& none = of_none.results[at];
  if (!none.is_constant() || !is_integer(none.element()) || none.scalar().as<std::int64_t>() != 0)
    return false;
  const auto& inner = of_some.statements;
  const auto* last = defining<Index>(inner, of_some.results[at]);
  const auto is_last = [&](const Body* body) {
    return is_one_less(body->statements, last->indices[0], extent);
  };
  return last && last->array == counts && last->indices.size() == 1 &&
         std::ranges::none_of(inner,
                              [](const Statement& each) { return may_fail(each.operation); }) &&
         (is_last(&of_some) || std::ranges::any_of(around, is_last));
}

bool is_early_code(const Function& function, const Soac& soac) {
  const auto is_whole = [&](ValueId array) {
    const Type& type = function.type(array);
    return type.rank() == 1 && type.extents[0] == soac.extent;
  };
  return std::ranges::all_of(soac.inputs, is_whole) &&
         std::ranges::all_of(soac.body.statements, [&](const Statement& statement) {
           if (const auto* index = std::get_if<Index>(&statement.operation))
             return is_whole(index->array) &&
                    index->indices == std::vector{Operand(soac.body.parameters[0])};
           return std::holds_alternative<ir::Primitive>(statement.operation) ||
                  std::holds_alternative<Select>(statement.operation);
         });
}

} // namespace sinter::jit
