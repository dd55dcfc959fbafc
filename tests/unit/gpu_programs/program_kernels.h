// The kernels that programs make for a device, without running them.
#pragma once

#include "jit/ir/ir.h"
#include "jit/runtime/backend.h"

#include <string>
#include <vector>

namespace sinter::test {

/// A kernel as a device's backend is asked to compile it.
struct ProgramKernel {
  std::string program;   ///< "path:entry …", the first one that makes it
  ir::Function function; ///< no two of a list have the same text
};

/// Of the programs with test blocks among and below the paths, each `step`th from the first one on:
/// what their entry points become, traced with the blocks' inputs.  The device's own passes prepare
/// them.
std::vector<ProgramKernel> kernels_of_tests(const std::vector<std::string>& paths, std::size_t step,
                                            const jit::Backend& device);

/// Of the programs in a folder that have entry points `input…` and `kernel…` (as `sinter bench
/// --size` takes them): what the latter become, for inputs of the size.
std::vector<ProgramKernel> kernels_of_benchmarks(const std::string& folder, std::int64_t size,
                                                 const jit::Backend& device);

} // namespace sinter::test
