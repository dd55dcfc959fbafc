#include "gpu/ptx/rules.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Target/TargetOptions.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

// ---- orderings ---------------------------------------------------------------------------------

namespace {

/// Assembly of an access, and its constraints: `r` are registers of 32 bits, `l` of 64.
struct AssemblyRow {
  OrderedAccess access;
  unsigned bits;
  const char* text;
  const char* constraints;
};
constexpr AssemblyRow assembly_rows[] = {
    {OrderedAccess::Publish, 32, "st.release.gpu.global.u32 [$0], $1;", "l,r,~{memory}"},
    {OrderedAccess::Publish, 64, "st.release.gpu.global.u64 [$0], $1;", "l,l,~{memory}"},
    {OrderedAccess::Observe, 32, "ld.acquire.gpu.global.u32 $0, [$1];", "=r,l,~{memory}"},
    {OrderedAccess::Observe, 64, "ld.acquire.gpu.global.u64 $0, [$1];", "=l,l,~{memory}"},
    {OrderedAccess::Tell, 32, "st.relaxed.gpu.global.u32 [$0], $1;", "l,r"},
    {OrderedAccess::Tell, 64, "st.relaxed.gpu.global.u64 [$0], $1;", "l,l"},
    {OrderedAccess::Hear, 64, "ld.relaxed.gpu.global.u64 $0, [$1];", "=l,l"},
    {OrderedAccess::Fence, 32, "fence.acq_rel.gpu;", "~{memory}"},
    // (No clobber: other memory may be kept in registers over it.)
    {OrderedAccess::Poll, 32, "ld.relaxed.sys.global.u32 $0, [$1];", "=r,l"},
};

llvm::FunctionType* assembly_type(llvm::LLVMContext& context, const AssemblyRow& row) {
  llvm::Type* const word = llvm::Type::getIntNTy(context, row.bits);
  llvm::Type* const nothing = llvm::Type::getVoidTy(context);
  llvm::Type* const address = llvm::PointerType::get(context, 1);
  switch (row.access) {
  case OrderedAccess::Publish:
  case OrderedAccess::Tell:
    return llvm::FunctionType::get(nothing, {address, word}, false);
  case OrderedAccess::Observe:
  case OrderedAccess::Hear:
  case OrderedAccess::Poll:
    return llvm::FunctionType::get(word, {address}, false);
  case OrderedAccess::Fence:
    return llvm::FunctionType::get(nothing, false);
  }
  __builtin_unreachable();
}

} // namespace

llvm::InlineAsm* ordering_assembly(llvm::LLVMContext& context, OrderedAccess access,
                                   unsigned bits) {
  const auto* const row = std::ranges::find_if(assembly_rows, [&](const AssemblyRow& one) {
    return one.access == access && one.bits == bits;
  });
  return llvm::InlineAsm::get(assembly_type(context, *row), row->text, row->constraints,
                              /*hasSideEffects=*/true);
}

bool is_ordering_assembly(const llvm::InlineAsm& code) {
  return std::ranges::any_of(assembly_rows, [&](const AssemblyRow& row) {
    return code.getAsmString() == row.text && code.getConstraintString() == row.constraints &&
           code.hasSideEffects() &&
           code.getFunctionType() == assembly_type(code.getType()->getContext(), row);
  });
}

void restrict_effects(llvm::CallBase& call, OrderedAccess access) {
  call.setDoesNotThrow();
  // A poll is not moved out of its loop, but other loads are moved past it.
  if (access == OrderedAccess::Poll || access == OrderedAccess::Tell ||
      access == OrderedAccess::Hear)
    call.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

// ---- words that others change ------------------------------------------------------------------

namespace {

/// The pointer through which the instruction reads what may change meanwhile; null if it doesn't.
const Value* polled_pointer(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic() ? load->getPointerOperand() : nullptr;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isVolatile() || store->isAtomic() ? store->getPointerOperand() : nullptr;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call && call->isInlineAsm() && call->arg_size() > 0) return call->getArgOperand(0);
  return nullptr;
}

} // namespace

