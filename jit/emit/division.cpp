#include "jit/emit/division.h"

#include <cmath>
#include <limits>
#include <optional>

namespace sinter::jit {
namespace {

using llvm::Value;

/// Bits of a number's magnitude for which what is here is exact.
constexpr unsigned exact_bits = 50;
/// 1.5 * 2^52, which leaves such a number in the low bits when it is added, and its bits.
constexpr double shifter = 0x1.8p52;
constexpr std::int64_t shifter_bits = 0x4338000000000000;

struct Division {
  LaneBuilder& b;
  bool is_signed;
  DivisionPart part;

  llvm::IRBuilder<>& ir() const { return b.ir; }
  bool wants_quotient() const { return part != DivisionPart::Remainder; }
  bool wants_remainder() const { return part != DivisionPart::Quotient; }
};

llvm::Constant* like(const Value* x, std::int64_t number) {
  return llvm::ConstantInt::getSigned(x->getType(), number);
}

IntegerDivision with_remainder(const Division& d, Value* x, Value* y, Value* quotient) {
  return {quotient,
          d.wants_remainder() ? d.ir().CreateSub(x, d.ir().CreateMul(quotient, y)) : nullptr};
}

IntegerDivision by_instruction(const Division& d, Value* x, Value* y) {
  return with_remainder(d, x, y, d.is_signed ? d.ir().CreateSDiv(x, y) : d.ir().CreateUDiv(x, y));
}

/// Lanes of up to 32 bits: f64 holds them, and the quotient's error is too small to carry it over a
/// whole number.
IntegerDivision narrow_lanes(const Division& d, Value* x, Value* y) {
  auto& ir = d.ir();
  llvm::Type* const wide = x->getType()->getWithNewType(ir.getDoubleTy());
  const auto widened = [&](Value* value) {
    return d.is_signed ? ir.CreateSIToFP(value, wide) : ir.CreateUIToFP(value, wide);
  };
  Value* const ratio = ir.CreateFDiv(widened(x), widened(y));
  return with_remainder(d, x, y,
                        d.is_signed ? ir.CreateFPToSI(ratio, x->getType())
                                    : ir.CreateFPToUI(ratio, x->getType()));
}

/// A divisor that is known, the same for all lanes.
std::optional<std::int64_t> known(const Value* y) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(y);
  if (constant && y->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  return number ? std::optional(number->getSExtValue()) : std::nullopt;
}

/// The quotients of one lane after the other, in memory.
Value* in_loop(const Division& d, Value* x, Value* y, std::optional<std::int64_t> divisor) {
  auto& ir = d.ir();
  auto* const vector = llvm::cast<llvm::FixedVectorType>(x->getType());
  llvm::Type* const word = ir.getInt64Ty();
  llvm::AllocaInst* const numbers = d.b.stack(vector, 1);
  llvm::AllocaInst* const divisors = divisor ? nullptr : d.b.stack(vector, 1);
  ir.CreateStore(x, numbers);
  if (divisors) ir.CreateStore(y, divisors);
  d.b.loop(d.b.i64(0), d.b.i64(vector->getNumElements()), 1, [&](Value* lane) {
    Value* const place = ir.CreateGEP(word, numbers, lane);
    Value* const by = divisor ? static_cast<Value*>(d.b.i64(*divisor))
                              : ir.CreateLoad(word, ir.CreateGEP(word, divisors, lane));
    ir.CreateStore(by_instruction(d, ir.CreateLoad(word, place), by).quotient, place);
  });
  return ir.CreateLoad(vector, numbers);
}

/// The quotients of lanes of 64 bits one by one, by a function of the module.
Value* one_by_one(const Division& d, Value* x, Value* y) {
  auto* const vector = llvm::cast<llvm::FixedVectorType>(x->getType());
  const std::optional<std::int64_t> divisor = known(y);
  const std::string name = (d.is_signed ? "divide_signed_" : "divide_unsigned_") +
                           std::to_string(vector->getNumElements()) +
                           (divisor ? "_by_" + std::to_string(*divisor) : "");
  llvm::Function*& helper = d.b.kernel.helpers[name];
  if (!helper) {
    helper = llvm::Function::Create(llvm::FunctionType::get(vector, {vector, vector}, false),
                                    llvm::Function::InternalLinkage, name, d.b.kernel.module);
    helper->addFnAttr(llvm::Attribute::NoInline);
    helper->addFnAttr(llvm::Attribute::Cold);
    LaneBuilder inner(d.b.kernel, helper);
    const Division inside{inner, d.is_signed, DivisionPart::Quotient};
    // (Of a divisor that is known, a multiplication is made for each lane: fast, but long.)
    if (divisor && !d.b.kernel.is_compact)
      inner.ir.CreateRet(by_instruction(inside, helper->getArg(0), y).quotient);
    else
      inner.ir.CreateRet(in_loop(inside, helper->getArg(0), helper->getArg(1), divisor));
  }
  return d.ir().CreateCall(helper, {x, y});
}

/// Whether a lane's number has a greater magnitude than is divided exactly.
Value* is_large(const Division& d, Value* x) {
  auto& ir = d.ir();
  Value* const above =
      d.is_signed
          ? ir.CreateLShr(ir.CreateAdd(x, like(x, std::int64_t{1} << exact_bits)), exact_bits + 1)
          : ir.CreateLShr(x, exact_bits);
  return ir.CreateICmpNE(above, like(x, 0));
}

/// The f64 of numbers that are not large.
Value* to_real(const Division& d, Value* x) {
  auto& ir = d.ir();
  llvm::Type* const reals = x->getType()->getWithNewType(ir.getDoubleTy());
  if (d.b.kernel.facts().converts_wide_lanes) return ir.CreateSIToFP(x, reals);
  Value* const shifted = ir.CreateAdd(x, like(x, shifter_bits));
  return ir.CreateFSub(ir.CreateBitCast(shifted, reals), llvm::ConstantFP::get(reals, shifter));
}
/// And back, from whole ones.
Value* to_integer(const Division& d, Value* real, llvm::Type* integers) {
  auto& ir = d.ir();
  if (d.b.kernel.facts().converts_wide_lanes) return ir.CreateFPToSI(real, integers);
  Value* const shifted = ir.CreateFAdd(real, llvm::ConstantFP::get(real->getType(), shifter));
  Value* const bits = ir.CreateBitCast(shifted, integers);
  return ir.CreateSub(bits, like(bits, shifter_bits));
}

/// Lanes of 64 bits.  Those that f64 holds with bits to spare are divided there; by a number that
/// is known, multiplied with its reciprocal, which is rounded away from zero.  So a whole ratio
/// comes out whole or slightly above, and all that is gained is less than four parts in 2^53: what
/// is 1/y short of a whole number stays below it, as |x| + 1 is below 2^51.
IntegerDivision wide_lanes(const Division& d, Value* x, Value* y) {
  auto& ir = d.ir();
  llvm::IRBuilder<>::FastMathFlagGuard guard(ir);
  ir.clearFastMathFlags();
  llvm::Type* const integers = x->getType();
  const std::optional<std::int64_t> divisor = known(y);

  Value* seldom = is_large(d, x);
  if (!divisor) seldom = ir.CreateOr(seldom, is_large(d, y));
  llvm::BasicBlock* const exact = d.b.block("divide");
  llvm::BasicBlock* const large = d.b.block("divide_large");
  llvm::BasicBlock* const after = d.b.block("divided");
  ir.CreateCondBr(d.b.any(seldom), large, exact);

  ir.SetInsertPoint(exact);
  Value* const dividend = to_real(d, x);
  Value* const by = to_real(d, y);
  Value* ratio = nullptr;
  if (divisor) {
    const double number = static_cast<double>(*divisor);
    const double reciprocal =
        std::nextafter(1 / number, std::copysign(std::numeric_limits<double>::infinity(), number));
    ratio = ir.CreateFMul(dividend, llvm::ConstantFP::get(dividend->getType(), reciprocal));
  } else {
    ratio = ir.CreateFDiv(dividend, by);
  }
  Value* const whole = ir.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, ratio);
  IntegerDivision here{};
  if (d.wants_quotient()) here.quotient = to_integer(d, whole, integers);
  if (d.wants_remainder())
    here.remainder = to_integer(d, ir.CreateFSub(dividend, ir.CreateFMul(whole, by)), integers);
  ir.CreateBr(after);

