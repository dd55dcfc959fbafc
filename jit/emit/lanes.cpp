#include "jit/emit/lanes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cassert>

namespace sinter::jit {

using llvm::Value;

namespace {

/// <0, 1, …>
llvm::Constant* numbers_of(unsigned lanes, llvm::Type* element) {
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(llvm::ConstantInt::get(element, lane));
  return llvm::ConstantVector::get(numbers);
}

} // namespace

LaneBuilder::LaneBuilder(KernelModule& kernel_module, llvm::Function* llvm_function)
    : kernel(kernel_module), function(llvm_function), ir(kernel_module.module.getContext()) {
  auto* entry = llvm::BasicBlock::Create(ir.getContext(), "entry", function);
  auto* start = llvm::BasicBlock::Create(ir.getContext(), "start", function);
  ir.SetInsertPoint(entry);
  ir.CreateBr(start); // slots go in front of it
  ir.SetInsertPoint(start);
  llvm::FastMathFlags flags;
  flags.setAllowContract(kernel.floats == FloatMode::Contract);
  ir.setFastMathFlags(flags);
}

void LaneBuilder::enter_lanes(Value* initial_mask) {
  assert(lanes_ == 1 && mask == nullptr);
  lanes_ = kernel.width;
  mask = initial_mask_ = initial_mask;
  first_active_ = nullptr;
}

void LaneBuilder::leave_lanes() {
  lanes_ = 1;
  mask = nullptr;
}

// ---- types and constants -----------------------------------------------------------------------

llvm::Type* LaneBuilder::type(ElementType element) const {
  auto& context = function->getContext();
  switch (element) {
  case ElementType::Bool:
    return llvm::Type::getInt1Ty(context);
  case ElementType::F16:
    return llvm::Type::getHalfTy(context);
  case ElementType::F32:
    return llvm::Type::getFloatTy(context);
  case ElementType::F64:
    return llvm::Type::getDoubleTy(context);
  default:
    return llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * byte_size(element)));
  }
}

llvm::Type* LaneBuilder::memory_type(ElementType element) const {
  return element == ElementType::Bool ? llvm::Type::getInt8Ty(function->getContext())
                                      : type(element);
}

llvm::Type* LaneBuilder::type(ElementType element, Shape shape) const {
  if (shape == Shape::Varying) return llvm::FixedVectorType::get(type(element), lanes_);
  return type(element);
}

llvm::ConstantInt* LaneBuilder::i64(std::int64_t number) const {
  return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(function->getContext()), number);
}

llvm::Constant* LaneBuilder::literal(ElementType element, Scalar scalar) const {
  llvm::Type* const result = type(element);
  if (!is_float(element))
    return llvm::ConstantInt::get(result,
                                  llvm::APInt(64, scalar.bits).trunc(result->getIntegerBitWidth()));
  const auto bits = static_cast<unsigned>(8 * byte_size(element));
  return llvm::ConstantFP::get(
      result->getContext(),
      llvm::APFloat(result->getFltSemantics(), llvm::APInt(64, scalar.bits).trunc(bits)));
}

LaneValue LaneBuilder::constant(ElementType element, Scalar scalar) const {
  return uniform(literal(element, scalar), element);
}

Value* LaneBuilder::to_word(Value* scalar, ElementType element) {
  const auto bits = static_cast<unsigned>(8 * byte_size(element));
  if (is_float(element)) scalar = ir.CreateBitCast(scalar, ir.getIntNTy(bits));
  return is_signed(element) ? ir.CreateSExt(scalar, ir.getInt64Ty())
                            : ir.CreateZExt(scalar, ir.getInt64Ty());
}

Value* LaneBuilder::from_word(Value* word, ElementType element) {
  if (!is_float(element)) return ir.CreateTrunc(word, type(element));
  const auto bits = static_cast<unsigned>(8 * byte_size(element));
  return ir.CreateBitCast(ir.CreateTrunc(word, ir.getIntNTy(bits)), type(element));
}

// ---- shapes ------------------------------------------------------------------------------------

Value* LaneBuilder::splat(Value* scalar) {
  return in_lanes() ? ir.CreateVectorSplat(lanes_, scalar) : scalar;
}

Value* LaneBuilder::lane_numbers(llvm::Type* element) {
  return numbers_of(lanes_, element);
}

