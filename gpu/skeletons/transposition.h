// Matrices turned over in the device's memory.
//
// A block of threads reads a tile of 32 x 32 elements by its rows and writes it by its columns, so
// that both times neighbouring threads touch neighbours in memory; between lies a tile of 32 x 33
// in shared memory, whose columns meet all banks (Ruetsch and Micikevicius, "Optimizing matrix
// transpose in CUDA", NVIDIA 2009).
#pragma once

#include "gpu/device/device.h"
#include "gpu/kernels/gpu_module.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace sinter::gpu {

/// Entry points for elements of 1, 2, 4 and 8 bytes, which all take the words of
/// `TranspositionWords`.
GpuModule make_transpositions();
std::string transposition_entry(std::size_t element_bytes);

/// target[j][i] = source[i][j] for i below `rows`, j below `columns`; both are row-major.
struct TranspositionWords {
  std::uint64_t source = 0, target = 0; ///< addresses
  std::uint64_t rows = 0, columns = 0;  ///< at least 1
};
LaunchShape transposition_shape(const TranspositionWords& words, std::size_t element_bytes);
/// Whether a grid has room for that.
bool can_transpose(std::int64_t rows, std::int64_t columns);

} // namespace sinter::gpu
