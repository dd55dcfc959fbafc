#include "jit/cpu/cpu_hooks.h"

#include "jit/cpu/streaming.h"
#include "jit/emit/lanes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <optional>
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
  facts.takes_floats_apart = has_avx512;
  facts.orders_floats = has_avx512;
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

/// Instructions of AVX-512 on floats that LLVM has as intrinsics of registers.
enum class FloatInstruction : std::uint8_t { Scale, Exponent, Significand, Poles, Range };

/// By the bytes of a register: 16, 32 or 64.
llvm::Intrinsic::ID intrinsic_of(FloatInstruction instruction, bool is_double, unsigned bytes) {
  using namespace llvm;
  struct Names {
    std::array<Intrinsic::ID, 3> single, wide;
  };
  static constexpr std::array<Names, 5> names = {
      {{{Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
         Intrinsic::x86_avx512_mask_scalef_ps_512},
        {Intrinsic::x86_avx512_mask_scalef_pd_128, Intrinsic::x86_avx512_mask_scalef_pd_256,
         Intrinsic::x86_avx512_mask_scalef_pd_512}},
       {{Intrinsic::x86_avx512_mask_getexp_ps_128, Intrinsic::x86_avx512_mask_getexp_ps_256,
         Intrinsic::x86_avx512_mask_getexp_ps_512},
        {Intrinsic::x86_avx512_mask_getexp_pd_128, Intrinsic::x86_avx512_mask_getexp_pd_256,
         Intrinsic::x86_avx512_mask_getexp_pd_512}},
       {{Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
         Intrinsic::x86_avx512_mask_getmant_ps_512},
        {Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
         Intrinsic::x86_avx512_mask_getmant_pd_512}},
       {{Intrinsic::x86_avx512_mask_fixupimm_ps_128, Intrinsic::x86_avx512_mask_fixupimm_ps_256,
         Intrinsic::x86_avx512_mask_fixupimm_ps_512},
        {Intrinsic::x86_avx512_mask_fixupimm_pd_128, Intrinsic::x86_avx512_mask_fixupimm_pd_256,
         Intrinsic::x86_avx512_mask_fixupimm_pd_512}},
       {{Intrinsic::x86_avx512_mask_range_ps_128, Intrinsic::x86_avx512_mask_range_ps_256,
         Intrinsic::x86_avx512_mask_range_ps_512},
        {Intrinsic::x86_avx512_mask_range_pd_128, Intrinsic::x86_avx512_mask_range_pd_256,
         Intrinsic::x86_avx512_mask_range_pd_512}}}};
  const Names& of = names[static_cast<std::size_t>(instruction)];
  return (is_double ? of.wide : of.single)[bytes == 16 ? 0 : bytes == 32 ? 1 : 2];
}

/// What FIXUPIMM puts in place of a logarithm, four bits a class of its argument, from quiet NaN,
/// signalling NaN, zero, one, -infinity, infinity, negative to positive (Intel's manual, volume
/// 2): 0 leaves the result, 2 is the argument as a quiet NaN, 3 a NaN, 4 -infinity, 5 infinity.
constexpr std::uint32_t logarithm_poles = 0x0353'0422;

/// What GETMANT gives: from 1 to 2, with the argument's sign.
constexpr std::uint32_t from_one_to_two = 0;
/// What RANGE gives: the lesser, or the greater one, with the sign that it has.
constexpr std::uint32_t lesser = 0b0100, greater = 0b0101;

/// The instruction on each register of the vectors; `choice` is the number in it, if it has one.
Value* in_registers(LaneBuilder& b, FloatInstruction instruction, std::vector<Value*> operands,
                    std::optional<std::uint32_t> choice = std::nullopt) {
  auto* const all = llvm::cast<llvm::FixedVectorType>(operands[0]->getType());
  llvm::Type* const element = all->getElementType();
  const unsigned element_bytes = element->getScalarSizeInBits() / 8;
  const unsigned bytes = std::min(64U, all->getNumElements() * element_bytes);
  assert(bytes >= 16);
  const unsigned lanes = bytes / element_bytes;
  auto* const part_type = llvm::FixedVectorType::get(element, lanes);
  const llvm::Intrinsic::ID intrinsic = intrinsic_of(instruction, element_bytes == 8, bytes);
  Value* const mask = llvm::Constant::getAllOnesValue(b.ir.getIntNTy(std::max(8U, lanes)));
  std::vector<Value*> parts;
  for (unsigned first = 0; first < all->getNumElements(); first += lanes) {
    std::vector<int> numbers(lanes);
    std::iota(numbers.begin(), numbers.end(), static_cast<int>(first));
    std::vector<Value*> arguments;
    for (Value* const operand : operands) {
      const bool is_again = !arguments.empty() && operand == operands[0];
      arguments.push_back(is_again ? arguments[0] : b.ir.CreateShuffleVector(operand, numbers));
    }
    if (instruction == FloatInstruction::Poles)
      arguments.push_back(llvm::ConstantVector::getSplat(
          llvm::ElementCount::getFixed(lanes), b.ir.getIntN(element_bytes * 8, logarithm_poles)));
    if (choice) arguments.push_back(b.ir.getInt32(*choice));
    if (instruction != FloatInstruction::Poles) // of lanes outside of the mask
      arguments.push_back(llvm::Constant::getNullValue(part_type));
    arguments.push_back(mask);
    if (bytes == 64) arguments.push_back(b.ir.getInt32(4)); // rounds as usual
    parts.push_back(b.ir.CreateIntrinsic(intrinsic, {}, arguments));
  }
  return llvm::concatenateVectors(b.ir, parts);
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

Value* CpuHooks::scale(LaneBuilder& b, Value* x, Value* n) const {
  return in_registers(b, FloatInstruction::Scale, {x, n});
}

Value* CpuHooks::exponent(LaneBuilder& b, Value* x) const {
  return in_registers(b, FloatInstruction::Exponent, {x});
}

Value* CpuHooks::significand(LaneBuilder& b, Value* x) const {
  return in_registers(b, FloatInstruction::Significand, {x}, from_one_to_two);
}

Value* CpuHooks::with_logarithm_poles(LaneBuilder& b, Value* x, Value* logarithm) const {
  constexpr std::uint32_t no_exceptions = 0;
  return in_registers(b, FloatInstruction::Poles, {logarithm, x}, no_exceptions);
}

Value* CpuHooks::extremum(LaneBuilder& b, Value* x, Value* y, bool is_minimum) const {
  const std::uint32_t choice = is_minimum ? lesser : greater;
  // Of a signalling NaN and a number it would give NaN.  Of one number alone, it makes such a NaN a
  // quiet one; where that is none anyway, drop_quieting takes it out.
  const auto quiet = [&](Value* number) {
    return in_registers(b, FloatInstruction::Range, {number, number}, choice);
  };
  return in_registers(b, FloatInstruction::Range, {quiet(x), quiet(y)}, choice);
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
