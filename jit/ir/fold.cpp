#include "jit/ir/fold.h"

#include <algorithm>
#include <utility>

namespace sinter::ir {
namespace {

using Op = primitives::Operation;

bool is_exactly(const Operand& operand, Scalar scalar) {
  return operand.is_constant() && operand.scalar() == scalar;
}
/// The number as a scalar of the type.
Scalar number(ElementType element, int value) {
  return with_cpp_type(element, [&]<typename T>() { return Scalar::of<T>(static_cast<T>(value)); });
}
bool is_number(const Operand& operand, ElementType element, int value) {
  return is_exactly(operand, number(element, value));
}
bool is_all_ones(const Operand& operand, ElementType element) {
  if (element == ElementType::Bool) return is_exactly(operand, Scalar::of(true));
  const bool has_signs = is_signed(element);
  if (has_signs) return is_number(operand, element, -1);
  const unsigned width = static_cast<unsigned>(8 * byte_size(element));
  return is_exactly(operand, {width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1});
}
Operand truth(bool value) {
  return Operand::constant(ElementType::Bool, Scalar::of(value));
}

std::optional<Operand> fold_constants(const primitives::Primitive& primitive,
                                      std::span<const Operand> arguments) {
  Scalar scalars[3];
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_constant()) return std::nullopt;
    scalars[i] = arguments[i].scalar();
  }
  if (primitive.is_defined && !primitive.is_defined(scalars[0], scalars[1])) return std::nullopt;
  return Operand::constant(primitive.result, primitive.apply(scalars[0], scalars[1], scalars[2]));
}

/// Identities of `x op y` on integers and truth values.
std::optional<Operand> fold_integers(const primitives::Primitive& primitive, const Operand& x,
                                     const Operand& y) {
  const ElementType element = primitive.operand;
  const Operand zero = Operand::constant(element, number(element, 0));
  const auto is_zero = [&](const Operand& operand) { return is_number(operand, element, 0); };
  const auto is_one = [&](const Operand& operand) { return is_number(operand, element, 1); };
  switch (primitive.operation) {
  case Op::Add:
    if (is_zero(y)) return x;
    if (is_zero(x)) return y;
    break;
  case Op::Subtract:
    if (is_zero(y)) return x;
    if (x == y) return zero;
    break;
  case Op::Multiply:
    if (is_one(y) || is_zero(x)) return x;
    if (is_one(x) || is_zero(y)) return y;
    break;
  case Op::Divide:
  case Op::Quotient:
    if (is_one(y)) return x;
    break;
  case Op::Modulo:
  case Op::Remainder:
    if (is_one(y)) return zero;
    break;
  case Op::Power:
    if (is_zero(y)) return Operand::constant(element, number(element, 1));
    if (is_one(y)) return x;
    break;
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::ShiftRightLogical:
    if (is_zero(y) || is_zero(x)) return x;
    break;
  case Op::And:
    if (x == y || is_zero(x) || is_all_ones(y, element)) return x;
    if (is_zero(y) || is_all_ones(x, element)) return y;
    break;
  case Op::Or:
    if (x == y || is_zero(y) || is_all_ones(x, element)) return x;
    if (is_zero(x) || is_all_ones(y, element)) return y;
    break;
  case Op::Xor:
    if (is_zero(y)) return x;
    if (is_zero(x)) return y;
    if (x == y) return zero;
    break;
  case Op::Minimum:
  case Op::Maximum:
    if (x == y) return x;
    break;
  case Op::Equal:
    if (element == ElementType::Bool && is_one(y)) return x;
    if (element == ElementType::Bool && is_one(x)) return y;
    if (x == y) return truth(true);
    break;
  case Op::NotEqual:
    if (element == ElementType::Bool && is_zero(y)) return x;
    if (element == ElementType::Bool && is_zero(x)) return y;
    if (x == y) return truth(false);
    break;
  case Op::LessEqual:
  case Op::GreaterEqual:
    if (x == y) return truth(true);
    break;
  case Op::Less:
  case Op::Greater:
    if (x == y) return truth(false);
    break;
  default:
    break;
  }
  return std::nullopt;
}

/// Identities of `x op y` on floats: those that keep zeros' signs and NaNs.
std::optional<Operand> fold_floats(const primitives::Primitive& primitive, const Operand& x,
                                   const Operand& y) {
  const ElementType element = primitive.operand;
  const Scalar minus_zero =
      primitives::find(Op::Negate, element)->apply(number(element, 0), {}, {});
  switch (primitive.operation) {
  case Op::Add:
    if (is_exactly(y, minus_zero)) return x;
    if (is_exactly(x, minus_zero)) return y;
    break;
  case Op::Subtract:
    if (is_number(y, element, 0)) return x;
    break;
  case Op::Multiply:
    if (is_number(y, element, 1)) return x;
    if (is_number(x, element, 1)) return y;
    break;
  case Op::Divide:
    if (is_number(y, element, 1)) return x;
    break;
  case Op::Power:
    if (is_number(y, element, 0) || is_exactly(y, minus_zero))
      return Operand::constant(element, number(element, 1));
    if (is_number(y, element, 1)) return x;
    break;
  default:
    break;
  }
  return std::nullopt;
}

