// Bodies in which nothing goes round.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::ir {

/// Whether a body computes scalars from scalars and elements of arrays.
bool is_elementary(const Function& function, const Body& body);
/// Whether it does so, or sets elements, in a bounded number of steps: nothing in it goes round.
bool is_straight(const Function& function, const Body& body);

} // namespace sinter::ir