void release_polled_words(llvm::Function& entry) {
  for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
    const Value* const pointer = polled_pointer(instruction);
    if (!pointer) continue;
    llvm::SmallVector<const Value*, 4> bases;
    llvm::getUnderlyingObjects(pointer, bases, nullptr, /*MaxLookup=*/0);
    for (const Value* base : bases) {
      const auto* argument = llvm::dyn_cast<llvm::Argument>(base);
      if (!argument) continue;
      for (const auto attribute : {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly,
                                   llvm::Attribute::ReadNone, llvm::Attribute::WriteOnly})
        entry.removeParamAttr(argument->getArgNo(), attribute);
    }
  }
}

// ---- signs of zeros ----------------------------------------------------------------------------

namespace {

bool is_zero(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant &&
         (constant->isNullValue() || constant->isNegativeZeroValue() || constant->isZeroValue());
}

/// Whether no lane of it is zero or a NaN.
bool is_other_number(const Value* value) {
  const auto is_one = [](const llvm::Constant* element) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
    return number && !number->isZero() && !number->isNaN();
  };
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return false;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
  if (!type) return is_one(constant);
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    if (!is_one(constant->getAggregateElement(i))) return false;
  return true;
}

/// Whether two values are the same, or both zeros (with whatever signs): a minimum is made of
/// `x < 0.0 ? x : -0.0`, too.
bool may_be_taken_as_same(const Value* a, const Value* b) {
  return a == b || (is_zero(a) && is_zero(b));
}

/// Of a selection that is `x PREDICATE zero ? x : zero` or the other way round: whether the minimum
/// or maximum of both, with -0 below +0, has its bits.  With x = -zero the comparison is false; the
/// selected value is then `zero`, or x.
bool has_bits_of_extremum(llvm::CmpInst::Predicate predicate, const Value* zero,
                          bool selects_x_if_true) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(zero);
  const Value* const element =
      constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
  if (!number) return false; // lanes with zeros of either sign
  const bool is_less = predicate == llvm::CmpInst::FCMP_OLT || predicate == llvm::CmpInst::FCMP_ULT;
  const bool is_greater =
      predicate == llvm::CmpInst::FCMP_OGT || predicate == llvm::CmpInst::FCMP_UGT;
  if (!is_less && !is_greater) return false;
  const bool is_minimum = is_less == selects_x_if_true;
  // Selected is `zero` where x is chosen if true, else -zero.
  const bool selected_is_negative = number->isNegative() == selects_x_if_true;
  return selected_is_negative == is_minimum;
}

/// Whether code generation might make the selection into a minimum or maximum with other bits.
bool loses_zero_signs(const llvm::SelectInst& select) {
  const auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  if (!comparison || !select.getType()->isFPOrFPVectorTy()) return false;
  if (comparison->hasNoSignedZeros() || select.hasNoSignedZeros()) return false;
  const Value* const x = comparison->getOperand(0);
  const Value* const y = comparison->getOperand(1);
  const bool is_straight = may_be_taken_as_same(select.getTrueValue(), x) &&
                           may_be_taken_as_same(select.getFalseValue(), y);
  const bool is_crossed = may_be_taken_as_same(select.getTrueValue(), y) &&
                          may_be_taken_as_same(select.getFalseValue(), x);
  if (!is_straight && !is_crossed) return false;
  if (is_other_number(x) || is_other_number(y)) return false;
  if (y == (is_straight ? select.getFalseValue() : select.getTrueValue()) && is_zero(y))
    return !has_bits_of_extremum(comparison->getPredicate(), y, is_straight);
  if (x == (is_straight ? select.getTrueValue() : select.getFalseValue()) && is_zero(x))
    return !has_bits_of_extremum(comparison->getSwappedPredicate(), x, is_crossed);
  return true;
}

} // namespace

