#include "jit/emit/primitives.h"

#include "jit/emit/division.h"
#include "jit/emit/elementary.h"
#include "lang/primitives/operand_types.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <tuple>

namespace sinter::jit {
namespace {

using llvm::Value;
using primitives::Operation;
using primitives::Primitive;

/// One operation at one type, on scalars or vectors.
struct Lowering {
  LaneBuilder& b;
  const Primitive& primitive;
  Value *x, *y, *z;

  llvm::IRBuilder<>& ir() const { return b.ir; }
  ElementType element() const { return primitive.operand; }
  bool is_float() const { return sinter::is_float(element()); }
  bool is_signed() const { return sinter::is_signed(element()); }
  unsigned bits() const { return static_cast<unsigned>(8 * byte_size(element())); }
  bool is_vector() const { return x->getType()->isVectorTy(); }

  /// The type with the operand's number of lanes.
  llvm::Type* like(llvm::Type* scalar) const {
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType()))
      return llvm::FixedVectorType::get(scalar, vector->getNumElements());
    return scalar;
  }
  llvm::Type* result_type() const { return like(b.type(primitive.result)); }
  Value* integer(std::int64_t number) const {
    return llvm::ConstantInt::getSigned(x->getType(), number);
  }
  Value* real(double number) const { return llvm::ConstantFP::get(x->getType(), number); }
  Value* zero() const { return llvm::Constant::getNullValue(x->getType()); }
  Value* call(llvm::Intrinsic::ID id, std::initializer_list<Value*> operands) const {
    return ir().CreateIntrinsic((*operands.begin())->getType(), id, operands);
  }
};

// Halves are computed in f32 and rounded after each operation; that rounding twice is as good as
// rounding once for + - * / and sqrt.
Value* widen(const Lowering& l, Value* half) {
  return l.ir().CreateFPExt(half, l.like(l.ir().getFloatTy()));
}
Value* narrow(const Lowering& l, Value* single) {
  return l.ir().CreateFPTrunc(single, l.like(l.ir().getHalfTy()));
}

template <typename Emit>
Value* in_working_type(const Lowering& l, Emit emit) {
  if (l.element() != ElementType::F16) return emit(l.x, l.y);
  return narrow(l, emit(widen(l, l.x), l.y ? widen(l, l.y) : nullptr));
}

Value* float_add(const Lowering& l, Value* a, Value* b) {
  if (l.element() != ElementType::F16) return l.ir().CreateFAdd(a, b);
  return narrow(l, l.ir().CreateFAdd(widen(l, a), widen(l, b)));
}
Value* float_subtract(const Lowering& l, Value* a, Value* b) {
  if (l.element() != ElementType::F16) return l.ir().CreateFSub(a, b);
  return narrow(l, l.ir().CreateFSub(widen(l, a), widen(l, b)));
}
Value* float_multiply(const Lowering& l, Value* a, Value* b) {
  if (l.element() != ElementType::F16) return l.ir().CreateFMul(a, b);
  return narrow(l, l.ir().CreateFMul(widen(l, a), widen(l, b)));
}

// ---- arithmetic --------------------------------------------------------------------------------

Value* lower_add(const Lowering& l) {
  return l.is_float() ? float_add(l, l.x, l.y) : l.ir().CreateAdd(l.x, l.y);
}
Value* lower_subtract(const Lowering& l) {
  return l.is_float() ? float_subtract(l, l.x, l.y) : l.ir().CreateSub(l.x, l.y);
}
Value* lower_multiply(const Lowering& l) {
  return l.is_float() ? float_multiply(l, l.x, l.y) : l.ir().CreateMul(l.x, l.y);
}
Value* lower_negate(const Lowering& l) {
  return l.is_float() ? l.ir().CreateFNeg(l.x) : l.ir().CreateNeg(l.x);
}

