// Reads of a long body, between two of which much else is done: what they need next is to be asked
// for beforehand.
#pragma once

#include "jit/ir/ir.h"

#include <vector>

namespace sinter::jit {

/// The reads in the SOAC's body (not in loops and branches), by their results; of those that are of
/// one row, a constant distance of the index apart, the first one: the others find what it needs.
std::vector<ir::ValueId> seldom_reads(const ir::Soac& soac);

} // namespace sinter::jit
