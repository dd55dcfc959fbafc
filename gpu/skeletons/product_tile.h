// Reductions over a plane of rows and columns (product_nest.h) by tiles: a block of threads makes a
// tile of results, each thread some of its rows and columns.  What an element needs of its row or
// column goes through the block's shared memory, `product_depth` elements deep at a time.
//
//   for each step of the depth                              (divides rows of the order of folding)
//     rows' and columns' values of the step → shared memory all threads; barrier
//     those of the next step are read, and wait in registers
//     for each element of the step
//       what it needs of the thread's rows and columns      from there, as vectors
//       each of the thread's results op= the element
//     barrier                                               if there is room for one step only
//   the thread's results → memory
//
// So each value is computed once for a tile's rows or columns, and read from shared memory once for
// a thread's (Volkov and Demmel, "Benchmarking GPUs to tune dense linear algebra", SC 2008;
// Futhark's block and register tiling).
#pragma once

#include "gpu/skeletons/product_nest.h"
#include "jit/emit/emit.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace sinter::gpu {

inline constexpr std::int64_t product_depth = 16; ///< elements of a step
inline constexpr unsigned product_threads = 256;  ///< of a block

/// How a kernel's results are cut up.
struct ProductTile {
  unsigned thread_rows = 4, thread_columns = 4; ///< of results that a thread makes
  /// Steps whose values shared memory has room for: with two, threads go on to the next one while
  /// others are still at the last.
  unsigned steps = 1;
  std::uint32_t shared_bytes = 0;
  std::int64_t rows() const { return 16 * std::int64_t{thread_rows}; }
  std::int64_t columns() const { return 16 * std::int64_t{thread_columns}; }
};

/// The tile that registers and shared memory have room for, or nothing.
std::optional<ProductTile> choose_product_tile(const ir::Function& function,
                                               const ProductNest& nest);

/// Emits `i64 NAME(ptr frame, i64 tile)`, which all threads of a block run for the tile of that
/// number: tiles are counted row by row, plane after plane.  Gives 1 where somebody asked to stop,
/// else 0, to all threads alike.  The options are as for `jit::emit_functions`.
llvm::Function* emit_product_tile(llvm::Module& module, const ir::Function& function,
                                  const ProductNest& nest, const ProductTile& tile,
                                  const jit::EmitOptions& options);

} // namespace sinter::gpu