/// x^n of integers, by squaring.
Value* constant_power(const Lowering& l, std::uint64_t exponent) {
  Value* result = nullptr;
  Value* factor = l.x;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result ? l.ir().CreateMul(result, factor) : factor;
    if (exponent > 1) factor = l.ir().CreateMul(factor, factor);
  }
  return result ? result : l.integer(1);
}
/// x^y of integers, until no lane has a bit of its exponent left.
Value* variable_power(const Lowering& l, Value* exponents) {
  auto& ir = l.ir();
  auto* const before = ir.GetInsertBlock();
  auto* const head = l.b.block("power");
  auto* const body = l.b.block("square");
  auto* const after = l.b.block("after");
  ir.CreateBr(head);
  ir.SetInsertPoint(head);
  auto* const result = ir.CreatePHI(l.x->getType(), 2);
  auto* const factor = ir.CreatePHI(l.x->getType(), 2);
  auto* const exponent = ir.CreatePHI(l.x->getType(), 2);
  Value* more = ir.CreateICmpNE(exponent, l.zero());
  if (l.is_vector()) more = l.b.any(l.b.mask ? ir.CreateAnd(more, l.b.mask) : more);
  ir.CreateCondBr(more, body, after);
  ir.SetInsertPoint(body);
  Value* const is_odd = ir.CreateICmpNE(ir.CreateAnd(exponent, l.integer(1)), l.zero());
  const std::tuple<llvm::PHINode*, Value*, Value*> variables[] = {
      {result, l.integer(1), ir.CreateSelect(is_odd, ir.CreateMul(result, factor), result)},
      {factor, l.x, ir.CreateMul(factor, factor)},
      {exponent, exponents, ir.CreateLShr(exponent, 1)}};
  for (const auto& [variable, first, next] : variables) {
    variable->addIncoming(first, before);
    variable->addIncoming(next, body);
  }
  ir.CreateBr(head);
  ir.SetInsertPoint(after);
  return result;
}
Value* lower_power(const Lowering& l) {
  if (l.is_float()) return nullptr;
  if (const auto* known = llvm::dyn_cast<llvm::Constant>(l.y)) {
    const auto* number =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(l.is_vector() ? known->getSplatValue() : known);
    const bool is_negative = number && l.is_signed() && number->isNegative();
    if (number && !is_negative) return constant_power(l, number->getZExtValue());
  }
  if (!l.is_signed()) return variable_power(l, l.y);
  Value* const is_negative = l.ir().CreateICmpSLT(l.y, l.zero());
  Value* const power = variable_power(l, l.ir().CreateSelect(is_negative, l.zero(), l.y));
  return l.ir().CreateSelect(is_negative, l.zero(), power);
}

IntegerDivision divide(const Lowering& l, DivisionPart part) {
  return divide_integers(l.b, l.element(), l.x, l.y, part);
}
Value* lower_quotient(const Lowering& l) {
  return divide(l, DivisionPart::Quotient).quotient;
}
Value* lower_remainder(const Lowering& l) {
  return divide(l, DivisionPart::Remainder).remainder;
}
/// Whether a division that rounds to negative infinity differs from one towards zero.
Value* rounds_down(const Lowering& l, Value* remainder) {
  auto& ir = l.ir();
  Value* const signs_differ = ir.CreateICmpSLT(ir.CreateXor(l.x, l.y), l.zero());
  return ir.CreateAnd(signs_differ, ir.CreateICmpNE(remainder, l.zero()));
}
Value* lower_divide(const Lowering& l) {
  if (l.is_float())
    return in_working_type(l, [&](Value* a, Value* b) { return l.ir().CreateFDiv(a, b); });
  if (!l.is_signed()) return lower_quotient(l);
  const auto [quotient, remainder] = divide(l, DivisionPart::Both);
  return l.ir().CreateSelect(rounds_down(l, remainder), l.ir().CreateSub(quotient, l.integer(1)),
                             quotient);
}
Value* lower_modulo(const Lowering& l) {
  if (l.is_float()) return nullptr;
  Value* const remainder = lower_remainder(l);
  if (!l.is_signed()) return remainder;
  // The remainder has the dividend's sign, so it differs from the divisor's where they do.
  return l.ir().CreateSelect(rounds_down(l, remainder), l.ir().CreateAdd(remainder, l.y),
                             remainder);
}

