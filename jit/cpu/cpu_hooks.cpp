#include "jit/cpu/cpu_hooks.h"

#include "jit/emit/lanes.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace sinter::jit {

using llvm::Value;

namespace {

TargetFacts facts_of(VectorInstructions instructions) {
  const bool has_avx2 = instructions >= VectorInstructions::Avx2;
  const bool has_avx512 = instructions >= VectorInstructions::Avx512;
  TargetFacts facts;
  facts.vector_bytes = has_avx512 ? 64 : has_avx2 ? 32 : 16;
  facts.vector_registers = has_avx512 ? 32 : 16;
  facts.has_gathers_and_masks = has_avx2;
  facts.rounds_lanes = has_avx2;
  facts.converts_wide_lanes = has_avx512;
  facts.compresses_lanes = has_avx512;
  facts.stores_past_caches = true;
  facts.fetches = true;
  facts.stack_limit = 8 * 1024;
  facts.stack_limit_of_function = 64 * 1024;
  facts.has_fma = has_avx2;
  return facts;
}

} // namespace

CpuHooks::CpuHooks(VectorInstructions instructions) : facts_(facts_of(instructions)) {}

void CpuHooks::note_failure(LaneBuilder& b, const FramePointers& frame, Value* index,
                            std::uint32_t site) const {
  const auto note = b.kernel.module.getOrInsertFunction(
      "sinter_note_failure",
      llvm::FunctionType::get(b.ir.getVoidTy(),
                              {b.ir.getPtrTy(), b.ir.getInt64Ty(), b.ir.getInt32Ty()}, false));
  b.ir.CreateCall(note, {frame.failure, index, b.ir.getInt32(site)});
}

Value* CpuHooks::may_go_on(LaneBuilder& b, const FramePointers& frame) const {
  auto* const word = b.ir.CreateAlignedLoad(b.ir.getInt32Ty(), frame.epoch, llvm::Align(4));
  word->setAtomic(llvm::AtomicOrdering::Monotonic);
  return b.ir.CreateICmpEQ(word, frame.start_epoch);
}

Value* CpuHooks::allocate(LaneBuilder& b, const FramePointers& frame, Value* bytes,
                          std::size_t) const {
  const auto allocator = b.kernel.module.getOrInsertFunction(
      "sinter_arena_allocate",
      llvm::FunctionType::get(b.ir.getPtrTy(), {b.ir.getPtrTy(), b.ir.getInt64Ty()}, false));
  return b.ir.CreateCall(allocator, {frame.arena, bytes});
}

Value* CpuHooks::mark(LaneBuilder& b, const FramePointers& frame) const {
  const auto mark = b.kernel.module.getOrInsertFunction(
      "sinter_arena_mark", llvm::FunctionType::get(b.ir.getInt64Ty(), {b.ir.getPtrTy()}, false));
  return b.ir.CreateCall(mark, {frame.arena});
}

void CpuHooks::release(LaneBuilder& b, const FramePointers& frame, Value* mark) const {
  const auto release = b.kernel.module.getOrInsertFunction(
      "sinter_arena_release",
      llvm::FunctionType::get(b.ir.getVoidTy(), {b.ir.getPtrTy(), b.ir.getInt64Ty()}, false));
  b.ir.CreateCall(release, {frame.arena, mark});
}

Value* CpuHooks::compress(LaneBuilder& b, Value* vector, Value* kept) const {
  return b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {vector->getType()},
                              {vector, llvm::Constant::getNullValue(vector->getType()), kept});
}

void CpuHooks::store_past_caches(LaneBuilder& b, Value* vector, Value* place,
                                 std::uint64_t alignment) const {
  auto* const store = b.ir.CreateAlignedStore(vector, place, llvm::Align(alignment));
  store->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(b.ir.getContext(), llvm::ConstantAsMetadata::get(b.ir.getInt32(1))));
}

void CpuHooks::fetch(LaneBuilder& b, Value* place) const {
  b.ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.ir.getPtrTy()},
                       {place, b.ir.getInt32(0), b.ir.getInt32(3), b.ir.getInt32(1)});
}

} // namespace sinter::jit