/// `x` where the operation and the one that defines its operand undo each other.
std::optional<Operand> fold_inverse(const primitives::Primitive& primitive, const Operand& operand,
                                    const PrimitiveDefinition& definition) {
  const bool is_involution =
      primitive.operation == Op::Complement || primitive.operation == Op::Negate;
  if (!is_involution || !operand.is_value()) return std::nullopt;
  const Primitive* inner = definition(operand.value());
  if (!inner || inner->primitive != &primitive) return std::nullopt;
  return inner->arguments[0];
}

/// Powers that are one operation.
Primitive normalise_power(const Primitive& power) {
  const ElementType element = power.primitive->operand;
  const Operand &x = power.arguments[0], &y = power.arguments[1];
  const Operand one = Operand::constant(element, number(element, 1));
  if (is_number(y, element, 2)) return {primitives::find(Op::Multiply, element), {x, x}};
  if (is_float(element) && is_number(y, element, -1))
    return {primitives::find(Op::Divide, element), {one, x}};
  // (Both are 0 where the exponent is negative or beyond the width.)
  if (is_integer(element) && is_number(x, element, 2))
    return {primitives::find(Op::ShiftLeft, element), {one, y}};
  return power;
}

bool is_commutative(const primitives::Primitive& primitive) {
  if (is_float(primitive.operand))
    return primitive.operation == Op::Equal || primitive.operation == Op::NotEqual;
  switch (primitive.operation) {
  case Op::Add:
  case Op::Multiply:
  case Op::Minimum:
  case Op::Maximum:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Equal:
  case Op::NotEqual:
  case Op::MultiplyHigh:
    return true;
  default:
    return false;
  }
}

bool comes_before(const Operand& a, const Operand& b) {
  if (a.is_constant() || b.is_constant()) return b.is_constant() && !a.is_constant();
  return a.value() < b.value();
}

} // namespace

std::optional<Operand> fold(const primitives::Primitive& primitive,
                            std::span<const Operand> arguments,
                            const PrimitiveDefinition& definition) {
  if (std::optional<Operand> constant = fold_constants(primitive, arguments)) return constant;
  if (primitive.operation == Op::Convert && primitive.operand == primitive.result)
    return arguments[0];
  if (primitive.arity == 1) return fold_inverse(primitive, arguments[0], definition);
  if (primitive.arity != 2) return std::nullopt;
  return is_float(primitive.operand) ? fold_floats(primitive, arguments[0], arguments[1])
                                     : fold_integers(primitive, arguments[0], arguments[1]);
}

std::optional<Operand> fold_select(const Operand& condition, const Operand& then_value,
                                   const Operand& else_value) {
  if (condition.is_constant()) return condition.scalar().as<bool>() ? then_value : else_value;
  if (then_value == else_value) return then_value;
  if (then_value == truth(true) && else_value == truth(false)) return condition;
  return std::nullopt;
}

Primitive normalise(Primitive operation, const PrimitiveDefinition& definition) {
  const ElementType element = operation.primitive->operand;
  std::vector<Operand>& arguments = operation.arguments;
  if (operation.primitive->operation == Op::Power) operation = normalise_power(operation);
  if (is_integer(element) && operation.primitive->operation == Op::Subtract &&
      arguments[1].is_constant()) {
    const Scalar negated =
        primitives::find(Op::Negate, element)->apply(arguments[1].scalar(), {}, {});
    operation.primitive = primitives::find(Op::Add, element);
    arguments[1] = Operand::constant(element, negated);
  }
  if (is_commutative(*operation.primitive) && comes_before(arguments[1], arguments[0]))
    std::swap(arguments[0], arguments[1]);
  if (is_integer(element) && operation.primitive->operation == Op::Add &&
      arguments[1].is_constant() && arguments[0].is_value()) {
    const Primitive* inner = definition(arguments[0].value());
    if (inner && inner->primitive == operation.primitive && inner->arguments[1].is_constant()) {
      const Scalar sum =
          operation.primitive->apply(inner->arguments[1].scalar(), arguments[1].scalar(), {});
      arguments = {inner->arguments[0], Operand::constant(element, sum)};
    }
  }
  return operation;
}

} // namespace sinter::ir
