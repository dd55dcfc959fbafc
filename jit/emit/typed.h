// Values whose element type is part of their C++ type, and the instructions on them: operands that
// do not fit together do not compile.
//
// The IR and `LaneValue` know types while the program runs; meanings of primitives are written over
// these.  `TypedBuilder::of` is the door between the two, and `with_cpp_type` chooses the type:
// what is behind the door is ill-typed only if the door is, which is asserted.  Shapes stay
// dynamic: a value is of one lane, or of as many as its builder says.
//
// Instructions choose by the type: `less` of an `int32_t` and of a `uint32_t` are two comparisons.
// Halves have comparisons and bits, but no arithmetic: they are widened for that.  (After the typed
// instructions of Accelerate's LLVM backend: McDonell, Chakravarty, Grover, and Newton, "Type-safe
// runtime code generation: Accelerate to LLVM", Haskell Symposium 2015.)
#pragma once

#include "jit/emit/lanes.h"
#include "lang/values/scalar.h"

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace sinter::jit {

template <typename T>
concept WholeElement = std::integral<T> && !std::same_as<T, bool>;
template <typename T>
concept SignedElement = WholeElement<T> && std::is_signed_v<T>;
template <typename T>
concept FloatElement = std::same_as<T, Half> || std::same_as<T, float> || std::same_as<T, double>;
/// Floats that processors compute with.
template <typename T>
concept WorkingFloat = FloatElement<T> && !std::same_as<T, Half>;
template <typename T>
concept NumberElement = WholeElement<T> || FloatElement<T>;
/// What `+ - *` are instructions for.
template <typename T>
concept ArithmeticElement = WholeElement<T> || WorkingFloat<T>;
/// What `and or xor not` are instructions for.
template <typename T>
concept BitsElement = WholeElement<T> || std::same_as<T, bool>;
template <typename T>
concept AnyElement = NumberElement<T> || std::same_as<T, bool>;

/// The unsigned integer as wide as a number.
template <NumberElement T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// A value of that element type.  Bools are i1.
template <AnyElement T>
class Lane {
public:
  using Element = T;

  Lane() = default; ///< none
  llvm::Value* value() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }

private:
  friend class TypedBuilder;
  explicit Lane(llvm::Value* value) : value_(value) {}

  llvm::Value* value_ = nullptr;
};

/// A value that depends on the block that control comes from.
template <AnyElement T>
class JoinedLane {
public:
  Lane<T> value() const { return value_; }
  void add(Lane<T> value, llvm::BasicBlock* from) { phi_->addIncoming(value.value(), from); }

private:
  friend class TypedBuilder;
  JoinedLane(Lane<T> value, llvm::PHINode* phi) : value_(value), phi_(phi) {}

  Lane<T> value_;
  llvm::PHINode* phi_;
};

class TypedBuilder {
public:
  /// For vectors of so many elements, or for scalars (0).
  TypedBuilder(LaneBuilder& builder, unsigned lanes) : builder_(&builder), lanes_(lanes) {}
  /// For values like that one.
  static TypedBuilder like(LaneBuilder& builder, const llvm::Value* value) {
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return {builder, vector ? vector->getNumElements() : 0};
  }

  LaneBuilder& builder() const { return *builder_; }
  bool is_vector() const { return lanes_ > 0; }
  unsigned lanes() const { return lanes_; }

  template <AnyElement T>
  llvm::Type* type() const {
    return shaped(builder_->type(element_type_of<T>));
  }
  /// A value that LLVM knows to have that type.
  template <AnyElement T>
  Lane<T> of(llvm::Value* value) const {
    assert(value->getType() == type<T>());
    return Lane<T>(value);
  }

  // ---- constants
  /// The same in all lanes.
  template <AnyElement T>
  Lane<T> number(std::type_identity_t<T> number) const {
    if constexpr (FloatElement<T>)
      return of<T>(llvm::ConstantFP::get(type<T>(), static_cast<double>(number)));
    else
      return of<T>(llvm::ConstantInt::getSigned(type<T>(), static_cast<std::int64_t>(number)));
  }
  template <FloatElement T>
  Lane<T> infinity() const {
    return of<T>(llvm::ConstantFP::getInfinity(type<T>()));
  }
  /// 0, or false.
  template <AnyElement T>
  Lane<T> zero() const {
    return of<T>(llvm::Constant::getNullValue(type<T>()));
  }
  template <AnyElement T>
  Lane<T> poison() const {
    return of<T>(llvm::PoisonValue::get(type<T>()));
  }

