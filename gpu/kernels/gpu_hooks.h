// A device as a target of emission: one element a thread, and a control block to speak through.
#pragma once

#include "jit/emit/target_hooks.h"

#include <atomic>
#include <cstdint>

namespace llvm {
class Function;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// What KernelFrame::arena points to: a thread's piece of the device's memory, a stack that kernels
/// fill from its beginning.
struct ScratchPiece {
  std::uint64_t base = 0;  ///< an address, aligned to 64
  std::uint64_t used = 0;  ///< bytes, multiples of 64
  std::uint64_t bytes = 0; ///< of all of it
};

/// KernelFrame::failure is the address of the ControlBlock; epoch and start_epoch mean nothing.
class GpuHooks : public jit::TargetHooks {
public:
  const jit::TargetFacts& facts() const override { return facts_; }
  void note_failure(jit::LaneBuilder& builder, const jit::FramePointers& frame, llvm::Value* index,
                    std::uint32_t site) const override;
  llvm::Value* may_go_on(jit::LaneBuilder& builder, const jit::FramePointers& frame) const override;
  llvm::Value* allocate(jit::LaneBuilder& builder, const jit::FramePointers& frame,
                        llvm::Value* bytes) const override;
  llvm::Value* mark(jit::LaneBuilder& builder, const jit::FramePointers& frame) const override;
  void release(jit::LaneBuilder& builder, const jit::FramePointers& frame,
               llvm::Value* mark) const override;
  /// Whether some code that was emitted with these hooks may ask for scratch memory.
  bool use_scratch() const { return use_scratch_; }

private:
  jit::TargetFacts facts_;
  mutable std::atomic<bool> use_scratch_{false};
};

/// i1: whether nobody has asked to stop.  Looks at the control block's word each 1024th time that
/// the thread comes to one of these places of the function, which shares a counter among them: a
/// look at each would cost loops of little work a third of their time.
llvm::Value* poll_at_times(llvm::IRBuilderBase& ir, llvm::Function& function,
                           llvm::Value* control_block);

} // namespace sinter::gpu
