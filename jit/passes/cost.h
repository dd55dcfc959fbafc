// What running code costs, roughly, in additions (ir/costs.h): enough to see what is worth computing twice.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// Of a body run once; loops and SOACs inside count as very much, unless their extent is a small
/// constant.
unsigned cost(const ir::Body& body);
unsigned cost(const ir::Statement& statement);

} // namespace sinter::jit