Value* lower_absolute(const Lowering& l) {
  if (l.is_float()) return l.call(llvm::Intrinsic::fabs, {l.x});
  if (!l.is_signed()) return l.x;
  return l.ir().CreateBinaryIntrinsic(llvm::Intrinsic::abs, l.x, l.ir().getFalse());
}
Value* lower_sign(const Lowering& l) {
  auto& ir = l.ir();
  if (l.is_float())
    return ir.CreateSelect(ir.CreateFCmpOGT(l.x, l.zero()), l.real(1),
                           ir.CreateSelect(ir.CreateFCmpOLT(l.x, l.zero()), l.real(-1), l.x));
  Value* const is_positive =
      l.is_signed() ? ir.CreateICmpSGT(l.x, l.zero()) : ir.CreateICmpNE(l.x, l.zero());
  Value* const sign = ir.CreateZExt(is_positive, l.x->getType());
  if (!l.is_signed()) return sign;
  return ir.CreateSelect(ir.CreateICmpSLT(l.x, l.zero()), l.integer(-1), sign);
}

Value* as_bits(const Lowering& l, Value* x) {
  return l.ir().CreateBitCast(x, l.like(l.ir().getIntNTy(l.bits())));
}
/// Whether an operand is a constant that is the result where it equals the other one, or that is
/// NaN: of zeros only the lesser (greater) one.
bool settles_extremum(Value* operand, bool is_minimum) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
  if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number && !number->isNaN() && (!number->isZero() || number->isNegative() == is_minimum);
}
/// Equal numbers differ in the sign of zero at most, so their bits or-ed (and-ed) are the lesser
/// (greater) one's.  A NaN loses: comparisons with it are false.
Value* float_extremum(const Lowering& l, bool is_minimum) {
  auto& ir = l.ir();
  // One instruction, as processors take the second operand unless the first one is before it.
  for (const auto& [bound, other] : {std::pair{l.x, l.y}, std::pair{l.y, l.x}})
    if (settles_extremum(bound, is_minimum))
      return ir.CreateSelect(is_minimum ? ir.CreateFCmpOLT(other, bound)
                                        : ir.CreateFCmpOGT(other, bound),
                             other, bound);
  Value* const replaces = is_minimum ? ir.CreateFCmpOLT(l.y, l.x) : ir.CreateFCmpOGT(l.y, l.x);
  Value* const a = as_bits(l, l.x);
  Value* const b = as_bits(l, l.y);
  Value* const equal =
      ir.CreateBitCast(is_minimum ? ir.CreateOr(a, b) : ir.CreateAnd(a, b), l.x->getType());
  Value* result = ir.CreateSelect(replaces, l.y, l.x);
  result = ir.CreateSelect(ir.CreateFCmpOEQ(l.x, l.y), equal, result);
  return ir.CreateSelect(ir.CreateFCmpUNO(l.x, l.x), l.y, result);
}
Value* lower_minimum(const Lowering& l) {
  if (l.is_float()) return float_extremum(l, true);
  return l.ir().CreateBinaryIntrinsic(l.is_signed() ? llvm::Intrinsic::smin : llvm::Intrinsic::umin,
                                      l.x, l.y);
}
Value* lower_maximum(const Lowering& l) {
  if (l.is_float()) return float_extremum(l, false);
  return l.ir().CreateBinaryIntrinsic(l.is_signed() ? llvm::Intrinsic::smax : llvm::Intrinsic::umax,
                                      l.x, l.y);
}

// ---- bits --------------------------------------------------------------------------------------

Value* lower_complement(const Lowering& l) {
  return l.ir().CreateNot(l.x);
}
Value* lower_and(const Lowering& l) {
  return l.ir().CreateAnd(l.x, l.y);
}
Value* lower_or(const Lowering& l) {
  return l.ir().CreateOr(l.x, l.y);
}
Value* lower_xor(const Lowering& l) {
  return l.ir().CreateXor(l.x, l.y);
}

