#include "jit/passes/counted_checks.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// On which side of which condition one is added; on the other side it is nothing.
struct Counted {
  Operand condition;
  bool where = true;
};
std::optional<Counted> counted(const RoundValues& values, const Operand& term) {
  const Statement* const made = values.definition(term);
  if (!made) return std::nullopt;
  const auto is = [](const Operand& operand, std::int64_t number) {
    return operand.is_constant() && operand.scalar().as<std::int64_t>() == number;
  };
  if (const auto* const choice = std::get_if<Select>(&made->operation)) {
    if (is(choice->then_value, 1) && is(choice->else_value, 0))
      return Counted{choice->condition, true};
    if (is(choice->then_value, 0) && is(choice->else_value, 1))
      return Counted{choice->condition, false};
  }
  const auto* const primitive = std::get_if<ir::Primitive>(&made->operation);
  if (primitive && primitive->primitive->operation == ScalarOperation::Convert &&
      primitive->primitive->operand == ElementType::Bool)
    return Counted{primitive->arguments[0], true};
  return std::nullopt;
}

/// What the check asks the state to be less than, if that is known outside of the loop.
std::optional<Operand> bound_of(const Check& check, const RoundValues& values, ValueId state) {
  const Statement* const made = values.definition(check.condition);
  const auto* const less = made ? std::get_if<ir::Primitive>(&made->operation) : nullptr;
  if (!less || less->primitive->operation != ScalarOperation::Less ||
      less->primitive->operand != ElementType::I64 || less->arguments[0] != Operand(state) ||
      values.is_inside(less->arguments[1]))
    return std::nullopt;
  return less->arguments[1];
}

} // namespace

std::vector<Operand> take_out_counted_checks(Body& round, const RoundValues& values, ValueId state,
                                             const Operand& term) {
  std::vector<Operand> bounds;
  const std::optional<Counted> counts = counted(values, term);
  if (!counts) return bounds;
  for (Statement& each : round.statements) {
    auto* const choice = std::get_if<If>(&each.operation);
    if (!choice || choice->condition != counts->condition) continue;
    Body& where = counts->where ? choice->then_body : choice->else_body;
    std::erase_if(where.statements, [&](const Statement& inside) {
      const auto* const check = std::get_if<Check>(&inside.operation);
      const std::optional<Operand> bound = check ? bound_of(*check, values, state) : std::nullopt;
      if (bound && std::ranges::count(bounds, *bound) == 0) bounds.push_back(*bound);
      return bound.has_value();
    });
  }
  return bounds;
}

} // namespace sinter::jit
