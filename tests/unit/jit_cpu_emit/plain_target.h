// A target with neither vectors nor anything of the processor's own, whose kernels have entry
// points of another shape: what a second target is to emission, run on the processor.
#pragma once

#include "jit/emit/emit.h"
#include "jit/emit/target_hooks.h"

#include <string>

namespace sinter::jit {

/// Names of the functions that its code calls, with the types of the processor's.
namespace plain {
inline constexpr const char* note_failure = "plain_note_failure";
inline constexpr const char* allocate = "plain_allocate";
inline constexpr const char* mark = "plain_mark";
inline constexpr const char* release = "plain_release";
} // namespace plain

class PlainHooks final : public TargetHooks {
public:
  /// `has_scratch`: whether it has memory for arrays of any size.
  explicit PlainHooks(bool has_scratch) : has_scratch_(has_scratch) {}
  const TargetFacts& facts() const override { return facts_; }
  void note_failure(LaneBuilder& builder, const FramePointers& frame, llvm::Value* index,
                    std::uint32_t site) const override;
  llvm::Value* may_go_on(LaneBuilder& builder, const FramePointers& frame) const override;
  llvm::Value* allocate(LaneBuilder& builder, const FramePointers& frame, llvm::Value* bytes,
                        std::size_t element_bytes, llvm::BasicBlock* lacking) const override;
  llvm::Value* mark(LaneBuilder& builder, const FramePointers& frame) const override;
  void release(LaneBuilder& builder, const FramePointers& frame, llvm::Value* mark) const override;

private:
  TargetFacts facts_;
  bool has_scratch_;
};

/// The kernel with one lane, its functions inlined into entry points of its own (which have the
/// types of theirs).
EmittedKernel emit_plain(const ir::Function& function, EmitOptions options);
/// What in the module only some targets have: vectors, intrinsics of a processor, functions of the
/// processor's runtime.  Empty if there is nothing.
std::string not_plain(const llvm::Module& module);

} // namespace sinter::jit
