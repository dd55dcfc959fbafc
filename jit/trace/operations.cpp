#include "jit/trace/operations.h"

#include "jit/trace/flatmap.h"

namespace sinter::jit {

SymbolicValue Operations::apply(primitives::ArrayOperation operation, std::span<Value> arguments,
                                SymbolicSite& site) {
  code_.limit_statements();
  code_.note_source(code_.span());
  switch (operation) {
#define SINTER_ARRAY_OPERATION(Id, ...)                                                            \
  case primitives::ArrayOperation::Id:                                                             \
    return apply_##Id(arguments, site);
#define SINTER_ARRAY_MEMBER(Id, Family, count, ...)                                                \
  case primitives::ArrayOperation::Id:                                                             \
    return apply_##Family(arguments, count, site);
#include "lang/primitives/array_operations.def"
  }
  __builtin_unreachable();
}

SymbolicValue Operations::apply_Flatmap(std::span<Value> arguments, SymbolicSite& site) {
  return flatmap(code_, leaves_, soacs_, loops_, arguments, site);
}

// ---- derivatives -------------------------------------------------------------------------------

SymbolicValue Operations::apply_Jvp2(std::span<Value>, SymbolicSite&) {
  code_.refuse(Reason::Differentiation);
}
SymbolicValue Operations::apply_Vjp2(std::span<Value>, SymbolicSite&) {
  code_.refuse(Reason::Differentiation);
}
SymbolicValue Operations::apply_Jmp2(std::span<Value>, SymbolicSite&) {
  code_.refuse(Reason::Differentiation);
}
SymbolicValue Operations::apply_Mjp2(std::span<Value>, SymbolicSite&) {
  code_.refuse(Reason::Differentiation);
}
SymbolicValue Operations::apply_WithVjp(std::span<Value>, SymbolicSite&) {
  code_.refuse(Reason::Differentiation);
}

} // namespace sinter::jit
