// Maps whose elements go through the same arrays (stream_nest.h), by tiles of those: a thread has
// an element of the map, and a block of threads reads a tile of the arrays at a time into its
// shared memory, where each thread finds it.
//
//   for each tile of the arrays        (whole rows of the order of folding)
//     tile → shared memory             all threads; barrier
//     each element of it               each thread, for its own element of the map, of a row
//     barrier                          where the order of folding shows: else of all rows
//     rows' totals, in order           each thread, for its own element
//
// So memory is read once for a block and not for each thread (Nyland, Harris and Prins, "Fast
// N-body simulation with CUDA", GPU Gems 3, 2007).
#pragma once

#include "gpu/skeletons/stream_nest.h"
#include "jit/emit/emit.h"
#include "jit/ir/ir.h"

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace sinter::gpu {

inline constexpr unsigned stream_threads = 256; ///< of a block

/// Elements of the arrays that a tile has: few of them where they are rows.
std::int64_t stream_tile_length(const ir::Function& function, const StreamNest& nest);

/// Threads of a block that an element of the map has: each folds another row of a tile, and they
/// have its totals in common.  (With a thread for each, only large maps would fill a device.)
std::int64_t stream_parts(const ir::Function& function, const StreamNest& nest);
/// Bytes of shared memory for those totals.
std::int64_t stream_total_bytes(const ir::Function& function, const StreamNest& nest);

/// Bytes of shared memory that a tile of a stream takes, if one of its elements takes so many.
std::int64_t stream_bytes(std::int64_t tile_length, std::int64_t element_bytes);

/// Emits `i64 NAME(ptr frame, i64 block)`, which all threads of a block run for the block of that
/// number; they have shared memory for a stop (tile_hooks.h), for each stream and for totals. Gives
/// 1 where somebody asked to stop, else 0, to all threads alike.  The options are as for
/// `jit::emit_functions`.
llvm::Function* emit_stream_tile(llvm::Module& module, const ir::Function& function,
                                 const StreamNest& nest, const jit::EmitOptions& options);

} // namespace sinter::gpu