void keep_zero_signs(llvm::Function& function) {
  std::vector<llvm::SelectInst*> selections;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      if (loses_zero_signs(*select)) selections.push_back(select);
  for (llvm::SelectInst* select : selections) {
    llvm::IRBuilder<> ir(select);
    llvm::Type* const type = select->getType();
    llvm::Type* const bits =
        type->getWithNewType(ir.getIntNTy(type->getScalarType()->getScalarSizeInBits()));
    Value* const chosen =
        ir.CreateSelect(select->getCondition(), ir.CreateBitCast(select->getTrueValue(), bits),
                        ir.CreateBitCast(select->getFalseValue(), bits));
    select->replaceAllUsesWith(ir.CreateBitCast(chosen, type));
    select->eraseFromParent();
  }
}

// ---- extrema of small integers -----------------------------------------------------------------

namespace {

/// An operation on integers that has to be done in more bits.  (Its operands may be others of
/// them, which are replaced meanwhile.)
struct SmallOperation {
  llvm::Instruction* instruction;
  llvm::Intrinsic::ID intrinsic;
  llvm::WeakTrackingVH left, right; ///< a reduction has no right one
};

bool is_small(const llvm::Type& type) {
  return type.isIntOrIntVectorTy() && type.getScalarSizeInBits() > 1 &&
         type.getScalarSizeInBits() <= 16;
}

/// Of a selection that is an extremum: which one; else none.
llvm::Intrinsic::ID extremum_of(llvm::SelectPatternFlavor flavor) {
  switch (flavor) {
  case llvm::SPF_SMIN:
    return llvm::Intrinsic::smin;
  case llvm::SPF_SMAX:
    return llvm::Intrinsic::smax;
  case llvm::SPF_UMIN:
    return llvm::Intrinsic::umin;
  case llvm::SPF_UMAX:
    return llvm::Intrinsic::umax;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

std::optional<SmallOperation> small_operation(llvm::Instruction& instruction) {
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    if (!is_small(*select->getType())) return std::nullopt;
    // (The same question as code generation's.)
    Value *left = nullptr, *right = nullptr;
    const auto extremum = extremum_of(llvm::matchSelectPattern(select, left, right).Flavor);
    if (extremum == llvm::Intrinsic::not_intrinsic) return std::nullopt;
    return SmallOperation{select, extremum, left, right};
  }
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || !is_small(*call->getType())) return std::nullopt;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::usub_sat:
    return SmallOperation{call, call->getIntrinsicID(), call->getArgOperand(0),
                          call->getArgOperand(1)};
  case llvm::Intrinsic::vector_reduce_smin:
  case llvm::Intrinsic::vector_reduce_smax:
  case llvm::Intrinsic::vector_reduce_umin:
  case llvm::Intrinsic::vector_reduce_umax:
    return SmallOperation{call, call->getIntrinsicID(), call->getArgOperand(0), nullptr};
  default:
    return std::nullopt;
  }
}

bool has_sign(llvm::Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::vector_reduce_smin:
  case llvm::Intrinsic::vector_reduce_smax:
    return true;
  default:
    return false;
  }
}

/// A saturating operation of so many bits on words: neither a sum nor a difference overflows there.
Value* saturated_on_words(llvm::IRBuilder<>& ir, llvm::Intrinsic::ID intrinsic, unsigned bits,
                          Value* left, Value* right) {
  llvm::Type* const words = left->getType();
  const bool is_difference =
      intrinsic == llvm::Intrinsic::ssub_sat || intrinsic == llvm::Intrinsic::usub_sat;
  Value* result = is_difference ? ir.CreateSub(left, right) : ir.CreateAdd(left, right);
  const auto limited = [&](llvm::Intrinsic::ID extremum, std::int64_t limit) {
    return ir.CreateBinaryIntrinsic(extremum, result, llvm::ConstantInt::getSigned(words, limit));
  };
  const std::int64_t span = std::int64_t{1} << bits;
  if (intrinsic != llvm::Intrinsic::usub_sat)
    result = limited(llvm::Intrinsic::smin, (has_sign(intrinsic) ? span / 2 : span) - 1);
  if (intrinsic != llvm::Intrinsic::uadd_sat)
    result = limited(llvm::Intrinsic::smax, has_sign(intrinsic) ? -span / 2 : 0);
  return result;
}

