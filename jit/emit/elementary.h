// Elementary functions in compiled code: the templates of lang/primitives/elementary over an
// arithmetic that emits instructions, for scalars and for W lanes.
#pragma once

#include "jit/emit/typed.h"
#include "lang/primitives/primitives.h"

#include <array>

namespace sinter::jit {

/// Null if the operation has no template there.
llvm::Value* emit_elementary(LaneBuilder& builder, const primitives::Primitive& primitive,
                             std::array<llvm::Value*, 3> operands);

/// The f16 nearest to a number of f64, for which processors have no instruction.
Lane<Half> half_of_double(const TypedBuilder& builder, Lane<double> number);

} // namespace sinter::jit
