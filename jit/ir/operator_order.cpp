#include "jit/ir/operator_order.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace sinter::ir {
namespace {

using primitives::Operation;

/// The operation that gives the component from its own two parameters, if there is one.
const primitives::Primitive* operation_of(const Body& combine, std::size_t component) {
  const Operand& result = combine.results[component];
  if (!result.is_value()) return nullptr;
  const Operand left(combine.parameters[component]);
  const Operand right(combine.parameters[combine.results.size() + component]);
  for (const Statement& statement : combine.statements) {
    if (statement.results != std::vector{result.value()}) continue;
    const auto* primitive = std::get_if<Primitive>(&statement.operation);
    if (!primitive) return nullptr;
    const auto& arguments = primitive->arguments;
    const bool takes_the_pair =
        arguments == std::vector{left, right} || arguments == std::vector{right, left};
    return takes_the_pair ? primitive->primitive : nullptr;
  }
  return nullptr;
}

/// Whether the operation on the type is associative and commutative in all bits; of floats, if one
/// of them at least is a number.
bool any_order_is_equal(const primitives::Primitive& primitive) {
  switch (primitive.operation) {
  case Operation::Minimum:
  case Operation::Maximum:
    return true;
  case Operation::Add:
  case Operation::Multiply:
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
    return !is_float(primitive.operand);
  case Operation::Equal:
  case Operation::NotEqual:
    return primitive.operand == ElementType::Bool;
  default:
    return false;
  }
}

/// The value that changes no other one; for operations that `any_order_is_equal` accepts.
std::optional<Scalar> neutral_element(const primitives::Primitive& primitive) {
  return with_cpp_type(primitive.operand, [&]<typename T>() -> std::optional<Scalar> {
    constexpr bool is_integer = std::numeric_limits<T>::is_integer;
    switch (primitive.operation) {
    case Operation::Add:
    case Operation::Or:
    case Operation::Xor:
    case Operation::NotEqual:
      return Scalar::of(T(0));
    case Operation::Multiply:
    case Operation::Equal:
      return Scalar::of(T(1));
    case Operation::And:
      if constexpr (std::is_same_v<T, bool>)
        return Scalar::of(true);
      else if constexpr (is_integer)
        return Scalar::of(static_cast<T>(~T(0)));
      break;
    case Operation::Minimum:
      if constexpr (is_integer) return Scalar::of(std::numeric_limits<T>::max());
      break;
    case Operation::Maximum:
      if constexpr (is_integer) return Scalar::of(std::numeric_limits<T>::min());
      break;
    default:
      break;
    }
    return std::nullopt;
  });
}

bool is_constant_number(const Operand& operand) {
  if (!operand.is_constant()) return false;
  return with_cpp_type(operand.element(), [&]<typename T>() {
    const T number = operand.scalar().as<T>();
    return number == number;
  });
}

/// Taking the neutral element in twice is as good as once.
bool is_idempotent(Operation operation) {
  return operation == Operation::Minimum || operation == Operation::Maximum ||
         operation == Operation::And || operation == Operation::Or;
}

/// Of a fold that takes the neutral element in at least once.
bool order_shows(const Body& combine, std::span<const Operand> neutral) {
  for (std::size_t i = 0; i < neutral.size(); ++i) {
    const primitives::Primitive* primitive = operation_of(combine, i);
    if (!primitive || !any_order_is_equal(*primitive)) return true;
    if (is_float(primitive->operand)) {
      if (!is_constant_number(neutral[i])) return true;
      continue;
    }
    if (is_idempotent(primitive->operation)) continue;
    if (!neutral[i].is_constant() || neutral[i].scalar() != neutral_element(*primitive))
      return true;
  }
  return false;
}

} // namespace

bool order_shows(const Body& combine) {
  for (std::size_t i = 0; i < combine.results.size(); ++i) {
    const primitives::Primitive* primitive = operation_of(combine, i);
    if (!primitive || !any_order_is_equal(*primitive) || is_float(primitive->operand)) return true;
  }
  return false;
}

bool order_shows(const ReduceGroup& group) {
  return order_shows(group.combine, group.neutral);
}
bool order_shows(const ScanGroup& group) {
  return order_shows(group.combine, group.neutral);
}
bool order_shows(const HistogramGroup& group) {
  if (order_shows(group.combine)) return true;
  for (std::size_t i = 0; i < group.neutral.size(); ++i)
    if (!group.neutral[i].is_constant() ||
        group.neutral[i].scalar() != neutral_element(*operation_of(group.combine, i)))
      return true;
  return false;
}

} // namespace sinter::ir