/// `shift` on a count within the width, else `beyond`.
template <typename Shift>
Value* guarded_shift(const Lowering& l, Value* beyond, Shift shift) {
  auto& ir = l.ir();
  Value* const fits = ir.CreateICmpULT(l.y, l.integer(l.bits()));
  return ir.CreateSelect(fits, shift(ir.CreateSelect(fits, l.y, l.zero())), beyond);
}
Value* lower_shift_left(const Lowering& l) {
  return guarded_shift(l, l.zero(), [&](Value* count) { return l.ir().CreateShl(l.x, count); });
}
Value* lower_shift_right_logical(const Lowering& l) {
  return guarded_shift(l, l.zero(), [&](Value* count) { return l.ir().CreateLShr(l.x, count); });
}
Value* lower_shift_right(const Lowering& l) {
  if (!l.is_signed()) return lower_shift_right_logical(l);
  auto& ir = l.ir(); // the sign is what a shift by the width less one leaves
  Value* const count =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.y, l.integer(l.bits() - 1));
  return ir.CreateAShr(l.x, count);
}
Value* count_of(const Lowering& l, Value* count) {
  return l.ir().CreateZExtOrTrunc(count, l.result_type());
}
Value* lower_leading_zeros(const Lowering& l) {
  return count_of(l, l.ir().CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, l.x, l.ir().getFalse()));
}
Value* lower_trailing_zeros(const Lowering& l) {
  return count_of(l, l.ir().CreateBinaryIntrinsic(llvm::Intrinsic::cttz, l.x, l.ir().getFalse()));
}
Value* lower_count_ones(const Lowering& l) {
  return count_of(l, l.ir().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, l.x));
}
Value* lower_multiply_high(const Lowering& l) {
  auto& ir = l.ir();
  llvm::Type* const wide = l.like(ir.getIntNTy(2 * l.bits()));
  const auto extend = [&](Value* v) {
    return l.is_signed() ? ir.CreateSExt(v, wide) : ir.CreateZExt(v, wide);
  };
  Value* const product = ir.CreateMul(extend(l.x), extend(l.y));
  return ir.CreateTrunc(ir.CreateLShr(product, llvm::ConstantInt::get(wide, l.bits())),
                        l.x->getType());
}
Value* lower_multiply_add_high(const Lowering& l) {
  return l.ir().CreateAdd(lower_multiply_high(l), l.z);
}

// ---- comparison --------------------------------------------------------------------------------

template <llvm::CmpInst::Predicate OfFloats, llvm::CmpInst::Predicate OfSigned,
          llvm::CmpInst::Predicate OfUnsigned>
Value* lower_comparison(const Lowering& l) {
  if (l.is_float()) return l.ir().CreateFCmp(OfFloats, l.x, l.y);
  return l.ir().CreateICmp(l.is_signed() ? OfSigned : OfUnsigned, l.x, l.y);
}

// ---- conversion --------------------------------------------------------------------------------

/// Within 64 bits exactly, then wrapped around; beyond them, and NaN, 0.
Value* float_to_integer(const Lowering& l) {
  auto& ir = l.ir();
  llvm::Type* const wide_float = l.like(ir.getDoubleTy());
  llvm::Type* const wide = l.like(ir.getInt64Ty());
  Value* const x = l.element() == ElementType::F64 ? l.x : ir.CreateFPExt(l.x, wide_float);
  const auto number = [&](double value) { return llvm::ConstantFP::get(wide_float, value); };
  Value* const fits_signed =
      ir.CreateAnd(ir.CreateFCmpOGE(x, number(-0x1p63)), ir.CreateFCmpOLT(x, number(0x1p63)));
  Value* const fits_above =
      ir.CreateAnd(ir.CreateFCmpOGE(x, number(0x1p63)), ir.CreateFCmpOLT(x, number(0x1p64)));
  Value* const lowered = ir.CreateSelect(fits_above, ir.CreateFSub(x, number(0x1p63)),
                                         ir.CreateSelect(fits_signed, x, number(0)));
  Value* const converted = ir.CreateFPToSI(lowered, wide);
  Value* const top = llvm::ConstantInt::get(wide, std::uint64_t{1} << 63);
  Value* const result = ir.CreateSelect(fits_above, ir.CreateXor(converted, top), converted);
  return ir.CreateTrunc(result, l.result_type());
}
/// `quick` where the condition (i1) holds, else `otherwise`: the one of two ways that is seldom
/// taken.
template <typename Quick, typename Otherwise>
Value* usually(LaneBuilder& b, Value* condition, Quick quick, Otherwise otherwise) {
  Value* results[2]{};
  llvm::BasicBlock* ends[2]{};
  const auto way = [&](std::size_t number, auto& compute) {
    results[number] = compute();
    ends[number] = b.ir.GetInsertBlock();
  };
  b.if_then_else(
      condition, [&] { way(0, quick); }, [&] { way(1, otherwise); });
  llvm::PHINode* const result = b.ir.CreatePHI(results[0]->getType(), 2);
  for (const std::size_t number : {0, 1})
    result->addIncoming(results[number], ends[number]);
  return result;
}

