// Functions run in pieces by the IR's evaluator.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/pieces/piece_functions.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::jit {

/// The outcome of the function, cut before these indices (ascending; the first is 0, the last n).
/// `function` is the one that the plan is for.
ir::Evaluation evaluate_in_pieces(const ir::Function& function, const CutPlan& plan,
                                  const std::vector<ir::DenseValue>& arguments,
                                  std::span<const std::int64_t> cuts);
/// n.
std::int64_t extent_of(const ir::Function& function, const CutPlan& plan,
                       const std::vector<ir::DenseValue>& arguments);

} // namespace sinter::jit
