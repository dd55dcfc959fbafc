#include "jit/trace/symbolic_domain.h"

namespace sinter::jit {

SymbolicScalar SymbolicDomain::primitive(const primitives::Primitive& primitive, SymbolicScalar a,
                                         SymbolicScalar b, SymbolicScalar c) {
  const SymbolicScalar all[] = {a, b, c};
  std::vector<ir::Operand> arguments;
  for (std::size_t i = 0; i < primitive.arity; ++i)
    arguments.push_back(code_.operand(all[i]));
  return code_.handle(code_.primitive(primitive, arguments));
}

SymbolicScalar SymbolicDomain::equals(ElementType type, Scalar literal, SymbolicScalar value) {
  return code_.handle(code_.binary(primitives::Operation::Equal, code_.operand(value),
                                   ir::Operand::constant(type, literal)));
}

} // namespace sinter::jit