/// The operation on words, of operands with the same values.
Value* on_words(llvm::IRBuilder<>& ir, const SmallOperation& small, Value* left, Value* right) {
  switch (small.intrinsic) {
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::usub_sat:
    return saturated_on_words(ir, small.intrinsic, small.left->getType()->getScalarSizeInBits(),
                              left, right);
  default:
    if (right) return ir.CreateBinaryIntrinsic(small.intrinsic, left, right);
    return ir.CreateUnaryIntrinsic(small.intrinsic, left);
  }
}

} // namespace

void widen_small_extrema(llvm::Function& function) {
  // (All are found before one is changed, which might show or hide others.)
  std::vector<SmallOperation> operations;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto operation = small_operation(instruction)) operations.push_back(*operation);
  for (const SmallOperation& small : operations) {
    llvm::IRBuilder<> ir(small.instruction);
    const auto widened = [&](Value* value) -> Value* {
      if (!value) return nullptr;
      llvm::Type* const words = value->getType()->getWithNewType(ir.getInt32Ty());
      return has_sign(small.intrinsic) ? ir.CreateSExt(value, words) : ir.CreateZExt(value, words);
    };
    Value* const result = on_words(ir, small, widened(small.left), widened(small.right));
    small.instruction->replaceAllUsesWith(ir.CreateTrunc(result, small.instruction->getType()));
    small.instruction->eraseFromParent();
  }
}

// ---- floats ------------------------------------------------------------------------------------

llvm::TargetOptions exact_float_options() {
  llvm::TargetOptions options; // no NaN, infinity or sign is neglected
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return options;
}

void forget_targets(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    std::vector<std::string> words;
    for (const llvm::Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute()) words.push_back(attribute.getKindAsString().str());
    for (const std::string& word : words)
      function.removeFnAttr(word);
  }
}

// ---- what is refused ---------------------------------------------------------------------------

namespace {

std::optional<std::string> breaks_atomic_rules(const llvm::Instruction& instruction) {
  const auto has_order = [](llvm::AtomicOrdering order) {
    return order != llvm::AtomicOrdering::NotAtomic && order != llvm::AtomicOrdering::Unordered &&
           order != llvm::AtomicOrdering::Monotonic;
  };
  if (llvm::isa<llvm::FenceInst>(instruction)) return "a fence that is not `sinter_gpu_fence`";
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
    if (has_order(load->getOrdering())) return "an atomic load with an ordering";
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
    if (has_order(store->getOrdering())) return "an atomic store with an ordering";
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    if (has_order(update->getOrdering())) return "an atomic update with an ordering";
    if (llvm::AtomicRMWInst::isFPOperation(update->getOperation()))
      return "an atomic update of floats, which has no order and flushes subnormals";
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    if (has_order(exchange->getSuccessOrdering()) || has_order(exchange->getFailureOrdering()))
      return "a compare-and-swap with an ordering";
  return std::nullopt;
}

} // namespace

std::optional<std::string> breaks_rules(const llvm::Instruction& instruction) {
  if (auto reason = breaks_atomic_rules(instruction)) return reason;
  if (instruction.getOpcode() == llvm::Instruction::FRem)
    return "the remainder of floats, which is not exact on a device";
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return std::nullopt;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
    if (call->hasNoSignedZeros()) return std::nullopt;
    return "`" + call->getCalledFunction()->getName().str() + "`, whose zeros have no defined sign";
  case llvm::Intrinsic::fmuladd:
    return "`" + call->getCalledFunction()->getName().str() + "`, which rounds as the target likes";
  default:
    return std::nullopt;
  }
}

} // namespace sinter::gpu