  ir.SetInsertPoint(large);
  const IntegerDivision there = with_remainder(d, x, y, one_by_one(d, x, y));
  ir.CreateBr(after);

  ir.SetInsertPoint(after);
  const auto either = [&](Value* first, Value* second) -> Value* {
    if (!first) return nullptr;
    llvm::PHINode* const result = ir.CreatePHI(integers, 2);
    result->addIncoming(first, exact);
    result->addIncoming(second, large);
    return result;
  };
  return {either(here.quotient, there.quotient), either(here.remainder, there.remainder)};
}

/// By what shifts do, or what is too large for the rest.
bool is_simple(const Division& d, std::int64_t divisor) {
  const std::int64_t most = std::int64_t{1} << exact_bits;
  if (divisor < (d.is_signed ? -most : 0) || divisor > most) return true;
  return (divisor & (divisor - 1)) == 0;
}

/// Of operands for which there is a quotient.
IntegerDivision divide_safe(const Division& d, Value* x, Value* y) {
  if (!x->getType()->isVectorTy()) return by_instruction(d, x, y);
  const std::optional<std::int64_t> divisor = known(y);
  if (x->getType()->getScalarSizeInBits() <= 32)
    return divisor ? by_instruction(d, x, y) : narrow_lanes(d, x, y);
  // (Without the instruction, truncating is a call.)
  const bool is_wide = d.b.kernel.facts().rounds_lanes && !(divisor && is_simple(d, *divisor));
  return is_wide ? wide_lanes(d, x, y) : by_instruction(d, x, y);
}

} // namespace

IntegerDivision divide_integers(LaneBuilder& builder, ElementType element, Value* x, Value* y,
                                DivisionPart part) {
  auto& ir = builder.ir;
  const bool is_signed = sinter::is_signed(element);
  const Division d{builder, is_signed, part};
  if (const std::optional<std::int64_t> divisor = known(y);
      divisor && *divisor != 0 && *divisor != -1)
    return divide_safe(d, x, y);
  Value* const is_zero = ir.CreateICmpEQ(y, like(y, 0));
  Value* is_special = is_zero;
  Value* is_negation = nullptr;
  if (is_signed) {
    is_negation = ir.CreateICmpEQ(y, like(y, -1));
    is_special = ir.CreateOr(is_zero, is_negation);
  }
  auto [quotient, remainder] =
      divide_safe(d, x, ir.CreateSelect(is_special, like(y, 1), y)); // by 1: the remainder is 0
  if (quotient) {
    if (is_negation) quotient = ir.CreateSelect(is_negation, ir.CreateNeg(x), quotient);
    quotient = ir.CreateSelect(is_zero, like(y, 0), quotient);
  }
  return {quotient, remainder};
}

} // namespace sinter::jit
