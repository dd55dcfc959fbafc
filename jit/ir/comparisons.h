// Comparisons of integers, and what follows from them.
#pragma once

#include "lang/primitives/primitives.h"

#include <optional>

namespace sinter::ir {

/// The same comparison with its operands exchanged; nothing if it is none.
std::optional<primitives::Operation> exchanged(primitives::Operation comparison);
/// The comparison that holds where this one does not (integers are totally ordered); nothing if it
/// is none.
std::optional<primitives::Operation> negated(primitives::Operation comparison);
inline bool is_comparison(primitives::Operation operation) {
  return negated(operation).has_value();
}

} // namespace sinter::ir
