#include "jit/passes/checks.h"

#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

bool is_operation(const ir::Primitive& primitive, primitives::Operation operation,
                  ElementType element) {
  return primitive.primitive->operation == operation && primitive.primitive->operand == element;
}

/// What is equal to another number is no size, or what follows is never reached: its name stays.
bool may_be_size(const Operand& operand) {
  if (operand.is_value()) return true;
  const auto number = operand.scalar().as<std::int64_t>();
  return number >= 0 && number < extent_limit;
}

/// Constants stand for values, and earlier values for later ones.
void unify(Operand a, Operand b, Substitution& substitution) {
  if (a == b) return;
  if (b.is_constant() || (a.is_value() && b.value() < a.value())) std::swap(a, b);
  if (b.is_value() && may_be_size(a)) substitution.set(b.value(), a);
}

} // namespace

Operand open_part(Operand condition, Knowledge& known) {
  while (const ir::Primitive* both = known.primitive(condition)) {
    if (!is_operation(*both, primitives::Operation::And, ElementType::Bool)) break;
    if (known.facts.decide(both->arguments[0]) == true)
      condition = both->arguments[1];
    else if (known.facts.decide(both->arguments[1]) == true)
      condition = both->arguments[0];
    else
      break;
  }
  return condition;
}

void unify_sizes(const Operand& condition, Knowledge& known) {
  const ir::Primitive* definition = known.primitive(condition);
  if (!definition) return;
  if (is_operation(*definition, primitives::Operation::And, ElementType::Bool)) {
    for (const Operand& part : definition->arguments)
      unify_sizes(part, known);
  } else if (is_operation(*definition, primitives::Operation::Equal, ElementType::I64)) {
    unify(known.substitution.resolve(definition->arguments[0]),
          known.substitution.resolve(definition->arguments[1]), known.substitution);
  }
}

} // namespace sinter::jit
