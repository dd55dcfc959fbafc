// The places on the tree that get the types found; filled while inference variables are still open,
// and completed when they are solved.
#pragma once

#include "lang/types/type.h"

#include <vector>

namespace sinter::check {

class Annotations {
public:
  void put(const types::Type*& slot, const types::Type* type) {
    slot = type;
    slots_.push_back(&slot);
  }
  /// Puts solutions in the place of inference variables; `any` is the type that nothing decides.
  void complete(types::TypeArena& arena, const types::Type* any);

private:
  std::vector<const types::Type**> slots_;
};

} // namespace sinter::check
