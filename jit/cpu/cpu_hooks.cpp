#include "jit/cpu/cpu_hooks.h"

#include "jit/cpu/streaming.h"
#include "jit/emit/lanes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <cassert>
#include <numeric>
#include <string>
#include <vector>

namespace sinter::jit {

using llvm::Value;

TargetFacts facts_of(VectorInstructions instructions, bool is_zen) {
  const bool has_avx2 = instructions >= VectorInstructions::Avx2;
  const bool has_avx512 = instructions >= VectorInstructions::Avx512;
  TargetFacts facts;
  facts.vector_bytes = has_avx512 ? 64 : has_avx2 ? 32 : 16;
  facts.vector_registers = has_avx512 ? 32 : 16;
  facts.has_gathers_and_masks = has_avx2;
  facts.scatters = has_avx512;
  facts.has_quick_masked_stores = has_avx512;
  facts.rounds_lanes = has_avx2;
  facts.converts_wide_lanes = has_avx512;
  facts.compresses_lanes = has_avx2;
  facts.picks_lanes = has_avx2;
  facts.stores_past_caches = true;
  facts.beyond_caches_bytes = beyond_caches_bytes;
  facts.fetches = true;
  if (is_zen) {
    facts.fetch_distance = 2048;
    facts.second_fetch_distance = 4096;
    facts.reads_pairs_from_afar = false;
  }
  facts.stack_limit = std::int64_t{8} << 10;
  facts.stack_limit_of_function = std::int64_t{64} << 10;
  facts.has_fma = has_avx2;
  return facts;
}

namespace {

/// For each set of kept ones among a few elements of some words each: which words come first, eight
/// bytes.  A constant of the module.
llvm::GlobalVariable* order_of_kept(llvm::Module& module, unsigned elements, unsigned words) {
  constexpr unsigned order_size = 8;
  const std::string name =
      "order_of_kept_" + std::to_string(elements) + "x" + std::to_string(words);
  if (llvm::GlobalVariable* known = module.getNamedGlobal(name)) return known;
  std::vector<std::uint8_t> orders;
  for (unsigned kept = 0; kept < 1U << elements; ++kept) {
    for (unsigned element = 0; element < elements; ++element)
      for (unsigned word = 0; word < words && (kept >> element & 1) != 0; ++word)
        orders.push_back(static_cast<std::uint8_t>(element * words + word));
    orders.resize(std::size_t{order_size} * (kept + 1));
  }
  llvm::Constant* const values = llvm::ConstantDataArray::get(module.getContext(), orders);
  auto* const table =
      new llvm::GlobalVariable(module, values->getType(), true, // (the module owns it)
                               llvm::GlobalValue::PrivateLinkage, values, name);
  table->setAlignment(llvm::Align(order_size));
  return table;
}

/// Elements of 4 or 8 bytes, as many as a register has, or four of 4, with an instruction that
/// permutes eight words.  (After Lemire and others' table-driven compaction of vectors.)
Value* compressed_by_table(LaneBuilder& b, Value* vector, Value* kept) {
  constexpr unsigned register_words = 8;
  auto* const type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const unsigned elements = type->getNumElements();
  const unsigned words = type->getScalarSizeInBits() / 32;
  assert(words >= 1 && elements * words <= register_words);
  llvm::GlobalVariable* const table = order_of_kept(b.kernel.module, elements, words);
  Value* const which =
      b.ir.CreateZExt(b.ir.CreateBitCast(kept, b.ir.getIntNTy(elements)), b.ir.getInt64Ty());
  auto* const bytes = llvm::FixedVectorType::get(b.ir.getInt8Ty(), register_words);
  auto* const register_type = llvm::FixedVectorType::get(b.ir.getInt32Ty(), register_words);
  Value* const order = b.ir.CreateZExt(
      b.ir.CreateAlignedLoad(bytes, b.ir.CreateGEP(bytes, table, which), llvm::Align(8)),
      register_type);
  auto* const words_type = llvm::FixedVectorType::get(b.ir.getInt32Ty(), elements * words);
  std::vector<int> widened(register_words, -1), narrowed;
  for (unsigned word = 0; word < elements * words; ++word) {
    widened[word] = static_cast<int>(word);
    narrowed.push_back(static_cast<int>(word));
  }
  Value* const permuted = b.ir.CreateIntrinsic(
      llvm::Intrinsic::x86_avx2_permd, {},
      {b.ir.CreateShuffleVector(b.ir.CreateBitCast(vector, words_type), widened), order});
  return b.ir.CreateBitCast(b.ir.CreateShuffleVector(permuted, narrowed), type);
}

} // namespace

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

Value* CpuHooks::allocate(LaneBuilder& b, const FramePointers& frame, Value* bytes, std::size_t,
                          llvm::BasicBlock* lacking) const {
  const auto allocator = b.kernel.module.getOrInsertFunction(
      "sinter_arena_allocate",
      llvm::FunctionType::get(b.ir.getPtrTy(), {b.ir.getPtrTy(), b.ir.getInt64Ty()}, false));
  Value* const memory = b.ir.CreateCall(allocator, {frame.arena, bytes});
  auto* const allocated = b.block("allocated");
  b.ir.CreateCondBr(b.ir.CreateIsNull(memory), lacking, allocated);
  b.ir.SetInsertPoint(allocated);
  return memory;
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
  if (facts_.vector_bytes < 64) return compressed_by_table(b, vector, kept);
  return b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {vector->getType()},
                              {vector, llvm::Constant::getNullValue(vector->getType()), kept});
}

Value* CpuHooks::pick(LaneBuilder& b, Value* row, Value* places) const {
  const bool is_whole = facts_.vector_bytes == 64; // a register has the row
  const unsigned lanes = is_whole ? 16 : 8;
  const unsigned all = llvm::cast<llvm::FixedVectorType>(places->getType())->getNumElements();
  const auto part = [&](Value* vector, unsigned first) {
    std::vector<int> numbers(lanes);
    std::iota(numbers.begin(), numbers.end(), static_cast<int>(first));
    return b.ir.CreateShuffleVector(vector, numbers);
  };
  const auto permuted = [&](Value* half, Value* at) -> Value* {
    return b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {half, at});
  };
  std::vector<Value*> picked;
  for (unsigned first = 0; first < all; first += lanes) {
    Value* const at = part(places, first);
    if (is_whole) {
      picked.push_back(
          b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_si_512, {}, {row, at}));
      continue;
    }
    // (Of a place, the three lowest bits count.)
    Value* const is_above =
        b.ir.CreateICmpUGE(at, llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes),
                                                              b.ir.getInt32(lanes)));
    picked.push_back(
        b.ir.CreateSelect(is_above, permuted(part(row, lanes), at), permuted(part(row, 0), at)));
  }
  return llvm::concatenateVectors(b.ir, picked);
}

void CpuHooks::store_past_caches(LaneBuilder& b, Value* vector, Value* place,
                                 std::uint64_t alignment) const {
  auto* const store = b.ir.CreateAlignedStore(vector, place, llvm::Align(alignment));
  store->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(b.ir.getContext(), llvm::ConstantAsMetadata::get(b.ir.getInt32(1))));
}

void CpuHooks::fetch(LaneBuilder& b, Value* place, Cache nearest) const {
  const std::uint32_t locality = nearest == Cache::First ? 3 : 2;
  b.ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.ir.getPtrTy()},
                       {place, b.ir.getInt32(0), b.ir.getInt32(locality), b.ir.getInt32(1)});
}

} // namespace sinter::jit
