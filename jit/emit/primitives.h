// Lowering of scalar primitives: the table's meanings (lang/primitives/meanings.h) as instructions,
// on scalars and on vectors alike.
#pragma once

#include "jit/emit/lanes.h"
#include "lang/primitives/primitives.h"

#include <array>
#include <string>

namespace sinter::jit {

/// Emits the operation on operands of one shape: scalars of the operands' types, or vectors of W.
/// Total and exact, as the table's meaning is.  What has no lowering is called out of line.
llvm::Value* emit_primitive(LaneBuilder& builder, const primitives::Primitive& primitive,
                            std::array<llvm::Value*, 3> operands);

/// A name that only this primitive has, for symbols.
std::string symbol_of(const primitives::Primitive& primitive);

} // namespace sinter::jit
