// Identities of scalar operations that hold exactly, bit for bit, beyond those that the builder
// applies already (jit/ir/fold.h):
//
//   a = sub (add x y) y    →  x
//   b = not (lt i j)       →  ge i j
//   c = select p q false   →  and p q
//
// Integers wrap around, so their sums may be regrouped; floats are not.
#pragma once

#include "jit/ir/fold.h"
#include "jit/ir/ir.h"

#include <optional>
#include <variant>

namespace sinter::jit {

/// What the operation is instead: an operand, or another operation.
using Simplified = std::variant<ir::Operand, ir::Primitive, ir::Select>;

/// Nothing if there is nothing simpler.
std::optional<Simplified> simplify(const ir::Primitive& primitive,
                                   const ir::PrimitiveDefinition& definition);
std::optional<Simplified> simplify(const ir::Select& select,
                                   const ir::PrimitiveDefinition& definition);

/// The row of an operation at a type, which must exist.
const primitives::Primitive& row(primitives::Operation operation, ElementType element);

} // namespace sinter::jit
