#include "jit/passes/known_scalars.h"

#include "jit/passes/algebra.h"

#include <array>

namespace sinter::jit {

using namespace ir;

namespace {

/// What the condition that the statement computes is, if that is known.
std::optional<bool> known_condition(const Statement& statement, Facts& facts) {
  // It is defined first, so that the facts can look inside; what stays is noted later.
  const Facts::Mark mark = facts.mark();
  facts.define(statement);
  const auto known = facts.decide(statement.results[0]);
  facts.back_to(mark);
  return known;
}

/// The lesser or greater of two numbers whose order is known.
std::optional<Operand> known_extreme(const ir::Primitive& primitive, Facts& facts) {
  const bool is_minimum = primitive.primitive->operation == primitives::Operation::Minimum;
  if (!is_minimum && primitive.primitive->operation != primitives::Operation::Maximum)
    return std::nullopt;
  const Operand &a = primitive.arguments[0], &b = primitive.arguments[1];
  if (facts.is_at_most(a, b)) return is_minimum ? a : b;
  if (facts.is_at_most(b, a)) return is_minimum ? b : a;
  return std::nullopt;
}

/// What is left of a number by division, where that is the number.
std::optional<Operand> known_remainder(const ir::Primitive& primitive, Facts& facts) {
  const auto operation = primitive.primitive->operation;
  if (operation != primitives::Operation::Modulo && operation != primitives::Operation::Remainder)
    return std::nullopt;
  if (!is_signed(primitive.primitive->operand)) return std::nullopt;
  const Operand &dividend = primitive.arguments[0], &divisor = primitive.arguments[1];
  return facts.is_within(dividend, divisor) ? std::optional(dividend) : std::nullopt;
}

/// A division of which something goes without a rest: `mod (i + n - 1) n` is `mod (i - 1) n`.
std::optional<Simpler> lesser_dividend(const ir::Primitive& primitive, Knowledge& known) {
  const auto& op = *primitive.primitive;
  if (op.operation != primitives::Operation::Modulo || op.operand != ElementType::I64)
    return std::nullopt;
  const auto rest = known.facts.without_multiples(primitive.arguments[0], primitive.arguments[1]);
  if (!rest) return std::nullopt;
  const ValueId sum = known.function.add_value({ElementType::I64, {}});
  Statement addition{{sum},
                     ir::Primitive{&row(primitives::Operation::Add, ElementType::I64),
                                   {rest->first, Operand::i64(rest->second)}},
                     {}};
  return Simpler{ir::Operation(ir::Primitive{&op, {sum, primitive.arguments[1]}}), {addition}};
}

/// The choice between two constants that defines the value, or null.
const Select* constant_choice(const Operand& operand, const Knowledge& known) {
  const auto* choice = known.definition<Select>(operand.value());
  return choice && choice->then_value.is_constant() && choice->else_value.is_constant() ? choice
                                                                                        : nullptr;
}

/// An operation on a choice between constants, and constants, is a choice between constants.
std::optional<Select> of_choice(const ir::Primitive& primitive, const Knowledge& known) {
  const Select* choice = nullptr;
  std::array<Scalar, 3> if_true{}, if_false{};
  for (std::size_t i = 0; i < primitive.arguments.size(); ++i) {
    const Operand& argument = primitive.arguments[i];
    if (argument.is_constant()) {
      if_true[i] = if_false[i] = argument.scalar();
      continue;
    }
    const Select* found = constant_choice(argument, known);
    if (!found || choice) return std::nullopt;
    choice = found;
    if_true[i] = found->then_value.scalar();
    if_false[i] = found->else_value.scalar();
  }
  const primitives::Primitive& row = *primitive.primitive;
  if (!choice || row.is_defined) return std::nullopt;
  const auto value = [&](const std::array<Scalar, 3>& arguments) {
    return Operand::constant(row.result, row.apply(arguments[0], arguments[1], arguments[2]));
  };
  return Select{choice->condition, value(if_true), value(if_false)};
}

/// What the algebra knows of it.
template <typename Scalar>
std::optional<Simpler> by_algebra(const Scalar& operation, const Knowledge& known) {
  auto found =
      simplify(operation, [&](ValueId value) { return known.definition<ir::Primitive>(value); });
  if (!found) return std::nullopt;
  return std::visit([](auto& simpler) { return Simpler{std::move(simpler), {}}; }, *found);
}

} // namespace

std::optional<Simpler> simpler(const ir::Primitive& primitive, const Statement& statement,
                               Knowledge& known) {
  if (primitive.primitive->result == ElementType::Bool)
    if (const auto truth = known_condition(statement, known.facts))
      return Simpler{Operand::constant(ElementType::Bool, Scalar::of(*truth)), {}};
  if (const auto found = known_extreme(primitive, known.facts)) return Simpler{*found, {}};
  if (const auto found = known_remainder(primitive, known.facts)) return Simpler{*found, {}};
  if (auto found = lesser_dividend(primitive, known)) return found;
  if (const auto found = of_choice(primitive, known)) return Simpler{*found, {}};
  return by_algebra(primitive, known);
}

std::optional<Simpler> simpler(const Select& select, const Statement&, Knowledge& known) {
  if (const auto truth = known.facts.decide(select.condition))
    return Simpler{*truth ? select.then_value : select.else_value, {}};
  return by_algebra(select, known);
}

} // namespace sinter::jit
