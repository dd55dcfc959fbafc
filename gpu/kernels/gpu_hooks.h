// A device as a target of emission: one element a thread, and a control block to speak through.
#pragma once

#include "jit/emit/target_hooks.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// Scratch memory belongs to neighbours, a warp's threads or fewer, who have a region for each size
/// of elements, of 8 bytes first.  A region is interleaved: element i of neighbour t lies at
/// i * neighbours + t, so that threads that are at the same index reach what lies together.  (Were
/// there one region for all sizes, a thread's bytes under one interleaving would be another's under
/// the next, as threads need not be at the same place of the code.  Were all threads of a launch
/// neighbours, places would follow from products with their number.)
inline constexpr std::size_t scratch_regions = 4;
constexpr std::size_t scratch_region(std::size_t element_bytes) {
  return element_bytes == 8 ? 0 : element_bytes == 4 ? 1 : element_bytes == 2 ? 2 : 3;
}
constexpr std::size_t scratch_element_bytes(std::size_t region) {
  return std::size_t{8} >> region;
}

/// What KernelFrame::arena points to: what a thread has of each region, a stack that kernels fill
/// from its beginning.
struct ScratchPiece {
  std::array<std::uint64_t, scratch_regions> base = {};  ///< address of its first element
  std::array<std::uint64_t, scratch_regions> used = {};  ///< bytes of the thread's own
  std::array<std::uint64_t, scratch_regions> bytes = {}; ///< of the thread's own, all of them
  std::uint64_t together = 1;                            ///< neighbours, a power of two
};

/// Of a thread and a region: more than any device has.
inline constexpr std::uint64_t most_scratch_bytes = std::uint64_t{1} << 48;

/// Metadata of the instruction that says how much scratch memory a thread lacks, whose value is
/// what it would have used of the region in all: the region's number.
inline constexpr const char* scratch_end_name = "sinter_scratch_end";

/// Metadata of the branch at which a thread decides that it is time to look at the control block's
/// word (`poll_at_times`).
inline constexpr const char* look_name = "sinter_look";

/// Makes the counters of what a function has inlined its own, which then is the only one, and is 0
/// at its beginning alone: a register of each thread.
void share_counter_of_turns(llvm::Function& function);

/// KernelFrame::failure is the address of the ControlBlock; epoch and start_epoch mean nothing.
class GpuHooks : public jit::TargetHooks {
public:
  const jit::TargetFacts& facts() const override { return facts_; }
  void note_failure(jit::LaneBuilder& builder, const jit::FramePointers& frame, llvm::Value* index,
                    std::uint32_t site) const override;
  llvm::Value* may_go_on(jit::LaneBuilder& builder, const jit::FramePointers& frame) const override;
  llvm::Value* allocate(jit::LaneBuilder& builder, const jit::FramePointers& frame,
                        llvm::Value* bytes, std::size_t element_bytes,
                        llvm::BasicBlock* lacking) const override;
  llvm::Value* scratch_stride(jit::LaneBuilder& builder,
                              const jit::FramePointers& frame) const override;
  llvm::Value* mark(jit::LaneBuilder& builder, const jit::FramePointers& frame) const override;
  void release(jit::LaneBuilder& builder, const jit::FramePointers& frame,
               llvm::Value* mark) const override;
  /// Whether some code that was emitted with these hooks may ask for scratch memory.
  bool use_scratch() const { return use_scratch_; }

private:
  jit::TargetFacts facts_;
  mutable std::atomic<bool> use_scratch_{false};
};

/// The control block's word that asks to stop (i32); who finds it there leaves word of that for the
/// steps behind.  `control_block` is a pointer.
llvm::Value* look_at_stop(llvm::IRBuilderBase& ir, llvm::Module& module,
                          llvm::Value* control_block);

/// Says in the control block that the steps behind are not to begin.
void note_end(llvm::IRBuilderBase& ir, llvm::Value* control_block);

/// i1: whether nobody has asked to stop.  Looks at the control block's word each 1024th time that
/// the thread comes to one of these places of the function, which shares a counter among them: a
/// look at each would cost loops of little work a third of their time.
llvm::Value* poll_at_times(llvm::IRBuilderBase& ir, llvm::Function& function,
                           llvm::Value* control_block);

} // namespace sinter::gpu
