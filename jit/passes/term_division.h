// Terms of sizes (jit/ir/extent.h) divided by a number or by one product:
//
//   width·i + j - width   by   width      i - 1, and j is left
#pragma once

#include "jit/ir/extent.h"

#include <optional>
#include <vector>

namespace sinter::jit {

struct TermDivision {
  std::vector<ir::Extent::Summand> whole; ///< divided; without factors: a number
  std::vector<ir::Extent::Summand> left;  ///< of what the divisor does not go into
};

/// Of a term's summands, its constant left out; nothing if the divisor is another term than a
/// number or one product, or is not known to be positive where its factors are.
std::optional<TermDivision> divide(ir::Term term, ir::Term by);

} // namespace sinter::jit
