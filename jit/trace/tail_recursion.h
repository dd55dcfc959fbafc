// Functions whose recursion is a loop.
#pragma once

#include "lang/core/core.h"

namespace sinter::jit {

/// Whether the function calls itself, and each time as the last thing that it does, with all of its
/// arguments.  Calls of itself inside of other functions (lambdas too) are not looked for.
bool is_tail_recursive(const core::Function& function);

} // namespace sinter::jit
