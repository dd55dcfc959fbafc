#include "jit/trace/symbolic_values.h"

#include "lang/core/core.h"

#include <iostream>
#include <span>

namespace sinter::jit {

namespace {

std::string print(const ir::Operand& operand) {
  if (operand.is_constant()) return sinter::print(operand.element(), operand.scalar());
  return (is_placeholder(operand) ? "result " : "v") +
         std::to_string(is_placeholder(operand) ? operand.value().index - first_placeholder
                                                : operand.value().index);
}

std::string print(const SymbolicScalar& scalar) {
  switch (scalar.kind) {
  case SymbolicScalar::Kind::None:
    return "none";
  case SymbolicScalar::Kind::Value:
    return print(ir::Operand(ir::ValueId{scalar.index}));
  case SymbolicScalar::Kind::Constant:
    return "constant " + std::to_string(scalar.index);
  }
  __builtin_unreachable();
}

template <typename Parts>
std::string listed(const Parts& parts) {
  std::string result;
  for (const auto& part : parts)
    result += (result.empty() ? "" : ", ") + print(part);
  return "(" + result + ")";
}

std::string print(const SymbolicArray& array) {
  std::string leaves;
  for (const ir::ValueId leaf : array.leaves)
    leaves += leaf == SymbolicArray::no_leaf ? " -" : " " + print(ir::Operand(leaf));
  return sinter::print(array.type) + " of " + listed(array.extents) + " in" + leaves;
}

} // namespace

std::string print(const SymbolicValue& value) {
  switch (value.kind()) {
  case SymbolicValue::Kind::Nothing:
    return "nothing";
  case SymbolicValue::Kind::Scalar:
    return print(value.scalar());
  case SymbolicValue::Kind::Array:
    return print(*value.array());
  case SymbolicValue::Kind::Record:
    return listed(value.fields());
  case SymbolicValue::Kind::Sum:
    return (is_open(value) ? "open sum " : "constructor " + std::to_string(value.tag()) + " ") +
           listed(value.fields());
  case SymbolicValue::Kind::Function:
    return "function " + value.function().function->name + " over " +
           listed(value.function().captures) + listed(value.function().arguments);
  case SymbolicValue::Kind::Accumulator:
    return "accumulator";
  }
  __builtin_unreachable();
}

void dump(const SymbolicValue& value) {
  std::cerr << print(value) << '\n';
}

} // namespace sinter::jit
