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

/// Of operands of one type.
template <WholeElement T>
class Division {
public:
  using Numbers = Lane<T>;
  using Parts = IntegerDivision<T>;

  Division(const TypedBuilder& builder, DivisionPart part)
      : b_(builder), lanes_(builder.builder()), part_(part) {}

  Parts divide(Numbers x, Numbers y) const;

private:
  static constexpr bool is_signed = SignedElement<T>;

  llvm::IRBuilder<>& ir() const { return lanes_.ir; }
  bool wants_quotient() const { return part_ != DivisionPart::Remainder; }
  bool wants_remainder() const { return part_ != DivisionPart::Quotient; }

  /// A divisor that is known, the same for all lanes.
  static std::optional<std::int64_t> known(Numbers y) {
    const llvm::ConstantInt* const number = known_whole(y);
    return number ? std::optional(number->getSExtValue()) : std::nullopt;
  }
  Parts with_remainder(Numbers x, Numbers y, Numbers quotient) const {
    return {quotient, wants_remainder() ? b_.subtract(x, b_.multiply(quotient, y)) : Numbers()};
  }
  Parts by_instruction(Numbers x, Numbers y) const {
    return with_remainder(x, y, b_.quotient(x, y));
  }
  Parts narrow_lanes(Numbers x, Numbers y) const;
  Numbers in_loop(Numbers x, Numbers y, std::optional<std::int64_t> divisor) const;
  Numbers one_by_one(Numbers x, Numbers y) const;
  Lane<bool> is_large(Numbers x) const;
  Lane<double> to_real(Numbers x) const;
  Numbers to_integer(Lane<double> real) const;
  Parts wide_lanes(Numbers x, Numbers y) const;
  static bool is_simple(std::int64_t divisor);
  Parts divide_safe(Numbers x, Numbers y) const;

  TypedBuilder b_;
  LaneBuilder& lanes_;
  DivisionPart part_;
};

/// Lanes of up to 32 bits: f64 holds them, and the quotient's error is too small to carry it over a
/// whole number.
template <WholeElement T>
IntegerDivision<T> Division<T>::narrow_lanes(Numbers x, Numbers y) const {
  const Lane<double> ratio = b_.divide(b_.to_float<double>(x), b_.to_float<double>(y));
  return with_remainder(x, y, b_.to_whole<T>(ratio));
}

/// The quotients of one lane after the other, in memory.
template <WholeElement T>
Lane<T> Division<T>::in_loop(Numbers x, Numbers y, std::optional<std::int64_t> divisor) const {
  const TypedBuilder scalar(lanes_, 0);
  llvm::Type* const word = scalar.type<T>();
  llvm::AllocaInst* const numbers = lanes_.stack(b_.type<T>(), 1);
  llvm::AllocaInst* const divisors = divisor ? nullptr : lanes_.stack(b_.type<T>(), 1);
  ir().CreateStore(x.value(), numbers);
  if (divisors) ir().CreateStore(y.value(), divisors);
  const Division<T> one(scalar, DivisionPart::Quotient);
  const auto load = [&](Value* place) { return scalar.of<T>(ir().CreateLoad(word, place)); };
  lanes_.loop(lanes_.i64(0), lanes_.i64(b_.lanes()), 1, [&](Value* lane) {
    Value* const place = ir().CreateGEP(word, numbers, lane);
    const Numbers by = divisor ? scalar.number<T>(static_cast<T>(*divisor))
                               : load(ir().CreateGEP(word, divisors, lane));
    ir().CreateStore(one.by_instruction(load(place), by).quotient.value(), place);
  });
  return b_.of<T>(ir().CreateLoad(b_.type<T>(), numbers));
}