Value* LaneBuilder::first_lanes(unsigned lanes, Value* count) {
  return ir.CreateICmpSLT(numbers_of(lanes, ir.getInt64Ty()), ir.CreateVectorSplat(lanes, count));
}

Value* LaneBuilder::first_lanes_of(unsigned lanes, Value* counts) {
  return ir.CreateICmpSLT(numbers_of(lanes, ir.getInt32Ty()), counts);
}

Value* LaneBuilder::vector(const LaneValue& value) {
  if (!in_lanes()) {
    assert(value.shape == Shape::Uniform);
    return value.value;
  }
  switch (value.shape) {
  case Shape::Uniform:
    return splat(value.value);
  case Shape::Linear:
    return ir.CreateAdd(splat(value.value), lane_numbers(value.value->getType()));
  case Shape::Varying:
    return value.value;
  }
  __builtin_unreachable();
}

LaneValue LaneBuilder::add(const LaneValue& a, const LaneValue& b) {
  if (a.shape == Shape::Uniform || b.shape == Shape::Uniform) {
    const Shape shape = std::max(a.shape, b.shape);
    if (shape != Shape::Varying) return {ir.CreateAdd(a.value, b.value), shape, a.element};
  }
  LaneValue sum{ir.CreateAdd(vector(a), vector(b)), Shape::Varying, a.element};
  const LaneValue& apart = a.first ? a : b;
  if (const LaneValue& other = a.first ? b : a; apart.first && other.shape != Shape::Varying) {
    sum.first = ir.CreateAdd(apart.first, other.value);
    sum.step = other.shape == Shape::Uniform
                   ? apart.step
                   : ir.CreateAdd(apart.step, llvm::ConstantInt::get(apart.step->getType(), 1));
  }
  const LaneValue& moved = a.line ? a : b;
  const LaneValue& distance = a.line ? b : a;
  if (moved.line && distance.shape == Shape::Uniform) {
    const auto by = [&](Value* place) {
      return place ? ir.CreateAdd(place, distance.value) : nullptr;
    };
    lines_.push_back({by(moved.line->base), by(moved.line->low), by(moved.line->high),
                      moved.line->is_below, moved.line->is_above});
    sum.line = &lines_.back();
  }
  return sum;
}

LaneValue LaneBuilder::clamped(const LaneValue& indices, Value* bound, bool is_low) {
  Value* const lanes_indices = vector(indices);
  Value* const bounds = splat(bound);
  Value* const is_beyond =
      is_low ? ir.CreateICmpSLT(lanes_indices, bounds) : ir.CreateICmpSGT(lanes_indices, bounds);
  LaneValue result = varying(ir.CreateSelect(is_beyond, bounds, lanes_indices), indices.element);
  if (indices.shape == Shape::Linear) {
    lines_.push_back({indices.value});
  } else if (indices.line && !(is_low ? indices.line->low : indices.line->high)) {
    lines_.push_back(*indices.line);
  } else {
    return result;
  }
  ClampedLine& line = lines_.back();
  (is_low ? line.low : line.high) = bound;
  (is_low ? line.is_below : line.is_above) = is_beyond;
  if (Value*& has_other = is_low ? line.is_above : line.is_below)
    has_other = ir.CreateAnd(has_other, ir.CreateNot(is_beyond));
  result.line = &line;
  return result;
}

Value* LaneBuilder::last_lane() {
  Value* const last = i64(std::int64_t{lanes_} - 1);
  if (!mask) return last;
  if (mask != initial_mask_ || !first_active_) return nullptr;
  return lesser_of(ir.CreateSub(first_active_, i64(1)), last);
}

LaneValue LaneBuilder::in_two_parts(Value* first, Value* last, Value* is_behind,
                                    ElementType element) {
  LaneValue result = varying(ir.CreateSelect(is_behind, splat(last), splat(first)), element);
  parts_.push_back({first, last, is_behind});
  result.parts = &parts_.back();
  return result;
}

LaneValue LaneBuilder::multiply(const LaneValue& a, Value* factor) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(factor); number && number->isOne())
    return a;
  switch (a.shape) {
  case Shape::Uniform:
    return {ir.CreateMul(a.value, factor), Shape::Uniform, a.element};
  case Shape::Linear: { // the lanes' part does not depend on the base, so loops can keep it
    Value* const first = ir.CreateMul(a.value, factor);
    LaneValue product = varying(
        ir.CreateAdd(splat(first), ir.CreateMul(splat(factor), lane_numbers(factor->getType()))),
        a.element);
    product.first = first;
    product.step = factor;
    return product;
  }
  case Shape::Varying:
    return {ir.CreateMul(a.value, splat(factor)), Shape::Varying, a.element};
  }
  __builtin_unreachable();
}

