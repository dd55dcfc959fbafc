#include "gpu/skeletons/grid.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/skeletons/launch_plan.h"

#include <algorithm>
#include <bit>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

namespace {

using llvm::Value;

/// Threads of a block, as powers of two.
constexpr unsigned most_block_bits = 8, warp_bits = 5;
constexpr unsigned small_block_bits = 6; ///< down to which blocks are made smaller for more of them
constexpr std::array<std::int64_t, most_grid_rank> most_blocks = {0x7fffffff, 0xffff, 0xffff};

/// The word's fields, innermost dimension first: what a block covers of it as power of two, then
/// which of the grid's dimensions counts its blocks.
constexpr unsigned size_bits = 4, axes_at = size_bits * most_grid_rank, axis_bits = 2;

unsigned bits_of(std::int64_t count) {
  return static_cast<unsigned>(
      std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)) - 1));
}

/// Of columns: as few threads without one as may be, but whole warps where there are so many.
unsigned column_bits(std::int64_t columns, unsigned most) {
  unsigned best = std::min(bits_of(columns), most);
  const auto idle = [&](unsigned bits) {
    const std::int64_t width = std::int64_t{1} << bits;
    return divided_up(columns, width) * width - columns;
  };
  for (unsigned bits = best; bits-- > warp_bits;)
    if (idle(bits) < idle(best)) best = bits;
  return best;
}

/// Bits of a block by dimension, innermost first; a line of threads has one for all of them.
std::array<unsigned, most_grid_rank>
block_bits(const std::array<std::int64_t, most_grid_rank>& sizes, std::size_t rank, unsigned all) {
  if (rank == 1) return {all, 0, 0};
  std::array<unsigned, most_grid_rank> bits = {column_bits(sizes[0], all), 0, 0};
  bits[1] = rank == 2 ? all - bits[0] : std::min(bits_of(sizes[1]), all - bits[0]);
  if (rank > 2) bits[2] = all - bits[0] - bits[1];
  return bits;
}

} // namespace

std::optional<Grid> choose_grid(std::span<const std::int64_t> extents, unsigned lanes,
                                unsigned multiprocessors) {
  std::array<std::int64_t, most_grid_rank> sizes = {1, 1, 1};
  for (std::size_t d = 0; d < extents.size(); ++d)
    sizes[d] = std::max<std::int64_t>(extents[extents.size() - 1 - d], 1);
  sizes[0] = divided_up(sizes[0], lanes);
  std::array<unsigned, most_grid_rank> bits = {};
  std::array<std::int64_t, most_grid_rank> blocks = {};
  const auto cut = [&](unsigned all) {
    bits = block_bits(sizes, extents.size(), all);
    __int128 count = 1;
    for (std::size_t d = 0; d < most_grid_rank; ++d) {
      blocks[d] = divided_up(sizes[d], std::int64_t{1} << bits[d]);
      count *= blocks[d];
    }
    return count;
  };
  unsigned all = most_block_bits;
  while (cut(all) < multiprocessors && all > small_block_bits)
    --all;
  while (cut(all) == 1 && all > warp_bits && cut(all - 1) == 1)
    --all;
  (void)cut(all);
  // The dimension with the most blocks gets the grid's first one.
  std::array<std::size_t, most_grid_rank> order = {0, 1, 2};
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return blocks[a] > blocks[b]; });
  Grid grid;
  grid.shape.threads = 1u << all;
  for (std::size_t d = 0; d < most_grid_rank; ++d)
    grid.word |= std::uint64_t{bits[d]} << (size_bits * d);
  for (std::size_t axis = 0; axis < most_grid_rank; ++axis) {
    if (blocks[order[axis]] > most_blocks[axis]) return std::nullopt;
    grid.shape.blocks[axis] = static_cast<std::uint32_t>(blocks[order[axis]]);
    grid.word |= std::uint64_t{axis} << (axes_at + axis_bits * order[axis]);
  }
  return grid;
}

GridPosition emit_grid_position(llvm::IRBuilderBase& ir, llvm::Module& module, Value* word,
                                std::size_t rank) {
  const auto wide = [&](Value* number) { return ir.CreateZExt(number, ir.getInt64Ty()); };
  const auto call = [&](AbstractFunction function) { return call_abstract(ir, module, function); };
  Value* rest = call(AbstractFunction::thread_index);
  GridPosition position;
  if (rank == 1) {
    position.block = wide(call(AbstractFunction::block_index_x));
    position.width = wide(call(AbstractFunction::block_size));
    position.thread = wide(rest);
    return position;
  }
  Value* const fields = ir.CreateTrunc(word, ir.getInt32Ty());
  const auto field = [&](std::size_t at, unsigned bits) {
    return ir.CreateAnd(ir.CreateLShr(fields, static_cast<std::uint64_t>(at)), (1u << bits) - 1);
  };
  const std::array<Value*, most_grid_rank> axes = {call(AbstractFunction::block_index_x),
                                                   call(AbstractFunction::block_index_y),
                                                   call(AbstractFunction::block_index_z)};
  for (std::size_t d = 0; d < rank; ++d) {
    Value* const axis = field(axes_at + axis_bits * d, axis_bits);
    Value* block = axes[2];
    for (unsigned a = 2; a-- > 0;)
      block = ir.CreateSelect(ir.CreateICmpEQ(axis, ir.getInt32(a)), axes[a], block);
    Value* const bits = field(size_bits * d, size_bits);
    const bool is_last = d + 1 == rank;
    Value* const beyond = ir.CreateShl(ir.getInt32(~0u), bits);
    Value* const within = is_last ? rest : ir.CreateAnd(rest, ir.CreateNot(beyond));
    if (!is_last) rest = ir.CreateLShr(rest, bits);
    if (d > 0) {
      position.outer[rank - 1 - d] =
          ir.CreateAdd(ir.CreateShl(wide(block), wide(bits)), wide(within));
      continue;
    }
    position.block = wide(block);
    position.width = wide(ir.CreateShl(ir.getInt32(1), bits));
    position.thread = wide(within);
  }
  return position;
}

} // namespace sinter::gpu
