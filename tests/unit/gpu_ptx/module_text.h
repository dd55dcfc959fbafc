// Kernels' modules from LLVM IR text.
#pragma once

#include "gpu/kernels/gpu_module.h"

#include <string>
#include <vector>

namespace sinter::gpu {

/// A module whose entry points are the functions of the text that are not internal, with as many
/// words as parameters and blocks of `threads`; all abstract functions are declared in front of it.
/// With a text that does not parse or verify the test fails.
GpuModule module_of(const std::string& text, unsigned threads = 256);

/// Its PTX for a compute capability.
std::string ptx_of(const std::string& text, unsigned compute_capability = 80);

/// How often a text is in another.
std::size_t count_of(const std::string& text, const std::string& part);

/// The minima and maxima of integers of 16 bits in a text, by name.
std::string small_extrema(const std::string& ptx);

} // namespace sinter::gpu
