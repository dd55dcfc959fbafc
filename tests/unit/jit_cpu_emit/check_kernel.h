// Emitted kernels against the IR's reference evaluator.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// Runs the kernel in scalar code and in lanes, with tails, with several chunks, on arguments with
/// gaps and with results stored past the caches, and expects what the evaluator gives.  Each entry
/// of `sizes` has values for the parameters of type i64 that are scalars.
void check_kernel(std::string_view source, const std::vector<std::vector<std::int64_t>>& sizes);

/// Around the number of lanes.
inline const std::vector<std::vector<std::int64_t>> lengths = {{0}, {1}, {15}, {16}, {17}, {200}};

} // namespace sinter::jit