/// The quotients of lanes of 64 bits one by one, by a function of the module.
template <WholeElement T>
Lane<T> Division<T>::one_by_one(Numbers x, Numbers y) const {
  llvm::Type* const vector = b_.type<T>();
  const std::optional<std::int64_t> divisor = known(y);
  const std::string name = (is_signed ? "divide_signed_" : "divide_unsigned_") +
                           std::to_string(b_.lanes()) +
                           (divisor ? "_by_" + std::to_string(*divisor) : "");
  llvm::Function*& helper = lanes_.kernel.helpers[name];
  if (!helper) {
    helper = llvm::Function::Create(llvm::FunctionType::get(vector, {vector, vector}, false),
                                    llvm::Function::InternalLinkage, name, lanes_.kernel.module);
    helper->addFnAttr(llvm::Attribute::NoInline);
    helper->addFnAttr(llvm::Attribute::Cold);
    LaneBuilder inner(lanes_.kernel, helper);
    const TypedBuilder b(inner, b_.lanes());
    const Division<T> inside(b, DivisionPart::Quotient);
    const Numbers dividend = b.of<T>(helper->getArg(0));
    // (Of a divisor that is known, a multiplication is made for each lane: fast, but long.)
    const Numbers quotient = divisor && !lanes_.kernel.is_compact
                                 ? inside.by_instruction(dividend, y).quotient
                                 : inside.in_loop(dividend, b.of<T>(helper->getArg(1)), divisor);
    inner.ir.CreateRet(quotient.value());
  }
  return b_.of<T>(ir().CreateCall(helper, {x.value(), y.value()}));
}

/// Whether a lane's number has a greater magnitude than is divided exactly.
template <WholeElement T>
Lane<bool> Division<T>::is_large(Numbers x) const {
  Numbers above;
  if constexpr (is_signed)
    above = b_.shift_right_logical(b_.add(x, b_.number<T>(T{1} << exact_bits)),
                                   b_.number<T>(exact_bits + 1));
  else
    above = b_.shift_right_logical(x, b_.number<T>(exact_bits));
  return b_.not_equal(above, b_.zero<T>());
}

/// The f64 of numbers that are not large.
template <WholeElement T>
Lane<double> Division<T>::to_real(Numbers x) const {
  if (lanes_.kernel.facts().converts_wide_lanes)
    return b_.to_float<double>(b_.reinterpret<std::int64_t>(x));
  const Lane<T> shifted = b_.add(x, b_.number<T>(shifter_bits));
  return b_.subtract(b_.reinterpret<double>(shifted), b_.number<double>(shifter));
}
/// And back, from whole ones.
template <WholeElement T>
Lane<T> Division<T>::to_integer(Lane<double> real) const {
  if (lanes_.kernel.facts().converts_wide_lanes)
    return b_.reinterpret<T>(b_.to_whole<std::int64_t>(real));
  const Lane<double> shifted = b_.add(real, b_.number<double>(shifter));
  return b_.subtract(b_.reinterpret<T>(shifted), b_.number<T>(shifter_bits));
}

/// Lanes of 64 bits.  Those that f64 holds with bits to spare are divided there; by a number that
/// is known, multiplied with its reciprocal, which is rounded away from zero.  So a whole ratio
/// comes out whole or slightly above, and all that is gained is less than four parts in 2^53: what
/// is 1/y short of a whole number stays below it, as |x| + 1 is below 2^51.
template <WholeElement T>
IntegerDivision<T> Division<T>::wide_lanes(Numbers x, Numbers y) const {
  llvm::IRBuilder<>::FastMathFlagGuard guard(ir());
  ir().clearFastMathFlags();
  const std::optional<std::int64_t> divisor = known(y);

  Lane<bool> seldom = is_large(x);
  if (!divisor) seldom = b_.bit_or(seldom, is_large(y));
  llvm::BasicBlock* const exact = lanes_.block("divide");
  llvm::BasicBlock* const large = lanes_.block("divide_large");
  llvm::BasicBlock* const after = lanes_.block("divided");
  ir().CreateCondBr(b_.any(seldom), large, exact);

  ir().SetInsertPoint(exact);
  const Lane<double> dividend = to_real(x);
  const Lane<double> by = to_real(y);
  Lane<double> ratio;
  if (divisor) {
    const double number = static_cast<double>(*divisor);
    const double reciprocal =
        std::nextafter(1 / number, std::copysign(std::numeric_limits<double>::infinity(), number));
    ratio = b_.multiply(dividend, b_.number<double>(reciprocal));
  } else {
    ratio = b_.divide(dividend, by);
  }
  const Lane<double> whole = b_.call<llvm::Intrinsic::trunc>(ratio);
  Parts here;
  if (wants_quotient()) here.quotient = to_integer(whole);
  if (wants_remainder()) here.remainder = to_integer(b_.subtract(dividend, b_.multiply(whole, by)));
  ir().CreateBr(after);

  ir().SetInsertPoint(large);
  const Parts there = with_remainder(x, y, one_by_one(x, y));
  ir().CreateBr(after);

  ir().SetInsertPoint(after);
  const auto either = [&](Numbers first, Numbers second) {
    if (!first) return first;
    JoinedLane<T> result = b_.join<T>(2);
    result.add(first, exact);
    result.add(second, large);
    return result.value();
  };
  const Numbers quotient = either(here.quotient, there.quotient);
  return {quotient, either(here.remainder, there.remainder)};
}