Value* LaneBuilder::greatest(const LaneValue& value) {
  if (value.shape == Shape::Uniform) return value.value;
  Value* lanes_value = vector(value);
  if (mask)
    lanes_value =
        ir.CreateSelect(mask, lanes_value, llvm::Constant::getNullValue(lanes_value->getType()));
  return ir.CreateIntMaxReduce(lanes_value, true);
}

// ---- masks -------------------------------------------------------------------------------------

Value* LaneBuilder::all_lanes() {
  return llvm::ConstantInt::getTrue(type(ElementType::Bool, Shape::Varying));
}

Value* LaneBuilder::and_mask(Value* condition) {
  return mask ? ir.CreateAnd(mask, condition) : condition;
}

Value* LaneBuilder::any(Value* lanes_mask) {
  if (Value* const in_any = any_beyond(lanes_mask)) return in_any;
  auto* bits = ir.CreateBitCast(lanes_mask, ir.getIntNTy(lanes_));
  return ir.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

Value* LaneBuilder::any_beyond(Value* lanes_mask) {
  using namespace llvm::PatternMatch;
  llvm::CmpInst::Predicate predicate{};
  Value *numbers = nullptr, *bounds = nullptr;
  Value* const negated = match(lanes_mask, m_Not(m_Value(numbers))) ? numbers : nullptr;
  if (!match(negated ? negated : lanes_mask, m_ICmp(predicate, m_Value(numbers), m_Value(bounds))))
    return nullptr;
  if (negated) predicate = llvm::CmpInst::getInversePredicate(predicate);
  if (!llvm::getSplatValue(bounds)) {
    std::swap(numbers, bounds);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  Value* const bound = llvm::getSplatValue(bounds);
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(numbers->getType());
  if (!bound || !type || type->getScalarSizeInBits() != 32 ||
      !llvm::CmpInst::isRelational(predicate))
    return nullptr;
  const std::size_t register_lanes = kernel.facts().vector_bytes / 4;
  unsigned lanes = type->getNumElements();
  if (register_lanes == 0 || lanes <= register_lanes || !llvm::isPowerOf2_32(lanes)) return nullptr;
  const bool is_above = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
  const bool is_signed = llvm::CmpInst::isSigned(predicate);
  const auto extreme = is_above ? (is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax)
                                : (is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
  for (; lanes > register_lanes; lanes /= 2) {
    const auto half = [&](unsigned first) {
      return ir.CreateShuffleVector(numbers, llvm::createSequentialMask(first, lanes / 2, 0));
    };
    numbers = ir.CreateBinaryIntrinsic(extreme, half(0), half(lanes / 2));
  }
  Value* const beyond = ir.CreateICmp(predicate, numbers, ir.CreateVectorSplat(lanes, bound));
  auto* const bits = ir.CreateBitCast(beyond, ir.getIntNTy(lanes));
  return ir.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0));
}

Value* LaneBuilder::first_lane(Value* lanes_mask) {
  auto* bits = ir.CreateBitCast(lanes_mask, ir.getIntNTy(lanes_));
  auto* count = ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, ir.getFalse());
  return ir.CreateZExtOrTrunc(count, ir.getInt64Ty());
}

Value* LaneBuilder::count_lanes(Value* lanes_mask) {
  auto* bits =
      ir.CreateZExtOrTrunc(ir.CreateBitCast(lanes_mask, ir.getIntNTy(lanes_)), ir.getInt64Ty());
  return ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits);
}

// ---- memory ------------------------------------------------------------------------------------

LaneValue LaneBuilder::element_offset(const ArrayView& array, std::span<const LaneValue> indices) {
  assert(indices.size() <= array.strides.size());
  LaneValue offset = array.offset;
  for (std::size_t i = 0; i < indices.size(); ++i)
    offset = add(offset, multiply(indices[i], array.strides[i]));
  return offset;
}

ArrayView LaneBuilder::subarray(const ArrayView& array, std::span<const LaneValue> indices) {
  ArrayView result = array;
  result.offset = element_offset(array, indices);
  result.strides.erase(result.strides.begin(),
                       result.strides.begin() + static_cast<std::ptrdiff_t>(indices.size()));
  if (result.strides.size() <= 1) result.is_row_major = true;
  return result;
}

