// Lowering of scalar primitives: the table's meanings (lang/primitives/meanings.h) as instructions,
// on scalars and on vectors alike.
#pragma once

#include "jit/emit/lanes.h"
#include "lang/primitives/primitives.h"

#include <array>

namespace sinter::jit {

/// Emits the operation on operands of one shape: scalars of the operands' types, or vectors of W.
/// Total and exact, as the table's meaning is.
llvm::Value* emit_primitive(LaneBuilder& builder, const primitives::Primitive& primitive,
                            std::array<llvm::Value*, 3> operands);

/// The i64 numbers base, base + 1, … of W lanes as floats, each rounded once.
llvm::Value* emit_float_of_linear(LaneBuilder& builder, ElementType result, llvm::Value* base);

} // namespace sinter::jit