/// By what shifts do, or what is too large for the rest.
template <WholeElement T>
bool Division<T>::is_simple(std::int64_t divisor) {
  const std::int64_t most = std::int64_t{1} << exact_bits;
  if (divisor < (is_signed ? -most : 0) || divisor > most) return true;
  return (divisor & (divisor - 1)) == 0;
}

/// Of operands for which there is a quotient.
template <WholeElement T>
IntegerDivision<T> Division<T>::divide_safe(Numbers x, Numbers y) const {
  if (!b_.is_vector()) return by_instruction(x, y);
  const std::optional<std::int64_t> divisor = known(y);
  if constexpr (sizeof(T) <= 4) {
    return divisor ? by_instruction(x, y) : narrow_lanes(x, y);
  } else {
    // (Without the instruction, truncating is a call.)
    const bool is_wide = lanes_.kernel.facts().rounds_lanes && !(divisor && is_simple(*divisor));
    return is_wide ? wide_lanes(x, y) : by_instruction(x, y);
  }
}

template <WholeElement T>
IntegerDivision<T> Division<T>::divide(Numbers x, Numbers y) const {
  if (const std::optional<std::int64_t> divisor = known(y);
      divisor && *divisor != 0 && *divisor != -1)
    return divide_safe(x, y);
  const Lane<bool> is_zero = b_.equal(y, b_.zero<T>());
  Lane<bool> is_special = is_zero;
  Lane<bool> is_negation;
  if constexpr (is_signed) {
    is_negation = b_.equal(y, b_.number<T>(-1));
    is_special = b_.bit_or(is_zero, is_negation);
  }
  // (By 1: the remainder is 0.)
  auto [quotient, remainder] = divide_safe(x, b_.select(is_special, b_.number<T>(1), y));
  if (quotient) {
    if (is_negation) quotient = b_.select(is_negation, b_.negate(x), quotient);
    quotient = b_.select(is_zero, b_.zero<T>(), quotient);
  }
  return {quotient, remainder};
}

} // namespace

template <WholeElement T>
IntegerDivision<T> divide_integers(const TypedBuilder& builder, Lane<T> x, Lane<T> y,
                                   DivisionPart part) {
  return Division<T>(builder, part).divide(x, y);
}

#define SINTER_DIVISION(T)                                                                         \
  template IntegerDivision<T> divide_integers(const TypedBuilder&, Lane<T>, Lane<T>, DivisionPart);
SINTER_DIVISION(std::int8_t)
SINTER_DIVISION(std::int16_t)
SINTER_DIVISION(std::int32_t)
SINTER_DIVISION(std::int64_t)
SINTER_DIVISION(std::uint8_t)
SINTER_DIVISION(std::uint16_t)
SINTER_DIVISION(std::uint32_t)
SINTER_DIVISION(std::uint64_t)
#undef SINTER_DIVISION

} // namespace sinter::jit