LaneValue LaneBuilder::load(const ArrayView& array, const LaneValue& offset) {
  llvm::Type* const element = memory_type(array.element);
  const llvm::Align alignment(byte_size(array.element));
  Value* const pointer = ir.CreateGEP(element, array.base, offset.value);
  Value* loaded = nullptr;
  if (offset.shape == Shape::Uniform) {
    loaded = ir.CreateAlignedLoad(element, pointer, alignment);
  } else {
    auto* lanes_type = llvm::FixedVectorType::get(element, lanes_);
    auto* zero = llvm::Constant::getNullValue(lanes_type);
    if (offset.line)
      loaded = load_line(array, *offset.line);
    else if (offset.first && !mask && !kernel.facts().scatters)
      loaded = load_apart(array, offset);
    else if (offset.shape == Shape::Varying)
      loaded = ir.CreateMaskedGather(lanes_type, pointer, alignment, mask_or_all(), zero);
    else if (mask)
      loaded = ir.CreateMaskedLoad(lanes_type, pointer, alignment, mask, zero);
    else
      loaded = ir.CreateAlignedLoad(lanes_type, pointer, alignment);
  }
  if (array.element == ElementType::Bool)
    loaded = ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()));
  return {loaded, offset.shape == Shape::Uniform ? Shape::Uniform : Shape::Varying, array.element};
}

/// Elements that lie equally far apart, one after the other: a processor whose gathers are made of
/// loads takes each address out of a vector first.
Value* LaneBuilder::load_apart(const ArrayView& array, const LaneValue& offset) {
  llvm::Type* const element = memory_type(array.element);
  Value* loaded = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, lanes_));
  Value* place = ir.CreateGEP(element, array.base, offset.first);
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    if (lane > 0) place = ir.CreateGEP(element, place, offset.step);
    loaded = ir.CreateInsertElement(
        loaded, ir.CreateAlignedLoad(element, place, llvm::Align(byte_size(array.element))), lane);
  }
  return loaded;
}

/// What lies on the line, and one element for each bound that a lane has.
Value* LaneBuilder::load_line(const ArrayView& array, const ClampedLine& line) {
  llvm::Type* const element = memory_type(array.element);
  const llvm::Align alignment(byte_size(array.element));
  auto* const lanes_type = llvm::FixedVectorType::get(element, lanes_);
  const auto place = [&](Value* offset) { return ir.CreateGEP(element, array.base, offset); };
  Value* within = mask_or_all();
  for (Value* beyond : {line.is_below, line.is_above})
    if (beyond) within = ir.CreateAnd(within, ir.CreateNot(beyond));
  Value* loaded = ir.CreateMaskedLoad(lanes_type, place(line.base), alignment, within,
                                      llvm::Constant::getNullValue(lanes_type));
  const auto at_bound = [&](Value* bound, Value* beyond) {
    if (!bound) return;
    Value* const lanes_beyond = and_mask(beyond);
    Value* const there = ir.CreateSelect(any(lanes_beyond), place(bound), stack(element, 1));
    loaded = ir.CreateSelect(lanes_beyond, splat(ir.CreateAlignedLoad(element, there, alignment)),
                             loaded);
  };
  at_bound(line.low, line.is_below);
  at_bound(line.high, line.is_above);
  return loaded;
}

