#include "jit/passes/algebra.h"

#include "jit/ir/comparisons.h"

#include <cassert>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

bool is_bool(const Operand& operand, bool value) {
  return operand.is_constant() && operand.element() == ElementType::Bool &&
         operand.scalar().as<bool>() == value;
}

const ir::Primitive* definition_of(const Operand& operand, const PrimitiveDefinition& definition) {
  return operand.is_value() ? definition(operand.value()) : nullptr;
}

std::optional<Simplified> simplify_unary(const ir::Primitive& primitive,
                                         const PrimitiveDefinition& definition) {
  const auto& outer = *primitive.primitive;
  const ir::Primitive* inner = definition_of(primitive.arguments[0], definition);
  if (!inner) return std::nullopt;
  const auto& row = *inner->primitive;
  if (outer.operation == Operation::Convert && row.operation == Operation::Convert) {
    // There and back again, over a type that holds every number of the first.
    const bool returns = row.operand == outer.result && is_integer(row.operand) &&
                         is_integer(outer.operand) &&
                         byte_size(row.operand) <= byte_size(outer.operand);
    if (returns) return inner->arguments[0];
  }
  if (outer.operation == Operation::Complement && outer.operand == ElementType::Bool &&
      is_integer(row.operand))
    if (const auto opposite = negated(row.operation))
      return ir::Primitive{&jit::row(*opposite, row.operand), inner->arguments};
  return std::nullopt;
}

/// Comparing with a truth value: `p == false`.
std::optional<Simplified> simplify_truth(const ir::Primitive& primitive) {
  const Operand &x = primitive.arguments[0], &y = primitive.arguments[1];
  const Operation operation = primitive.primitive->operation;
  const bool compares = operation == Operation::Equal || operation == Operation::NotEqual;
  if (!compares && operation != Operation::Xor) return std::nullopt;
  const bool opposite = operation != Operation::Equal;
  for (const auto& [constant, other] : {std::pair(x, y), std::pair(y, x)})
    if (is_bool(constant, opposite))
      return ir::Primitive{&row(Operation::Complement, ElementType::Bool), {other}};
  return std::nullopt;
}

/// Sums and differences of integers that cancel.
std::optional<Simplified> simplify_sum(const ir::Primitive& primitive,
                                       const PrimitiveDefinition& definition) {
  const auto& row = *primitive.primitive;
  const Operand &a = primitive.arguments[0], &b = primitive.arguments[1];
  const auto is = [&](const Operand& operand, Operation operation) -> const ir::Primitive* {
    const ir::Primitive* found = definition_of(operand, definition);
    const bool matches = found && found->primitive->operation == operation &&
                         found->primitive->operand == row.operand;
    return matches ? found : nullptr;
  };
  if (row.operation == Operation::Add) {
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (const ir::Primitive* inner = is(x, Operation::Subtract))
        if (inner->arguments[1] == y) return inner->arguments[0];
  } else if (row.operation == Operation::Quotient || row.operation == Operation::Divide) {
    if (!b.is_constant() || !is_signed(row.operand) || b.scalar().as<std::int64_t>() != -1)
      return std::nullopt;
    const ir::Primitive* const inner = is(a, Operation::Subtract);
    if (inner && inner->arguments[0] == Operand::constant(row.operand, Scalar::of<std::int64_t>(0)))
      return inner->arguments[1];
    return ir::Primitive{&jit::row(Operation::Negate, row.operand), {a}};
  } else if (row.operation == Operation::Subtract) {
    if (const ir::Primitive* inner = is(a, Operation::Add)) {
      if (inner->arguments[1] == b) return inner->arguments[0];
      if (inner->arguments[0] == b) return inner->arguments[1];
    }
    if (const ir::Primitive* inner = is(b, Operation::Subtract))
      if (inner->arguments[0] == a) return inner->arguments[1];
    // Of the same number and something more.
    const ir::Primitive *more = is(a, Operation::Add), *less = is(b, Operation::Add);
    if (more && less && more->arguments[0] == less->arguments[0])
      return ir::Primitive{&row, {more->arguments[1], less->arguments[1]}};
  }
  return std::nullopt;
}

} // namespace

const primitives::Primitive& row(Operation operation, ElementType element) {
  const primitives::Primitive* found = primitives::find(operation, element);
  assert(found && "the operation does not exist at this type");
  return *found;
}

std::optional<Simplified> simplify(const ir::Primitive& primitive,
                                   const PrimitiveDefinition& definition) {
  const auto& row = *primitive.primitive;
  if (auto folded = fold(row, primitive.arguments, definition)) return *folded;
  std::optional<Simplified> result;
  if (row.arity == 1) result = simplify_unary(primitive, definition);
  if (row.arity == 2 && row.operand == ElementType::Bool) result = simplify_truth(primitive);
  if (row.arity == 2 && is_integer(row.operand)) result = simplify_sum(primitive, definition);
  if (result) return result;
  ir::Primitive usual = normalise(primitive, definition);
  if (usual.primitive == primitive.primitive && usual.arguments == primitive.arguments)
    return std::nullopt;
  return usual;
}

std::optional<Simplified> simplify(const Select& select, const PrimitiveDefinition& definition) {
  if (auto folded = fold_select(select.condition, select.then_value, select.else_value))
    return *folded;
  const auto truth = [&](Operation operation, std::vector<Operand> arguments) -> Simplified {
    return ir::Primitive{&row(operation, ElementType::Bool), std::move(arguments)};
  };
  if (is_bool(select.then_value, false) && is_bool(select.else_value, true))
    return truth(Operation::Complement, {select.condition});
  if (is_bool(select.then_value, true))
    return truth(Operation::Or, {select.condition, select.else_value});
  if (is_bool(select.else_value, false))
    return truth(Operation::And, {select.condition, select.then_value});
  if (const ir::Primitive* inner = definition_of(select.condition, definition))
    if (inner->primitive->operation == Operation::Complement)
      return Select{inner->arguments[0], select.else_value, select.then_value};
  return std::nullopt;
}

} // namespace sinter::jit
