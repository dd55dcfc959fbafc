// How the index space of a map lies in a grid of blocks: by its dimensions, so that no thread has
// to divide.
//
// A block covers some columns (indices of the innermost dimension), rows and layers, powers of two
// of each.  Which of the grid's dimensions counts which blocks depends on the extents, as the
// second and third have few blocks at most.
#pragma once

#include "gpu/device/device.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace llvm {
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// Dimensions of an index space, innermost first.
inline constexpr std::size_t most_grid_rank = 3;

struct Grid {
  LaunchShape shape;
  std::uint64_t word = 0; ///< what threads must know of it
};

/// For extents, outermost first, one to three of them, of which each thread takes `lanes` elements
/// along the innermost one.  There is a block even of nothing.  Small launches have small blocks,
/// so that all `multiprocessors` have some.  Nothing if a device has no grid of so many blocks.
std::optional<Grid> choose_grid(std::span<const std::int64_t> extents, unsigned lanes,
                                unsigned multiprocessors);

/// Where a thread is, as code.  All are i64.
struct GridPosition {
  /// Of the innermost dimension: the block's number, its threads, and the thread's number in it.
  llvm::Value *block = nullptr, *width = nullptr, *thread = nullptr;
  /// The indices of the other dimensions, outermost first; they may be beyond the extents.
  std::array<llvm::Value*, most_grid_rank - 1> outer = {};
};
GridPosition emit_grid_position(llvm::IRBuilderBase& ir, llvm::Module& module, llvm::Value* word,
                                std::size_t rank);

} // namespace sinter::gpu
