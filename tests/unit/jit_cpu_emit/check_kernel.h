// Emitted kernels against the IR's reference evaluator.
#pragma once

#include "jit/ir/evaluate.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// Runs the kernel in scalar code and in lanes, with tails, with several chunks, on arguments with
/// gaps and with results stored past the caches, and expects what the evaluator gives.  Each entry
/// of `sizes` has values for the parameters of type i64 that are scalars.
void check_kernel(std::string_view source, const std::vector<std::vector<std::int64_t>>& sizes);

/// Arguments for the parameters: `sizes` for the i64 scalars in order, small numbers for the rest.
std::vector<ir::DenseValue> arguments_for(const ir::Function& function,
                                          std::vector<std::int64_t> sizes, std::mt19937& random);

/// What came out, bit by bit.
std::string text_of(const ir::Evaluation& evaluation);

/// Around the number of lanes.
inline const std::vector<std::vector<std::int64_t>> lengths = {{0}, {1}, {15}, {16}, {17}, {200}};

} // namespace sinter::jit
