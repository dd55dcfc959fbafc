// Elementary functions in compiled code: the templates of lang/primitives/elementary over an
// arithmetic that emits instructions, for scalars and for W lanes.
#pragma once

#include "jit/emit/lanes.h"
#include "lang/primitives/primitives.h"

#include <array>

namespace sinter::jit {

/// Null if the operation is no elementary function with a template, or if the machine has no fused
/// multiply-add (then calls are faster).
llvm::Value* emit_elementary(LaneBuilder& builder, const primitives::Primitive& primitive,
                             std::array<llvm::Value*, 3> operands);

} // namespace sinter::jit
