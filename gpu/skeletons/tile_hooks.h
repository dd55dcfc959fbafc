// Hooks for code between whose barriers no thread may leave.
#pragma once

#include "gpu/kernels/gpu_hooks.h"

namespace sinter::gpu {

/// Threads do not look by themselves whether somebody has asked to stop: a block does so as one
/// (`BlockStop`).
class TileHooks final : public GpuHooks {
public:
  llvm::Value* may_go_on(jit::LaneBuilder& builder, const jit::FramePointers& frame) const override;
};

/// Bytes at the beginning of a block's shared memory that `stop_as_block` needs.
inline constexpr std::uint32_t stop_bytes = 16;

/// A look for a wish to stop, by one thread for the block; a barrier stands between it and
/// `stop_as_block`, and another one before the next look.
void look_as_block(jit::LaneBuilder& builder, const jit::FramePointers& frame,
                   llvm::Value* is_due /* i1, the same in all threads */);
/// Returns 1 in all threads of the block where the look found one.
void stop_as_block(jit::LaneBuilder& builder, llvm::Value* is_due);

/// Threads' and blocks' numbers, as i64.
llvm::Value* thread_of_block(jit::LaneBuilder& builder);
/// Shared memory from a byte on.
llvm::Value* shared_memory(jit::LaneBuilder& builder, std::uint64_t byte);
void block_barrier(jit::LaneBuilder& builder);

} // namespace sinter::gpu
