// Scalar operations that need no statement: constants fold by the primitive's own meaning, and
// identities apply where they are exact for every operand (a signalling NaN aside, which no
// arithmetic keeps).
#pragma once

#include "jit/ir/ir.h"

#include <functional>
#include <optional>
#include <span>

namespace sinter::ir {

/// The scalar operation that defines a value, or null if another operation does.
using PrimitiveDefinition = std::function<const Primitive*(ValueId)>;

/// What the operation gives without computing it: a constant or one of the values that it sees.
/// Operations that are undefined for their constants are left alone.
std::optional<Operand> fold(const primitives::Primitive& primitive,
                            std::span<const Operand> arguments,
                            const PrimitiveDefinition& definition);
std::optional<Operand> fold_select(const Operand& condition, const Operand& then_value,
                                   const Operand& else_value);

/// The operation in its usual form, which may be another operation: operands of commutative ones in
/// a fixed order (constants last), `x - c` as `x + -c`, `(x + c) + d` as `x + (c + d)` (integers),
/// `x ** 2` as `x * x`, `x ** -1` as `1 / x` (floats), `2 ** n` as `1 << n` (integers).
Primitive normalise(Primitive operation, const PrimitiveDefinition& definition);

} // namespace sinter::ir
