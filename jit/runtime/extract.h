// Cutting a statement out of a function, as a kernel.
#pragma once

#include "jit/ir/ir.h"
#include "jit/ir/sizes_before.h"

#include <vector>

namespace sinter::jit {

/// A statement as a function of its own.
struct ExtractedKernel {
  ir::Function function;
  /// What its parameters stand for in the function that it was cut out of; scalars come first.
  std::vector<ir::ValueId> arguments;
};

/// The statement's free values, and the extents in the types of those and of the results, become
/// parameters; its results become the results.  Sites of failures keep their numbers.  Where a
/// number is known, by what stands before the statement, it takes the place of its value.
ExtractedKernel extract_kernel(const ir::Function& function, const ir::Statement& statement,
                               const ir::SizesBefore& before);

} // namespace sinter::jit