  // ---- arithmetic
  template <ArithmeticElement T>
  Lane<T> add(Lane<T> a, Lane<T> b) const {
    if constexpr (FloatElement<T>)
      return of<T>(sum(a.value(), b.value()));
    else
      return of<T>(ir().CreateAdd(a.value(), b.value()));
  }
  template <ArithmeticElement T>
  Lane<T> subtract(Lane<T> a, Lane<T> b) const {
    if constexpr (FloatElement<T>)
      return of<T>(difference(a.value(), b.value()));
    else
      return of<T>(ir().CreateSub(a.value(), b.value()));
  }
  template <ArithmeticElement T>
  Lane<T> multiply(Lane<T> a, Lane<T> b) const {
    if constexpr (FloatElement<T>)
      return of<T>(ir().CreateFMul(a.value(), b.value()));
    else
      return of<T>(ir().CreateMul(a.value(), b.value()));
  }
  template <WorkingFloat T>
  Lane<T> divide(Lane<T> a, Lane<T> b) const {
    return of<T>(ir().CreateFDiv(a.value(), b.value()));
  }
  /// Towards zero, where that is defined.
  template <WholeElement T>
  Lane<T> quotient(Lane<T> a, Lane<T> b) const {
    if constexpr (SignedElement<T>)
      return of<T>(ir().CreateSDiv(a.value(), b.value()));
    else
      return of<T>(ir().CreateUDiv(a.value(), b.value()));
  }
  template <NumberElement T>
  Lane<T> negate(Lane<T> a) const {
    if constexpr (FloatElement<T>)
      return of<T>(ir().CreateFNeg(a.value()));
    else
      return of<T>(ir().CreateNeg(a.value()));
  }
  template <NumberElement T>
  requires(FloatElement<T> || SignedElement<T>) Lane<T> magnitude(Lane<T> a)
  const {
    if constexpr (FloatElement<T>)
      return call<llvm::Intrinsic::fabs>(a);
    else
      return of<T>(ir().CreateBinaryIntrinsic(llvm::Intrinsic::abs, a.value(), ir().getFalse()));
  }
  template <WholeElement T>
  Lane<T> minimum(Lane<T> a, Lane<T> b) const {
    constexpr auto id = SignedElement<T> ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
    return of<T>(ir().CreateBinaryIntrinsic(id, a.value(), b.value()));
  }
  template <WholeElement T>
  Lane<T> maximum(Lane<T> a, Lane<T> b) const {
    constexpr auto id = SignedElement<T> ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
    return of<T>(ir().CreateBinaryIntrinsic(id, a.value(), b.value()));
  }
  /// The upper half of the product.
  template <WholeElement T>
  Lane<T> multiply_high(Lane<T> a, Lane<T> b) const {
    constexpr unsigned bits = 8 * sizeof(T);
    llvm::Type* const wide = shaped(ir().getIntNTy(2 * bits));
    const auto extend = [&](Lane<T> x) {
      return SignedElement<T> ? ir().CreateSExt(x.value(), wide) : ir().CreateZExt(x.value(), wide);
    };
    llvm::Value* const product = ir().CreateMul(extend(a), extend(b));
    return of<T>(
        ir().CreateTrunc(ir().CreateLShr(product, llvm::ConstantInt::get(wide, bits)), type<T>()));
  }
  /// An intrinsic whose operands and result have one type.
  template <llvm::Intrinsic::ID Id, FloatElement T, std::same_as<Lane<T>>... More>
  Lane<T> call(Lane<T> first, More... more) const {
    return of<T>(ir().CreateIntrinsic(type<T>(), Id, {first.value(), more.value()...}));
  }