/// Lanes of 64-bit integers as floats, where that is no instruction: numbers of fewer than 32 bits,
/// as most are, are converted as such.  Both ways round once.
Value* float_of_wide_lanes(const Lowering& l, llvm::Type* target) {
  auto& ir = l.ir();
  llvm::Type* const narrow_type = l.like(ir.getInt32Ty());
  Value* const low = ir.CreateTrunc(l.x, narrow_type);
  Value* const restored =
      l.is_signed() ? ir.CreateSExt(low, l.x->getType())
                    : ir.CreateAnd(l.x, l.integer(std::numeric_limits<std::int32_t>::max()));
  Value* const differ = ir.CreateICmpNE(restored, l.x);
  return usually(
      l.b, ir.CreateNot(l.b.any(differ)), [&] { return ir.CreateSIToFP(low, target); },
      [&] { return l.is_signed() ? ir.CreateSIToFP(l.x, target) : ir.CreateUIToFP(l.x, target); });
}
/// An integer with its magnitude up to the bound.
Value* clamped(const Lowering& l, std::int64_t bound) {
  auto& ir = l.ir();
  if (!l.is_signed()) return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.x, l.integer(bound));
  return ir.CreateBinaryIntrinsic(
      llvm::Intrinsic::smax, l.integer(-bound),
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, l.x, l.integer(bound)));
}
Value* lower_convert(const Lowering& l) {
  auto& ir = l.ir();
  const ElementType from = l.element();
  const ElementType to = l.primitive.result;
  if (from == to) return l.x;
  llvm::Type* const target = l.result_type();
  if (to == ElementType::Bool)
    return l.is_float() ? ir.CreateFCmpUNE(l.x, l.zero()) : ir.CreateICmpNE(l.x, l.zero());
  if (from == ElementType::Bool)
    return sinter::is_float(to) ? ir.CreateUIToFP(l.x, target) : ir.CreateZExt(l.x, target);
  if (l.is_float() && sinter::is_integer(to)) return float_to_integer(l);
  if (l.is_float()) {
    if (from == ElementType::F64 && to == ElementType::F16) return emit_half_of_double(l.b, l.x);
    return byte_size(from) < byte_size(to) ? ir.CreateFPExt(l.x, target)
                                           : ir.CreateFPTrunc(l.x, target);
  }
  if (to == ElementType::F16) {
    // Beyond what f16 holds by far, but exact in f32: so only the second conversion rounds.
    Value* const number = l.bits() > 16 ? clamped(l, std::int64_t{1} << 20) : l.x;
    llvm::Type* const single = l.like(ir.getFloatTy());
    return narrow(l, l.is_signed() ? ir.CreateSIToFP(number, single)
                                   : ir.CreateUIToFP(number, single));
  }
  if (sinter::is_float(to) && l.is_vector() && l.bits() == 64 &&
      !l.b.kernel.facts().converts_wide_lanes)
    return float_of_wide_lanes(l, target);
  if (sinter::is_float(to))
    return l.is_signed() ? ir.CreateSIToFP(l.x, target) : ir.CreateUIToFP(l.x, target);
  return l.is_signed() && sinter::is_signed(to) ? ir.CreateSExtOrTrunc(l.x, target)
                                                : ir.CreateZExtOrTrunc(l.x, target);
}
Value* lower_bit_cast(const Lowering& l) {
  return l.ir().CreateBitCast(l.x, l.result_type());
}

// ---- floats ------------------------------------------------------------------------------------