void LaneBuilder::store(const ArrayView& array, const LaneValue& offset, const LaneValue& value) {
  llvm::Type* const element = memory_type(array.element);
  const llvm::Align alignment(byte_size(array.element));
  Value* stored = in_lanes() ? vector(value) : value.value;
  if (array.element == ElementType::Bool)
    stored =
        ir.CreateZExt(stored, in_lanes() ? llvm::FixedVectorType::get(element, lanes_) : element);
  if (!in_lanes()) {
    ir.CreateAlignedStore(stored, ir.CreateGEP(element, array.base, offset.value), alignment);
    return;
  }
  if (offset.shape == Shape::Linear) {
    auto* pointer = ir.CreateGEP(element, array.base, offset.value);
    if (mask && array.is_private && !kernel.facts().has_quick_masked_stores) {
      // (Lanes that were not active at first never become so: nobody reads what is theirs.)
      if (mask != initial_mask_)
        stored = ir.CreateSelect(mask, stored,
                                 ir.CreateAlignedLoad(stored->getType(), pointer, alignment));
      ir.CreateAlignedStore(stored, pointer, alignment);
    } else if (mask && !array.is_padded)
      ir.CreateMaskedStore(stored, pointer, alignment, mask);
    else if (array.is_streamed)
      kernel.hooks.store_past_caches(*this, stored, pointer, streamed_alignment(stored->getType()));
    else
      ir.CreateAlignedStore(stored, pointer, alignment);
    return;
  }
  Value* places = ir.CreateGEP(element, array.base, vector(offset));
  const bool has_instruction = kernel.facts().scatters && byte_size(array.element) >= 4;
  if (!mask || !array.is_scattered || has_instruction) {
    ir.CreateMaskedScatter(stored, places, alignment, mask_or_all());
    return;
  }
  // One after the other, those that are not active to where nobody reads: jumping over them, a
  // processor would have to guess.
  places = ir.CreateSelect(mask, places, splat(stack(element, 1)));
  for (unsigned lane = 0; lane < lanes_; ++lane)
    ir.CreateAlignedStore(ir.CreateExtractElement(stored, lane),
                          ir.CreateExtractElement(places, lane), alignment);
}

std::uint64_t LaneBuilder::streamed_alignment(llvm::Type* vector) const {
  constexpr std::uint64_t cache_line = 64;
  const std::uint64_t bytes = kernel.module.getDataLayout().getTypeStoreSize(vector);
  return std::min(bytes, cache_line);
}

Value* LaneBuilder::is_streamable(const ArrayView& array, Value* index) {
  constexpr std::uint64_t least = 16; // bytes of the smallest such store
  auto* const vector = llvm::FixedVectorType::get(memory_type(array.element), kernel.width);
  const std::uint64_t alignment = streamed_alignment(vector);
  if (!kernel.facts().stores_past_caches || alignment < least || array.strides.size() != 1)
    return nullptr;
  const LaneValue at = uniform(index);
  Value* const address = ir.CreatePtrToInt(
      ir.CreateGEP(memory_type(array.element), array.base, element_offset(array, {&at, 1}).value),
      ir.getInt64Ty());
  const auto is_zero = [&](Value* number) { return ir.CreateICmpEQ(number, i64(0)); };
  return ir.CreateAnd(
      ir.CreateICmpEQ(array.strides[0], i64(1)),
      is_zero(ir.CreateAnd(address, i64(static_cast<std::int64_t>(alignment) - 1))));
}

// ---- control -----------------------------------------------------------------------------------

Value* LaneBuilder::greater_of(Value* a, Value* b) {
  return ir.CreateSelect(ir.CreateICmpSGT(a, b), a, b);
}

Value* LaneBuilder::lesser_of(Value* a, Value* b) {
  return ir.CreateSelect(ir.CreateICmpSLT(a, b), a, b);
}

llvm::BasicBlock* LaneBuilder::block(const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, function);
}

void LaneBuilder::if_then(Value* condition, const std::function<void()>& then) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    if (known->isOne()) then();
    return;
  }
  auto* inside = block("then");
  auto* after = block("after");
  ir.CreateCondBr(condition, inside, after);
  ir.SetInsertPoint(inside);
  then();
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
}

void LaneBuilder::if_then_else(Value* condition, const std::function<void()>& then,
                               const std::function<void()>& otherwise) {
  auto* first = block("then");
  auto* second = block("else");
  auto* after = block("after");
  ir.CreateCondBr(condition, first, second);
  ir.SetInsertPoint(first);
  then();
  ir.CreateBr(after);
  ir.SetInsertPoint(second);
  otherwise();
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
}

void LaneBuilder::loop(Value* begin, Value* end, std::int64_t step,
                       const std::function<void(Value*)>& body) {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  const auto* last = llvm::dyn_cast<llvm::ConstantInt>(end);
  if (first && last) { // no iteration, or just one
    if (first->getSExtValue() >= last->getSExtValue()) return;
    if (last->getSExtValue() - first->getSExtValue() <= step) return body(begin);
  }
  using namespace llvm::PatternMatch;
  if (match(end, m_NSWAdd(m_Specific(begin), m_One()))) return body(begin);
  auto* header = block("loop");
  auto* inside = block("body");
  auto* after = block("done");
  auto* before = ir.GetInsertBlock();
  ir.CreateBr(header);
  ir.SetInsertPoint(header);
  auto* counter = ir.CreatePHI(ir.getInt64Ty(), 2, "i");
  counter->addIncoming(begin, before);
  ir.CreateCondBr(ir.CreateICmpSLT(counter, end), inside, after);
  ir.SetInsertPoint(inside);
  body(counter);
  counter->addIncoming(ir.CreateAdd(counter, i64(step), "next", true, true), ir.GetInsertBlock());
  ir.CreateBr(header);
  ir.SetInsertPoint(after);
}

