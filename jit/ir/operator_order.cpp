#include "jit/ir/operator_order.h"

#include "jit/ir/walk.h"
#include "lang/primitives/laws.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

namespace sinter::ir {

const primitives::Primitive* component_operation(const Body& combine, std::size_t component) {
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

namespace {

using ScalarOperation = primitives::Operation;

/// Whether the operation on the type is associative and commutative in all bits; of floats, if one
/// of them at least is a number.
bool any_order_is_equal(const primitives::Primitive& primitive) {
  switch (primitive.operation) {
  case ScalarOperation::Minimum:
  case ScalarOperation::Maximum:
    return true;
  case ScalarOperation::Equal:
  case ScalarOperation::NotEqual:
    return primitive.operand == ElementType::Bool;
  default:
    return !is_float(primitive.operand) && primitives::combines_in_any_order(primitive.operation);
  }
}

/// The value that changes no other one; for operations that `any_order_is_equal` accepts.
std::optional<Scalar> neutral_element(const primitives::Primitive& primitive) {
  return with_cpp_type(primitive.operand, [&]<typename T>() -> std::optional<Scalar> {
    constexpr bool is_integer = std::numeric_limits<T>::is_integer;
    switch (primitive.operation) {
    case ScalarOperation::Add:
    case ScalarOperation::Or:
    case ScalarOperation::Xor:
    case ScalarOperation::NotEqual:
      return Scalar::of(T(0));
    case ScalarOperation::Multiply:
    case ScalarOperation::Equal:
      return Scalar::of(T(1));
    case ScalarOperation::And:
      if constexpr (std::is_same_v<T, bool>)
        return Scalar::of(true);
      else if constexpr (is_integer)
        return Scalar::of(static_cast<T>(~T(0)));
      break;
    case ScalarOperation::Minimum:
      if constexpr (is_integer) return Scalar::of(std::numeric_limits<T>::max());
      break;
    case ScalarOperation::Maximum:
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
bool is_idempotent(ScalarOperation operation) {
  return operation == ScalarOperation::Minimum || operation == ScalarOperation::Maximum ||
         operation == ScalarOperation::And || operation == ScalarOperation::Or;
}

/// Of a fold that takes the neutral element in at least once.
bool order_shows(const Body& combine, std::span<const Operand> neutral) {
  if (may_fail(combine)) return true; // which operands it meets depends on the order
  for (std::size_t i = 0; i < neutral.size(); ++i) {
    const primitives::Primitive* primitive = component_operation(combine, i);
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

std::optional<Scalar> neutral_of_any_order(const primitives::Primitive& primitive) {
  if (is_float(primitive.operand) || !any_order_is_equal(primitive)) return std::nullopt;
  return neutral_element(primitive);
}

bool order_shows(const Body& combine) {
  if (may_fail(combine)) return true;
  for (std::size_t i = 0; i < combine.results.size(); ++i) {
    const primitives::Primitive* primitive = component_operation(combine, i);
    if (!primitive || !any_order_is_equal(*primitive) || is_float(primitive->operand)) return true;
  }
  return false;
}

namespace {

/// The statements of an operator, and which components a condition still has to compare.
class ComponentComparison {
public:
  explicit ComponentComparison(const Body& combine)
      : combine_(combine), is_left_(combine.results.size(), true) {}

  /// Whether the operand is: left before right, by the components not compared yet.
  bool is_order(const Operand& condition) {
    const Primitive* const primitive = definition<Primitive>(condition);
    if (!primitive) return false;
    if (primitive->primitive->operation != ScalarOperation::Or)
      return compares(*primitive, {ScalarOperation::Less, ScalarOperation::LessEqual,
                                   ScalarOperation::Greater, ScalarOperation::GreaterEqual}) &&
             std::none_of(is_left_.begin(), is_left_.end(), [](bool left) { return left; });
    for (const std::size_t first : {0, 1}) {
      const std::vector<bool> before = is_left_;
      const Primitive* const strict = definition<Primitive>(primitive->arguments[first]);
      if (strict && compares(*strict, {ScalarOperation::Less, ScalarOperation::Greater}) &&
          is_order_of_equal(primitive->arguments[1 - first], is_left_, before))
        return true;
      is_left_ = before;
    }
    return false;
  }

  template <typename T>
  const T* definition(const Operand& operand) const {
    if (!operand.is_value()) return nullptr;
    for (const Statement& statement : combine_.statements)
      if (std::ranges::count(statement.results, operand.value()) > 0)
        return std::get_if<T>(&statement.operation);
    return nullptr;
  }

private:
  /// Where the component that was just compared is equal, by the others.
  bool is_order_of_equal(const Operand& condition, const std::vector<bool> left,
                         const std::vector<bool>& before) {
    const Primitive* const both = definition<Primitive>(condition);
    if (!both || both->primitive->operation != ScalarOperation::And) return false;
    for (const std::size_t first : {0, 1}) {
      const Primitive* const equal = definition<Primitive>(both->arguments[first]);
      is_left_ = before;
      if (equal && compares(*equal, {ScalarOperation::Equal}) && is_left_ == left &&
          is_order(both->arguments[1 - first]))
        return true;
    }
    return false;
  }

  /// Whether it compares a component's two values in one of the ways; that one is then done.
  bool compares(const Primitive& primitive, std::initializer_list<ScalarOperation> ways) {
    const ScalarOperation operation = primitive.primitive->operation;
    if (std::find(ways.begin(), ways.end(), operation) == ways.end()) return false;
    const std::size_t count = is_left_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Operand left(combine_.parameters[i]), right(combine_.parameters[count + i]);
      const auto& arguments = primitive.arguments;
      if (!is_left_[i] ||
          (arguments != std::vector{left, right} && arguments != std::vector{right, left}))
        continue;
      is_left_[i] = false;
      return true;
    }
    return false;
  }

  const Body& combine_;
  std::vector<bool> is_left_; ///< by component
};

} // namespace

bool selects_by_order(const Body& combine) {
  ComponentComparison comparison(combine);
  const std::size_t count = combine.results.size();
  const Select* first = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* select = comparison.definition<Select>(combine.results[i]);
    if (!select) return false;
    if (!first) first = select;
    const bool takes_left = first->then_value == Operand(combine.parameters[0]);
    const Operand left(combine.parameters[i]), right(combine.parameters[count + i]);
    if (select->condition != first->condition ||
        select->then_value != (takes_left ? left : right) ||
        select->else_value != (takes_left ? right : left))
      return false;
  }
  return first && comparison.is_order(first->condition);
}

bool order_shows(const ReduceGroup& group) {
  return !group.before.empty() || order_shows(group.combine, group.neutral);
}
bool order_shows(const ScanGroup& group) {
  return !group.before.empty() || order_shows(group.combine, group.neutral);
}
bool order_shows(const HistogramGroup& group) {
  if (order_shows(group.combine)) return true;
  for (std::size_t i = 0; i < group.neutral.size(); ++i)
    if (!group.neutral[i].is_constant() ||
        group.neutral[i].scalar() != neutral_element(*component_operation(group.combine, i)))
      return true;
  return false;
}

} // namespace sinter::ir
