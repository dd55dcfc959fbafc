// Folds in emitted kernels against the IR's reference evaluator.
#pragma once

#include "jit/ir/evaluate.h"

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// Runs the kernel with every number of lanes, unit and cut into chunks, on numbers of many sizes,
/// and expects the bits that the evaluator gives.  Each entry of `sizes` has values for the
/// parameters that are scalars, in order.
void check_fold(std::string_view source, const std::vector<std::vector<std::int64_t>>& sizes);

/// Arguments for the parameters: `sizes` for the scalars in order, numbers of many sizes for the
/// rest, so that each rounding shows.
std::vector<ir::DenseValue> uneven_arguments(const ir::Function& function,
                                             const std::vector<std::int64_t>& sizes,
                                             std::mt19937& random);

} // namespace sinter::jit
