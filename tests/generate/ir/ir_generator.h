// Random IR functions that obey every rule of the verifier, and arguments for them.
//
// For tests of what takes IR: each pass and each code generator must leave what `ir::evaluate`
// says as it is.  Functions terminate, stay in bounds and work on small arrays.  Operators of
// reductions, scans and histograms are associative exactly: on integers, and (if `exact_sums`) on
// floats that are small whole numbers.  So results must agree to the bit, except for the bits of
// NaNs.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/ir/ir.h"
#include "tests/generate/random.h"

#include <vector>

namespace sinter::generate {

struct IrOptions {
  std::size_t statements = 10; ///< about how many in the function's own body
  std::size_t depth = 3;       ///< of bodies in bodies
  bool floats = true;
  bool checks = true;     ///< checks that may fail
  bool updates = true;    ///< operations that consume
  bool exact_sums = true; ///< operators add whole numbers only
  bool streams = false;   ///< host-level code, not a kernel's
};

/// The parameters are two extents, then arrays of those extents and scalars.
ir::Function random_function(Random& random, const IrOptions& options = {});

/// Arguments for any function whose extents are parameters: each between 0 and `largest_extent`,
/// elements small.
std::vector<ir::DenseValue> random_arguments(const ir::Function& function, Random& random,
                                             std::size_t largest_extent = 5);

} // namespace sinter::generate
