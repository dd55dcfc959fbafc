// Maps of maps.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::ir {

/// Of a body that is a map alone, the body of another map: whether an element's value follows from
/// elements of the inputs at its own place alone, wherever that is.  Rows of dense arrays could
/// then be cut in any other way.
bool is_blind_to_rows(const Function& function, const Body& around, const Soac& inner);

} // namespace sinter::ir
