// Whether narrow numbers lie within bounds, without widening them.
#pragma once

#include "jit/emit/lanes.h"

namespace sinter::jit {

/// For vectors of conditions: if one is `0 <= x` and the other `x < n` (signed), with the same n in
/// all lanes and x extended by its sign from fewer bits, as an index of i32 is: whether the narrow
/// numbers, taken as unsigned, are below n, or below all that they could be.  Null otherwise.
llvm::Value* emit_range_check(LaneBuilder& builder, llvm::Value* one, llvm::Value* other);

} // namespace sinter::jit
