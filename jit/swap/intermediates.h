// The arrays that a region still writes and reads between its operations, for reports.
#pragma once

#include "jit/gate/hot_swap.h"
#include "jit/ir/ir.h"

#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// `inputs`: the scalars among the arguments of some run, by parameter; arrays have nothing there.
/// They tell how large the arrays were; without them (none) that is not said.
std::vector<IntermediateReport> intermediates(const ir::Function& function,
                                              std::span<const std::optional<Scalar>> inputs);

} // namespace sinter::jit