template <llvm::Intrinsic::ID Id>
Value* lower_working_intrinsic(const Lowering& l) {
  return in_working_type(l, [&](Value* a, Value*) { return l.call(Id, {a}); });
}
Value* lower_is_nan(const Lowering& l) {
  return l.ir().CreateFCmpUNO(l.x, l.x);
}
Value* lower_is_infinite(const Lowering& l) {
  return l.ir().CreateFCmpOEQ(l.call(llvm::Intrinsic::fabs, {l.x}),
                              llvm::ConstantFP::getInfinity(l.x->getType()));
}
Value* lower_copy_sign(const Lowering& l) {
  return l.call(llvm::Intrinsic::copysign, {l.x, l.y});
}
Value* lower_fused_multiply_add(const Lowering& l) {
  if (l.element() == ElementType::F16) return nullptr;
  return l.call(llvm::Intrinsic::fma, {l.x, l.y, l.z});
}
/// Rounded twice in every mode.
Value* lower_multiply_add(const Lowering& l) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(l.ir());
  l.ir().clearFastMathFlags();
  return float_add(l, float_multiply(l, l.x, l.y), l.z);
}
Value* lower_interpolate(const Lowering& l) {
  return float_add(l, l.x, float_multiply(l, float_subtract(l, l.y, l.x), l.z));
}
// ---- the table ---------------------------------------------------------------------------------

using Predicate = llvm::CmpInst;

/// A lowering gives null for types at which the operation is an elementary function.
struct Row {
  Operation operation;
  Value* (*lower)(const Lowering&);
};
constexpr Row rows[] = {
    {Operation::Add, lower_add},
    {Operation::Subtract, lower_subtract},
    {Operation::Multiply, lower_multiply},
    {Operation::Divide, lower_divide},
    {Operation::Modulo, lower_modulo},
    {Operation::Quotient, lower_quotient},
    {Operation::Remainder, lower_remainder},
    {Operation::Power, lower_power},
    {Operation::Negate, lower_negate},
    {Operation::Absolute, lower_absolute},
    {Operation::Sign, lower_sign},
    {Operation::Minimum, lower_minimum},
    {Operation::Maximum, lower_maximum},
    {Operation::Complement, lower_complement},
    {Operation::And, lower_and},
    {Operation::Or, lower_or},
    {Operation::Xor, lower_xor},
    {Operation::ShiftLeft, lower_shift_left},
    {Operation::ShiftRight, lower_shift_right},
    {Operation::ShiftRightLogical, lower_shift_right_logical},
    {Operation::CountLeadingZeros, lower_leading_zeros},
    {Operation::CountTrailingZeros, lower_trailing_zeros},
    {Operation::CountOnes, lower_count_ones},
    {Operation::MultiplyHigh, lower_multiply_high},
    {Operation::MultiplyAddHigh, lower_multiply_add_high},
    {Operation::Equal,
     lower_comparison<Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ>},
    {Operation::NotEqual,
     lower_comparison<Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE>},
    {Operation::Less,
     lower_comparison<Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT>},
    {Operation::LessEqual,
     lower_comparison<Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE>},
    {Operation::Greater,
     lower_comparison<Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT>},
    {Operation::GreaterEqual,
     lower_comparison<Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE>},
    {Operation::Convert, lower_convert},
    {Operation::ToBits, lower_bit_cast},
    {Operation::FromBits, lower_bit_cast},
    {Operation::Round, lower_working_intrinsic<llvm::Intrinsic::nearbyint>},
    {Operation::Ceiling, lower_working_intrinsic<llvm::Intrinsic::ceil>},
    {Operation::Floor, lower_working_intrinsic<llvm::Intrinsic::floor>},
    {Operation::Truncate, lower_working_intrinsic<llvm::Intrinsic::trunc>},
    {Operation::IsNan, lower_is_nan},
    {Operation::IsInfinite, lower_is_infinite},
    {Operation::CopySign, lower_copy_sign},
    {Operation::FusedMultiplyAdd, lower_fused_multiply_add},
    {Operation::MultiplyAdd, lower_multiply_add},
    {Operation::Interpolate, lower_interpolate},
    {Operation::SquareRoot, lower_working_intrinsic<llvm::Intrinsic::sqrt>},
};

const Row* find_row(Operation operation) {
  for (const Row& row : rows)
    if (row.operation == operation) return &row;
  return nullptr;
}

// ---- without fma instructions -------------------------------------------------------------------
// Elementary functions are mostly fma, of which each is a call then: so they are functions of the
// module, of one lane.

std::string symbol_of(const Primitive& primitive) {
  return "sinter_primitive_" + std::string(primitive.name) + "_" +
         std::string(name(primitive.operand)) + "_" + std::string(name(primitive.result));
}

