// Kernels of the IR as entry points of a device: what a thread does with the functions that
// jit/emit makes of one.
//
// All entry points of a kernel take the same words (LaunchNumbers):
//   run       each thread takes chunks, one after the other, as many apart as there are threads
//   combine   the first thread of all combines what chunks have left, and stores scalar results
//   finish    as `run`, for scans
// jit/emit/kernel_abi.h says what the functions do, and which of them are wanted.
#pragma once

#include "gpu/kernels/gpu_module.h"
#include "jit/emit/emit.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::gpu {

inline constexpr std::string_view run_entry = "run", combine_entry = "combine",
                                  finish_entry = "finish";

/// A kernel may have so many words of parameters, as every device takes them.
inline constexpr std::size_t most_entry_words = 512;

/// What a launch gives its kernels.  Addresses are of the device's memory.
struct LaunchNumbers {
  std::uint64_t control = 0; ///< of a ControlBlock
  std::uint64_t scalars = 0; ///< of a word for each result, where scalar ones go
  std::int64_t count = 0;    ///< of indices, which chunks of `chunk_size` make up
  std::int64_t chunk_size = 1, chunks = 1;
  std::int64_t fold_unit = 1, fold_units = 0; ///< as KernelFrame has them
  /// Scratch memory: so many bytes for each thread, a multiple of 64.
  std::uint64_t scratch = 0, scratch_bytes = 0;
  std::vector<std::uint64_t> arguments; ///< words, as KernelFrame has them
  std::vector<std::uint64_t> results;   ///< one each
  std::vector<std::uint64_t> partials, partial_strides;
};
std::vector<std::uint64_t> words_of(const LaunchNumbers& numbers);

struct KernelEntries {
  GpuModule module;
  ir::Skeleton skeleton = ir::Skeleton::Sequential;
  std::vector<ir::Operand> index_space;
  bool has_combine = false, has_finish = false;
  bool uses_scratch = false; ///< may do so
};

/// Why a function has no entry points, or nothing: it is asked before they are made.
std::optional<std::string> has_no_entries(const ir::Function& function);

/// Of a parallel kernel.  `dense` is as in EmitOptions.  Throws std::runtime_error if emission has
/// no code for it on a device.
KernelEntries make_entries(const ir::Function& function, std::vector<bool> dense,
                           jit::FloatMode floats);

} // namespace sinter::gpu