  // ---- bits
  template <BitsElement T>
  Lane<T> bit_and(Lane<T> a, Lane<T> b) const {
    return of<T>(ir().CreateAnd(a.value(), b.value()));
  }
  template <BitsElement T>
  Lane<T> bit_or(Lane<T> a, Lane<T> b) const {
    return of<T>(ir().CreateOr(a.value(), b.value()));
  }
  template <BitsElement T>
  Lane<T> bit_xor(Lane<T> a, Lane<T> b) const {
    return of<T>(ir().CreateXor(a.value(), b.value()));
  }
  template <BitsElement T>
  Lane<T> complement(Lane<T> a) const {
    return of<T>(ir().CreateNot(a.value()));
  }
  /// By counts below the width.
  template <WholeElement T>
  Lane<T> shift_left(Lane<T> a, Lane<T> count) const {
    return of<T>(ir().CreateShl(a.value(), count.value()));
  }
  /// Zeros come in.
  template <WholeElement T>
  Lane<T> shift_right_logical(Lane<T> a, Lane<T> count) const {
    return of<T>(ir().CreateLShr(a.value(), count.value()));
  }
  /// Copies of the sign come in.
  template <WholeElement T>
  Lane<T> shift_right_arithmetic(Lane<T> a, Lane<T> count) const {
    return of<T>(ir().CreateAShr(a.value(), count.value()));
  }
  template <WholeElement T>
  Lane<BitsOf<T>> leading_zeros(Lane<T> a) const {
    return of<BitsOf<T>>(
        ir().CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a.value(), ir().getFalse()));
  }
  template <WholeElement T>
  Lane<BitsOf<T>> trailing_zeros(Lane<T> a) const {
    return of<BitsOf<T>>(
        ir().CreateBinaryIntrinsic(llvm::Intrinsic::cttz, a.value(), ir().getFalse()));
  }
  template <WholeElement T>
  Lane<BitsOf<T>> count_ones(Lane<T> a) const {
    return of<BitsOf<T>>(ir().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a.value()));
  }

  // ---- comparisons: of floats false where one is NaN, but for `not_equal`
  template <AnyElement T>
  Lane<bool> equal(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_OEQ, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ>(a, b);
  }
  template <AnyElement T>
  Lane<bool> not_equal(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_UNE, llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE>(a, b);
  }
  template <AnyElement T>
  Lane<bool> less(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_OLT, llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT>(a, b);
  }
  template <AnyElement T>
  Lane<bool> less_equal(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_OLE, llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE>(a, b);
  }
  template <AnyElement T>
  Lane<bool> greater(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_OGT, llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT>(a, b);
  }
  template <AnyElement T>
  Lane<bool> greater_equal(Lane<T> a, Lane<T> b) const {
    return compare<llvm::CmpInst::FCMP_OGE, llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE>(a, b);
  }
  template <FloatElement T>
  Lane<bool> is_nan(Lane<T> a) const {
    return of<bool>(ir().CreateFCmpUNO(a.value(), a.value()));
  }
  template <AnyElement T>
  Lane<T> select(Lane<bool> condition, Lane<T> a, Lane<T> b) const {
    return of<T>(ir().CreateSelect(condition.value(), a.value(), b.value()));
  }

  // ---- conversions
  /// To another width: from signed to signed by the sign, else by zeros.
  template <WholeElement To, BitsElement From>
  Lane<To> resize(Lane<From> a) const {
    if constexpr (SignedElement<To> && SignedElement<From>)
      return of<To>(ir().CreateSExtOrTrunc(a.value(), type<To>()));
    else
      return of<To>(ir().CreateZExtOrTrunc(a.value(), type<To>()));
  }
  template <FloatElement To, FloatElement From>
  requires(sizeof(To) > sizeof(From)) Lane<To> widen(Lane<From> a)
  const { return of<To>(ir().CreateFPExt(a.value(), type<To>())); }
  /// Rounded once.
  template <FloatElement To, FloatElement From>
  requires(sizeof(To) < sizeof(From)) Lane<To> narrow(Lane<From> a)
  const { return of<To>(ir().CreateFPTrunc(a.value(), type<To>())); }
  /// Rounded once.
  template <FloatElement To, BitsElement From>
  Lane<To> to_float(Lane<From> a) const {
    if constexpr (SignedElement<From>)
      return of<To>(ir().CreateSIToFP(a.value(), type<To>()));
    else
      return of<To>(ir().CreateUIToFP(a.value(), type<To>()));
  }
  /// Towards zero, where the integer holds it.
  template <WholeElement To, FloatElement From>
  Lane<To> to_whole(Lane<From> a) const {
    if constexpr (SignedElement<To>)
      return of<To>(ir().CreateFPToSI(a.value(), type<To>()));
    else
      return of<To>(ir().CreateFPToUI(a.value(), type<To>()));
  }
  /// The same bits.
  template <NumberElement To, NumberElement From>
  requires(sizeof(To) == sizeof(From)) Lane<To> reinterpret(Lane<From> a)
  const { return of<To>(ir().CreateBitCast(a.value(), type<To>())); }

  // ---- lanes
  /// The condition in the lanes that are active.
  Lane<bool> active(Lane<bool> condition) const {
    if (!is_vector() || !builder_->mask) return condition;
    return of<bool>(ir().CreateAnd(condition.value(), builder_->mask));
  }
  /// Whether it holds in a lane; i1.
  llvm::Value* any(Lane<bool> condition) const {
    return is_vector() ? builder_->any(condition.value()) : condition.value();
  }
  template <AnyElement T>
  JoinedLane<T> join(unsigned blocks) const {
    llvm::PHINode* const phi = ir().CreatePHI(type<T>(), blocks);
    return {of<T>(phi), phi};
  }