/// A function of the module: the operation on one lane.
llvm::Function* scalar_function(LaneBuilder& b, const Primitive& primitive) {
  const std::string name = symbol_of(primitive);
  if (auto* known = b.kernel.helpers[name]) return known;
  std::vector<llvm::Type*> parameters;
  for (std::size_t i = 0; i < primitive.arity; ++i)
    parameters.push_back(b.type(operand_type(primitive, i)));
  auto* const function =
      llvm::Function::Create(llvm::FunctionType::get(b.type(primitive.result), parameters, false),
                             llvm::Function::InternalLinkage, name, b.kernel.module);
  function->addFnAttr(llvm::Attribute::NoInline);
  b.kernel.helpers[name] = function;
  LaneBuilder inner(b.kernel, function);
  std::array<Value*, 3> operands{};
  for (std::size_t i = 0; i < primitive.arity; ++i)
    operands[i] = function->getArg(static_cast<unsigned>(i));
  inner.ir.CreateRet(emit_elementary(inner, primitive, operands));
  return function;
}

/// A function of the module that calls that for each lane.
llvm::Function* lanes_helper(LaneBuilder& b, const Primitive& primitive) {
  // (Reductions fold their lanes by halves, so there may be several widths.)
  const std::string name = symbol_of(primitive) + "_lanes" + std::to_string(b.lanes());
  if (auto* known = b.kernel.helpers[name]) return known;
  auto* const result = llvm::FixedVectorType::get(b.type(primitive.result), b.lanes());
  std::vector<llvm::Type*> parameters;
  for (std::size_t i = 0; i < primitive.arity; ++i)
    parameters.push_back(llvm::FixedVectorType::get(b.type(operand_type(primitive, i)), b.lanes()));
  auto* const helper =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                             llvm::Function::InternalLinkage, name, b.kernel.module);
  helper->addFnAttr(llvm::Attribute::NoInline);
  b.kernel.helpers[name] = helper;
  LaneBuilder inner(b.kernel, helper);
  const Variable lanes_result{inner.stack(result, 1), Shape::Varying, primitive.result};
  const std::int64_t width = b.lanes();
  inner.loop(inner.i64(0), inner.i64(width), 1, [&](Value* lane) {
    std::vector<Value*> operands;
    for (llvm::Argument& operand : helper->args())
      operands.push_back(inner.ir.CreateExtractElement(&operand, lane));
    Value* const one = inner.ir.CreateCall(scalar_function(b, primitive), operands);
    Value* const before = inner.get(lanes_result).value;
    inner.ir.CreateStore(inner.ir.CreateInsertElement(before, one, lane), lanes_result.slot);
  });
  inner.ir.CreateRet(inner.get(lanes_result).value);
  return helper;
}

} // namespace

Value* emit_float_of_linear(LaneBuilder& b, ElementType result, Value* base) {
  llvm::Type* const lanes_type = b.type(result, Shape::Varying);
  const auto numbers_from = [&](Value* first) {
    return b.ir.CreateSIToFP(b.ir.CreateAdd(b.splat(first), b.lane_numbers(first->getType())),
                             lanes_type);
  };
  if (b.kernel.facts().converts_wide_lanes) return numbers_from(base);
  // From the least number of 32 bits on, so many begin vectors of such numbers.
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  const std::int64_t count = (std::int64_t{1} << 32) - b.lanes() + 1;
  return usually(
      b, b.ir.CreateICmpULT(b.ir.CreateSub(base, b.i64(least)), b.i64(count)),
      [&] { return numbers_from(b.ir.CreateTrunc(base, b.ir.getInt32Ty())); },
      [&] { return numbers_from(base); });
}

Value* emit_primitive(LaneBuilder& builder, const Primitive& primitive,
                      std::array<Value*, 3> operands) {
  if (const Row* row = find_row(primitive.operation))
    if (Value* const result =
            row->lower(Lowering{builder, primitive, operands[0], operands[1], operands[2]}))
      return result;
  if (builder.kernel.facts().has_fma) {
    Value* const result = emit_elementary(builder, primitive, operands);
    assert(result && "a primitive without a lowering");
    return result;
  }
  std::vector<Value*> arguments(operands.begin(), operands.begin() + primitive.arity);
  const bool is_vector = operands[0]->getType()->isVectorTy();
  return builder.ir.CreateCall(is_vector ? lanes_helper(builder, primitive)
                                         : scalar_function(builder, primitive),
                               arguments);
}

} // namespace sinter::jit