void LaneBuilder::while_loop(const std::function<Value*()>& condition,
                             const std::function<void()>& body) {
  auto* header = block("while");
  auto* inside = block("body");
  auto* after = block("done");
  ir.CreateBr(header);
  ir.SetInsertPoint(header);
  Value* const go_on = condition();
  ir.CreateCondBr(go_on, inside, after);
  ir.SetInsertPoint(inside);
  body();
  ir.CreateBr(header);
  ir.SetInsertPoint(after);
}

Value* LaneBuilder::end_of_whole(Value* begin, Value* end) {
  Value* const count = greater_of(ir.CreateSub(end, begin), i64(0));
  return ir.CreateAdd(begin, ir.CreateAnd(count, i64(-std::int64_t{kernel.width})));
}

void LaneBuilder::whole_lanes(Value* begin, Value* end_of_whole,
                              const std::function<void(Value*)>& body) {
  assert(!in_lanes());
  loop(begin, end_of_whole, kernel.width, [&](Value* first) {
    enter_lanes(nullptr);
    body(first);
    leave_lanes();
  });
}

void LaneBuilder::masked_lanes(Value* first, Value* end, const std::function<void(Value*)>& body) {
  assert(!in_lanes());
  Value* const count = ir.CreateSub(end, first);
  enter_lanes(first_lanes(kernel.width, count));
  first_active_ = count;
  body(first);
  leave_lanes();
}

void LaneBuilder::lanes_range(Value* begin, Value* end, const std::function<void(Value*)>& body,
                              bool emits_once) {
  if (emits_once) {
    loop(begin, end, kernel.width, [&](Value* first) { masked_lanes(first, end, body); });
    return;
  }
  auto* const rest = end_of_whole(begin, end);
  whole_lanes(begin, rest, body);
  if_then(ir.CreateICmpSLT(rest, end), [&] { masked_lanes(rest, end, body); });
}

// ---- variables ---------------------------------------------------------------------------------

llvm::AllocaInst* LaneBuilder::stack(llvm::Type* element, std::int64_t count) {
  llvm::IRBuilder<> entry(function->getEntryBlock().getTerminator());
  return entry.CreateAlloca(
      element, count == 1 ? nullptr : entry.getInt64(static_cast<std::uint64_t>(count)));
}

Variable LaneBuilder::variable(ElementType element, Shape shape) {
  assert(shape != Shape::Linear);
  if (!in_lanes()) shape = Shape::Uniform;
  slots_.push_back(stack(type(element, shape), 1));
  return {slots_.back(), shape, element};
}

llvm::AllocaInst* LaneBuilder::pointer_variable() {
  slots_.push_back(stack(ir.getPtrTy(), 1));
  return slots_.back();
}

LaneValue LaneBuilder::get(const Variable& variable) {
  return {ir.CreateLoad(variable.slot->getAllocatedType(), variable.slot), variable.shape,
          variable.element};
}

void LaneBuilder::set(const Variable& variable, const LaneValue& value) {
  assert(variable.shape == Shape::Varying || value.shape == Shape::Uniform);
  ir.CreateStore(variable.shape == Shape::Varying ? vector(value) : value.value, variable.slot);
}

void LaneBuilder::set_active(const Variable& variable, const LaneValue& value) {
  if (variable.shape != Shape::Varying || !mask) return set(variable, value);
  ir.CreateStore(ir.CreateSelect(mask, vector(value), get(variable).value), variable.slot);
}

void LaneBuilder::promote_variables() {
  llvm::DominatorTree dominators(*function);
  std::vector<llvm::AllocaInst*> promotable;
  for (auto* slot : slots_)
    if (llvm::isAllocaPromotable(slot)) promotable.push_back(slot);
  llvm::PromoteMemToReg(promotable, dominators);
}

} // namespace sinter::jit