private:
  llvm::IRBuilder<>& ir() const { return builder_->ir; }
  llvm::Type* shaped(llvm::Type* element) const {
    return is_vector() ? llvm::FixedVectorType::get(element, lanes_) : element;
  }
  template <llvm::CmpInst::Predicate OfFloats, llvm::CmpInst::Predicate OfSigned,
            llvm::CmpInst::Predicate OfUnsigned, AnyElement T>
  Lane<bool> compare(Lane<T> a, Lane<T> b) const {
    if constexpr (FloatElement<T>)
      return of<bool>(ir().CreateFCmp(OfFloats, a.value(), b.value()));
    else
      return of<bool>(
          ir().CreateICmp(SignedElement<T> ? OfSigned : OfUnsigned, a.value(), b.value()));
  }

  /// The product, if it is one of two numbers of 24 bits, which is exact in 53: to add it takes one
  /// rounding in any case, so that both may be one instruction.  (Flags that allow as much would
  /// spread to other products.)
  llvm::BinaryOperator* exact_product(llvm::Value* value) const {
    auto* const product = llvm::dyn_cast<llvm::BinaryOperator>(value);
    const bool is_exact =
        product && product->getOpcode() == llvm::Instruction::FMul &&
        product->getType()->getScalarType()->isDoubleTy() && builder_->kernel.facts().has_fma &&
        has_few_bits(product->getOperand(0)) && has_few_bits(product->getOperand(1));
    return is_exact ? product : nullptr;
  }
  static bool has_few_bits(const llvm::Value* value) {
    if (llvm::isa<llvm::FPExtInst>(value)) return true;
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
    const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
    if (!number) return false;
    bool loses = true;
    llvm::APFloat narrow = number->getValueAPF();
    (void)narrow.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return !loses;
  }
  llvm::Value* fused(llvm::Value* a, llvm::Value* b, llvm::Value* c) const {
    return ir().CreateIntrinsic(llvm::Intrinsic::fma, {c->getType()}, {a, b, c});
  }
  llvm::Value* sum(llvm::Value* a, llvm::Value* b) const {
    if (llvm::BinaryOperator* const product = exact_product(b))
      return fused(product->getOperand(0), product->getOperand(1), a);
    if (llvm::BinaryOperator* const product = exact_product(a))
      return fused(product->getOperand(0), product->getOperand(1), b);
    return ir().CreateFAdd(a, b);
  }
  llvm::Value* difference(llvm::Value* a, llvm::Value* b) const {
    if (llvm::BinaryOperator* const product = exact_product(b))
      return fused(ir().CreateFNeg(product->getOperand(0)), product->getOperand(1), a);
    if (llvm::BinaryOperator* const product = exact_product(a))
      return fused(product->getOperand(0), product->getOperand(1), ir().CreateFNeg(b));
    return ir().CreateFSub(a, b);
  }

  LaneBuilder* builder_;
  unsigned lanes_;
};

/// What is known of a value while code is emitted: the number that it is in all lanes, if it is
/// one.
template <AnyElement T>
const llvm::Constant* known_constant(Lane<T> value) {
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(value.value());
  return constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
}
template <WholeElement T>
const llvm::ConstantInt* known_whole(Lane<T> value) {
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(known_constant(value));
}
template <FloatElement T>
const llvm::ConstantFP* known_float(Lane<T> value) {
  return llvm::dyn_cast_or_null<llvm::ConstantFP>(known_constant(value));
}

} // namespace sinter::jit
