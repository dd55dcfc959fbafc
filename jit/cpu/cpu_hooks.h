// The processor as a target of emission: its facts, and calls of runtime_functions.h.
#pragma once

#include "jit/emit/target_hooks.h"

namespace sinter::jit {

/// Whose vector instructions code has.
enum class VectorInstructions : std::uint8_t {
  Sse2,
  Avx2,  ///< and FMA and F16C
  Avx512 ///< and those; F, BW, DQ and VL
};

/// `is_zen`: of AMD's, which fetch otherwise.
TargetFacts facts_of(VectorInstructions instructions, bool is_zen = false);

class CpuHooks final : public TargetHooks {
public:
  explicit CpuHooks(const TargetFacts& facts) : facts_(facts) {}
  const TargetFacts& facts() const override { return facts_; }
  void note_failure(LaneBuilder& builder, const FramePointers& frame, llvm::Value* index,
                    std::uint32_t site) const override;
  llvm::Value* may_go_on(LaneBuilder& builder, const FramePointers& frame) const override;
  llvm::Value* allocate(LaneBuilder& builder, const FramePointers& frame, llvm::Value* bytes,
                        std::size_t element_bytes, llvm::BasicBlock* lacking) const override;
  llvm::Value* mark(LaneBuilder& builder, const FramePointers& frame) const override;
  void release(LaneBuilder& builder, const FramePointers& frame, llvm::Value* mark) const override;
  llvm::Value* compress(LaneBuilder& builder, llvm::Value* vector,
                        llvm::Value* kept) const override;
  llvm::Value* pick(LaneBuilder& builder, llvm::Value* row, llvm::Value* places) const override;
  llvm::Value* scale(LaneBuilder& builder, llvm::Value* x, llvm::Value* n) const override;
  llvm::Value* exponent(LaneBuilder& builder, llvm::Value* x) const override;
  llvm::Value* significand(LaneBuilder& builder, llvm::Value* x) const override;
  llvm::Value* with_logarithm_poles(LaneBuilder& builder, llvm::Value* x,
                                    llvm::Value* logarithm) const override;
  llvm::Value* extremum(LaneBuilder& builder, llvm::Value* x, llvm::Value* y,
                        bool is_minimum) const override;
  void store_past_caches(LaneBuilder& builder, llvm::Value* vector, llvm::Value* place,
                         std::uint64_t alignment) const override;
  void fetch(LaneBuilder& builder, llvm::Value* place, Cache nearest) const override;

private:
  TargetFacts facts_;
};

} // namespace sinter::jit
