#include "jit/emit/primitives.h"

#include "jit/emit/division.h"
#include "jit/emit/elementary.h"
#include "jit/emit/typed.h"
#include "lang/primitives/operand_types.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>

namespace sinter::jit {
namespace {

using llvm::Value;
using primitives::Operation;
using primitives::Primitive;

namespace lower {

/// One operation at one type, on scalars or vectors.  What it does not take is nothing.
template <AnyElement T>
struct Operands {
  TypedBuilder b;
  Lane<T> x, y, z;

  Lane<T> number(std::type_identity_t<T> number) const { return b.template number<T>(number); }
  Lane<T> zero() const { return b.template zero<T>(); }
};

// Halves are computed in f32 and rounded after each operation; that rounding twice is as good as
// rounding once for + - * / and sqrt.
template <NumberElement T, typename Emit, std::same_as<Lane<T>>... More>
Lane<T> in_working_type(TypedBuilder b, Emit emit, Lane<T> first, More... more) {
  if constexpr (std::same_as<T, Half>)
    return b.narrow<Half>(emit(b.widen<float>(first), b.widen<float>(more)...));
  else
    return emit(first, more...);
}

template <NumberElement T>
Lane<T> sum(TypedBuilder b, Lane<T> x, Lane<T> y) {
  return in_working_type(
      b, [&](auto a, auto c) { return b.add(a, c); }, x, y);
}
template <NumberElement T>
Lane<T> difference(TypedBuilder b, Lane<T> x, Lane<T> y) {
  return in_working_type(
      b, [&](auto a, auto c) { return b.subtract(a, c); }, x, y);
}
template <NumberElement T>
Lane<T> product(TypedBuilder b, Lane<T> x, Lane<T> y) {
  return in_working_type(
      b, [&](auto a, auto c) { return b.multiply(a, c); }, x, y);
}

// ---- arithmetic --------------------------------------------------------------------------------

constexpr auto add = []<NumberElement T>(const Operands<T>& o) { return sum(o.b, o.x, o.y); };
constexpr auto subtract = []<NumberElement T>(const Operands<T>& o) {
  return difference(o.b, o.x, o.y);
};
constexpr auto multiply = []<NumberElement T>(const Operands<T>& o) {
  return product(o.b, o.x, o.y);
};
constexpr auto negate = []<NumberElement T>(const Operands<T>& o) { return o.b.negate(o.x); };

/// x^n, by squaring.
template <WholeElement T>
Lane<T> constant_power(const Operands<T>& o, std::uint64_t exponent) {
  Lane<T> result, factor = o.x;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result ? o.b.multiply(result, factor) : factor;
    if (exponent > 1) factor = o.b.multiply(factor, factor);
  }
  return result ? result : o.number(1);
}
/// x^y, until no lane has a bit of its exponent left.
template <WholeElement T>
Lane<T> variable_power(const Operands<T>& o, Lane<T> exponents) {
  const TypedBuilder& b = o.b;
  auto& ir = b.builder().ir;
  auto* const before = ir.GetInsertBlock();
  auto* const head = b.builder().block("power");
  auto* const body = b.builder().block("square");
  auto* const after = b.builder().block("after");
  ir.CreateBr(head);
  ir.SetInsertPoint(head);
  JoinedLane<T> result = b.join<T>(2), factor = b.join<T>(2), exponent = b.join<T>(2);
  const Lane<bool> more = b.not_equal(exponent.value(), o.zero());
  ir.CreateCondBr(b.any(b.active(more)), body, after);
  ir.SetInsertPoint(body);
  const Lane<bool> is_odd = b.not_equal(b.bit_and(exponent.value(), o.number(1)), o.zero());
  result.add(o.number(1), before);
  result.add(b.select(is_odd, b.multiply(result.value(), factor.value()), result.value()), body);
  factor.add(o.x, before);
  factor.add(b.multiply(factor.value(), factor.value()), body);
  exponent.add(exponents, before);
  exponent.add(b.shift_right_logical(exponent.value(), o.number(1)), body);
  ir.CreateBr(head);
  ir.SetInsertPoint(after);
  return result.value();
}
constexpr auto power = []<WholeElement T>(const Operands<T>& o) {
  if (const llvm::ConstantInt* const number = known_whole(o.y))
    if (!SignedElement<T> || !number->isNegative())
      return constant_power(o, number->getZExtValue());
  if constexpr (!SignedElement<T>) {
    return variable_power(o, o.y);
  } else {
    const Lane<bool> is_negative = o.b.less(o.y, o.zero());
    const Lane<T> result = variable_power(o, o.b.select(is_negative, o.zero(), o.y));
    return o.b.select(is_negative, o.zero(), result);
  }
};

template <WholeElement T>
IntegerDivision<T> division(const Operands<T>& o, DivisionPart part) {
  return divide_integers(o.b, o.x, o.y, part);
}
constexpr auto quotient = []<WholeElement T>(const Operands<T>& o) {
  return division(o, DivisionPart::Quotient).quotient;
};
constexpr auto remainder = []<WholeElement T>(const Operands<T>& o) {
  return division(o, DivisionPart::Remainder).remainder;
};
/// Whether a division that rounds to negative infinity differs from one towards zero.
template <SignedElement T>
Lane<bool> rounds_down(const Operands<T>& o, Lane<T> remainder) {
  const Lane<bool> signs_differ = o.b.less(o.b.bit_xor(o.x, o.y), o.zero());
  return o.b.bit_and(signs_differ, o.b.not_equal(remainder, o.zero()));
}
constexpr auto divide = []<NumberElement T>(const Operands<T>& o) {
  if constexpr (FloatElement<T>) {
    return in_working_type(
        o.b, [&](auto a, auto c) { return o.b.divide(a, c); }, o.x, o.y);
  } else if constexpr (!SignedElement<T>) {
    return quotient(o);
  } else {
    const auto [quotient, remainder] = division(o, DivisionPart::Both);
    return o.b.select(rounds_down(o, remainder), o.b.subtract(quotient, o.number(1)), quotient);
  }
};
constexpr auto modulo = []<WholeElement T>(const Operands<T>& o) {
  const Lane<T> result = remainder(o);
  // The remainder has the dividend's sign, so it differs from the divisor's where they do.
  if constexpr (SignedElement<T>)
    return o.b.select(rounds_down(o, result), o.b.add(result, o.y), result);
  else
    return result;
};

constexpr auto absolute = []<NumberElement T>(const Operands<T>& o) {
  if constexpr (FloatElement<T> || SignedElement<T>)
    return o.b.magnitude(o.x);
  else
    return o.x;
};
constexpr auto sign = []<NumberElement T>(const Operands<T>& o) {
  if constexpr (FloatElement<T>)
    return o.b.select(o.b.greater(o.x, o.zero()), o.number(1),
                      o.b.select(o.b.less(o.x, o.zero()), o.number(-1), o.x));
  else if constexpr (!SignedElement<T>)
    return o.b.template resize<T>(o.b.not_equal(o.x, o.zero()));
  else {
    const Lane<T> is_positive = o.b.template resize<T>(o.b.greater(o.x, o.zero()));
    return o.b.select(o.b.less(o.x, o.zero()), o.number(-1), is_positive);
  }
};

/// Whether an operand is a constant that is the result where it equals the other one, or that is
/// NaN: of zeros only the lesser (greater) one.
template <FloatElement T>
bool settles_extremum(Lane<T> operand, bool is_minimum) {
  const llvm::ConstantFP* const number = known_float(operand);
  return number && !number->isNaN() && (!number->isZero() || number->isNegative() == is_minimum);
}
/// Equal numbers differ in the sign of zero at most, so their bits or-ed (and-ed) are the lesser
/// (greater) one's.  A NaN loses: comparisons with it are false.
template <bool is_minimum, FloatElement T>
Lane<T> float_extremum(const Operands<T>& o) {
  const TypedBuilder& b = o.b;
  const auto is_before = [&](Lane<T> first, Lane<T> second) {
    return is_minimum ? b.less(first, second) : b.greater(first, second);
  };
  // One instruction, as processors take the second operand unless the first one is before it.
  for (const auto& [bound, other] : {std::pair{o.x, o.y}, std::pair{o.y, o.x}})
    if (settles_extremum(bound, is_minimum)) return b.select(is_before(other, bound), other, bound);
  if constexpr (WorkingFloat<T>) {
    const KernelModule& kernel = b.builder().kernel;
    if (kernel.facts().orders_floats && b.is_vector() && b.lanes() * sizeof(T) >= 16)
      return b.of<T>(kernel.hooks.extremum(b.builder(), o.x.value(), o.y.value(), is_minimum));
  }
  const Lane<bool> replaces = is_before(o.y, o.x);
  const auto first = b.reinterpret<BitsOf<T>>(o.x);
  const auto second = b.reinterpret<BitsOf<T>>(o.y);
  const Lane<T> equal =
      b.reinterpret<T>(is_minimum ? b.bit_or(first, second) : b.bit_and(first, second));
  Lane<T> result = b.select(replaces, o.y, o.x);
  result = b.select(b.equal(o.x, o.y), equal, result);
  return b.select(b.is_nan(o.x), o.y, result);
}
constexpr auto minimum = []<NumberElement T>(const Operands<T>& o) {
  if constexpr (FloatElement<T>)
    return float_extremum<true>(o);
  else
    return o.b.minimum(o.x, o.y);
};
constexpr auto maximum = []<NumberElement T>(const Operands<T>& o) {
  if constexpr (FloatElement<T>)
    return float_extremum<false>(o);
  else
    return o.b.maximum(o.x, o.y);
};

// ---- bits --------------------------------------------------------------------------------------

constexpr auto complement = []<BitsElement T>(const Operands<T>& o) { return o.b.complement(o.x); };
constexpr auto bit_and = []<BitsElement T>(const Operands<T>& o) { return o.b.bit_and(o.x, o.y); };
constexpr auto bit_or = []<BitsElement T>(const Operands<T>& o) { return o.b.bit_or(o.x, o.y); };
constexpr auto bit_xor = []<BitsElement T>(const Operands<T>& o) { return o.b.bit_xor(o.x, o.y); };

template <WholeElement T>
constexpr T bits_of = 8 * sizeof(T);

/// `shift` by a count within the width, else 0.
template <WholeElement T, typename Shift>
Lane<T> guarded_shift(const Operands<T>& o, Shift shift) {
  const auto count = o.b.template reinterpret<BitsOf<T>>(o.y);
  const Lane<bool> fits = o.b.less(count, o.b.template number<BitsOf<T>>(bits_of<T>));
  return o.b.select(fits, shift(o.b.select(fits, o.y, o.zero())), o.zero());
}
constexpr auto shift_left = []<WholeElement T>(const Operands<T>& o) {
  return guarded_shift(o, [&](Lane<T> count) { return o.b.shift_left(o.x, count); });
};
constexpr auto shift_right_logical = []<WholeElement T>(const Operands<T>& o) {
  return guarded_shift(o, [&](Lane<T> count) { return o.b.shift_right_logical(o.x, count); });
};
constexpr auto shift_right = []<WholeElement T>(const Operands<T>& o) {
  if constexpr (!SignedElement<T>) {
    return shift_right_logical(o);
  } else { // the sign is what a shift by the width less one leaves
    using Bits = BitsOf<T>;
    const Lane<Bits> count =
        o.b.minimum(o.b.template reinterpret<Bits>(o.y), o.b.template number<Bits>(bits_of<T> - 1));
    return o.b.shift_right_arithmetic(o.x, o.b.template reinterpret<T>(count));
  }
};
constexpr auto leading_zeros = []<WholeElement T>(const Operands<T>& o) {
  return o.b.template resize<std::int32_t>(o.b.leading_zeros(o.x));
};
constexpr auto trailing_zeros = []<WholeElement T>(const Operands<T>& o) {
  return o.b.template resize<std::int32_t>(o.b.trailing_zeros(o.x));
};
constexpr auto count_ones = []<WholeElement T>(const Operands<T>& o) {
  return o.b.template resize<std::int32_t>(o.b.count_ones(o.x));
};
constexpr auto multiply_high = []<WholeElement T>(const Operands<T>& o) {
  return o.b.multiply_high(o.x, o.y);
};
constexpr auto multiply_add_high = []<WholeElement T>(const Operands<T>& o) {
  return o.b.add(o.b.multiply_high(o.x, o.y), o.z);
};

// ---- comparison --------------------------------------------------------------------------------

constexpr auto equal = []<AnyElement T>(const Operands<T>& o) { return o.b.equal(o.x, o.y); };
constexpr auto not_equal = []<AnyElement T>(const Operands<T>& o) {
  return o.b.not_equal(o.x, o.y);
};
constexpr auto less = []<AnyElement T>(const Operands<T>& o) { return o.b.less(o.x, o.y); };
constexpr auto less_equal = []<AnyElement T>(const Operands<T>& o) {
  return o.b.less_equal(o.x, o.y);
};
constexpr auto greater = []<AnyElement T>(const Operands<T>& o) { return o.b.greater(o.x, o.y); };
constexpr auto greater_equal = []<AnyElement T>(const Operands<T>& o) {
  return o.b.greater_equal(o.x, o.y);
};

// ---- conversion --------------------------------------------------------------------------------

/// Within 64 bits exactly, then wrapped around; beyond them, and NaN, 0.
template <WholeElement To, FloatElement From>
Lane<To> float_to_whole(const TypedBuilder& b, Lane<From> number) {
  Lane<double> x;
  if constexpr (std::same_as<From, double>)
    x = number;
  else
    x = b.widen<double>(number);
  const auto bound = [&](double value) { return b.number<double>(value); };
  const Lane<bool> fits_signed =
      b.bit_and(b.greater_equal(x, bound(-0x1p63)), b.less(x, bound(0x1p63)));
  const Lane<bool> fits_above =
      b.bit_and(b.greater_equal(x, bound(0x1p63)), b.less(x, bound(0x1p64)));
  const Lane<double> lowered =
      b.select(fits_above, b.subtract(x, bound(0x1p63)), b.select(fits_signed, x, bound(0)));
  const auto converted = b.to_whole<std::int64_t>(lowered);
  const auto top = b.number<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  return b.resize<To>(b.select(fits_above, b.bit_xor(converted, top), converted));
}
/// `quick` where the condition (i1) holds, else `otherwise`: the one of two ways that is seldom
/// taken.
template <AnyElement T, typename Quick, typename Otherwise>
Lane<T> usually(const TypedBuilder& b, Value* condition, Quick quick, Otherwise otherwise) {
  std::pair<Lane<T>, llvm::BasicBlock*> ways[2];
  const auto way = [&](std::size_t number, auto& compute) {
    const Lane<T> result = compute();
    ways[number] = {result, b.builder().ir.GetInsertBlock()};
  };
  b.builder().if_then_else(
      condition, [&] { way(0, quick); }, [&] { way(1, otherwise); });
  JoinedLane<T> result = b.join<T>(2);
  for (const auto& [value, from] : ways)
    result.add(value, from);
  return result.value();
}

/// Lanes of 64-bit integers as floats, where that is no instruction: numbers of fewer than 32 bits,
/// as most are, are converted as such.  Both ways round once.
template <FloatElement To, WholeElement From>
Lane<To> float_of_wide_lanes(const TypedBuilder& b, Lane<From> x) {
  const auto low = b.resize<std::int32_t>(x);
  Lane<From> restored;
  if constexpr (SignedElement<From>)
    restored = b.resize<From>(low);
  else
    restored = b.bit_and(x, b.number<From>(std::numeric_limits<std::int32_t>::max()));
  const Lane<bool> differ = b.not_equal(restored, x);
  return usually<To>(
      b, b.builder().ir.CreateNot(b.any(differ)), [&] { return b.to_float<To>(low); },
      [&] { return b.to_float<To>(x); });
}
/// A number with its magnitude up to the bound.
template <WholeElement T>
Lane<T> clamped(const TypedBuilder& b, Lane<T> x, T bound) {
  if constexpr (!SignedElement<T>)
    return b.minimum(x, b.number<T>(bound));
  else
    return b.maximum(b.number<T>(-bound), b.minimum(x, b.number<T>(bound)));
}
template <FloatElement To, BitsElement From>
Lane<To> whole_to_float(const TypedBuilder& b, Lane<From> x) {
  if constexpr (std::same_as<From, bool>) {
    return b.to_float<To>(x);
  } else if constexpr (std::same_as<To, Half>) {
    // Beyond what f16 holds by far, but exact in f32: so only the second conversion rounds.
    if constexpr (sizeof(From) > 2) x = clamped<From>(b, x, From{1} << 20);
    return b.narrow<Half>(b.to_float<float>(x));
  } else {
    if constexpr (sizeof(From) == 8)
      if (b.is_vector() && !b.builder().kernel.facts().converts_wide_lanes)
        return float_of_wide_lanes<To>(b, x);
    return b.to_float<To>(x);
  }
}
template <AnyElement To, AnyElement From>
Lane<To> converted(const TypedBuilder& b, Lane<From> x) {
  if constexpr (std::same_as<To, From>)
    return x;
  else if constexpr (std::same_as<To, bool>)
    return b.not_equal(x, b.zero<From>());
  else if constexpr (BitsElement<From> && WholeElement<To>)
    return b.resize<To>(x);
  else if constexpr (BitsElement<From>)
    return whole_to_float<To>(b, x);
  else if constexpr (WholeElement<To>)
    return float_to_whole<To>(b, x);
  else if constexpr (std::same_as<From, double> && std::same_as<To, Half>)
    return half_of_double(b, x);
  else if constexpr (sizeof(From) < sizeof(To))
    return b.widen<To>(x);
  else
    return b.narrow<To>(x);
}

// ---- floats ------------------------------------------------------------------------------------

template <llvm::Intrinsic::ID Id>
struct WorkingIntrinsic {
  template <FloatElement T>
  Lane<T> operator()(const Operands<T>& o) const {
    return in_working_type(
        o.b, [&](auto x) { return o.b.template call<Id>(x); }, o.x);
  }
};
constexpr auto is_nan = []<FloatElement T>(const Operands<T>& o) { return o.b.is_nan(o.x); };
constexpr auto is_infinite = []<FloatElement T>(const Operands<T>& o) {
  const Lane<T> magnitude = o.b.magnitude(o.x);
  return o.b.equal(magnitude, o.b.template infinity<T>());
};
constexpr auto copy_sign = []<FloatElement T>(const Operands<T>& o) {
  return o.b.template call<llvm::Intrinsic::copysign>(o.x, o.y);
};
constexpr auto fused_multiply_add = []<WorkingFloat T>(const Operands<T>& o) {
  return o.b.template call<llvm::Intrinsic::fma>(o.x, o.y, o.z);
};
/// Rounded twice in every mode.
constexpr auto multiply_add = []<FloatElement T>(const Operands<T>& o) {
  auto& ir = o.b.builder().ir;
  llvm::IRBuilder<>::FastMathFlagGuard guard(ir);
  ir.clearFastMathFlags();
  return sum(o.b, product(o.b, o.x, o.y), o.z);
};
constexpr auto interpolate = []<FloatElement T>(const Operands<T>& o) {
  return sum(o.b, o.x, product(o.b, difference(o.b, o.y, o.x), o.z));
};

// ---- the table ---------------------------------------------------------------------------------

using Untyped = std::array<Value*, 3>;

template <AnyElement T>
Operands<T> typed(LaneBuilder& builder, const Untyped& operands) {
  const TypedBuilder b = TypedBuilder::like(builder, operands[0]);
  const auto of = [&](Value* operand) { return operand ? b.of<T>(operand) : Lane<T>(); };
  return {b, of(operands[0]), of(operands[1]), of(operands[2])};
}

/// The row's function at the type that the operands have; nothing where it has none.
template <typename Lowering>
Value* at_type(LaneBuilder& builder, const Primitive& primitive, const Untyped& operands) {
  return with_cpp_type(primitive.operand, [&]<typename T>() -> Value* {
    if constexpr (requires(const Operands<T>& o) { Lowering()(o); }) {
      const auto result = Lowering()(typed<T>(builder, operands));
      assert(primitive.result == element_type_of<typename decltype(result)::Element>);
      return result.value();
    } else {
      return nullptr;
    }
  });
}
Value* convert(LaneBuilder& builder, const Primitive& primitive, const Untyped& operands) {
  return with_cpp_type(primitive.operand, [&]<typename From>() {
    const Operands<From> o = typed<From>(builder, operands);
    return with_cpp_type(primitive.result,
                         [&]<typename To>() { return converted<To>(o.b, o.x).value(); });
  });
}
Value* bit_cast(LaneBuilder& builder, const Primitive& primitive, const Untyped& operands) {
  return with_cpp_type(primitive.operand, [&]<typename From>() -> Value* {
    const Operands<From> o = typed<From>(builder, operands);
    return with_cpp_type(primitive.result, [&]<typename To>() -> Value* {
      if constexpr (requires { o.b.template reinterpret<To>(o.x); })
        return o.b.template reinterpret<To>(o.x).value();
      else
        return nullptr;
    });
  });
}

/// A lowering gives null for types at which the operation is an elementary function.
struct Row {
  Operation operation;
  Value* (*lower)(LaneBuilder&, const Primitive&, const Untyped&);
};
template <typename Lowering>
constexpr Row row(Operation operation, Lowering) {
  return {operation, at_type<Lowering>};
}
constexpr Row rows[] = {
    row(Operation::Add, add),
    row(Operation::Subtract, subtract),
    row(Operation::Multiply, multiply),
    row(Operation::Divide, divide),
    row(Operation::Modulo, modulo),
    row(Operation::Quotient, quotient),
    row(Operation::Remainder, remainder),
    row(Operation::Power, power),
    row(Operation::Negate, negate),
    row(Operation::Absolute, absolute),
    row(Operation::Sign, sign),
    row(Operation::Minimum, minimum),
    row(Operation::Maximum, maximum),
    row(Operation::Complement, complement),
    row(Operation::And, bit_and),
    row(Operation::Or, bit_or),
    row(Operation::Xor, bit_xor),
    row(Operation::ShiftLeft, shift_left),
    row(Operation::ShiftRight, shift_right),
    row(Operation::ShiftRightLogical, shift_right_logical),
    row(Operation::CountLeadingZeros, leading_zeros),
    row(Operation::CountTrailingZeros, trailing_zeros),
    row(Operation::CountOnes, count_ones),
    row(Operation::MultiplyHigh, multiply_high),
    row(Operation::MultiplyAddHigh, multiply_add_high),
    row(Operation::Equal, equal),
    row(Operation::NotEqual, not_equal),
    row(Operation::Less, less),
    row(Operation::LessEqual, less_equal),
    row(Operation::Greater, greater),
    row(Operation::GreaterEqual, greater_equal),
    {Operation::Convert, convert},
    {Operation::ToBits, bit_cast},
    {Operation::FromBits, bit_cast},
    row(Operation::Round, WorkingIntrinsic<llvm::Intrinsic::nearbyint>()),
    row(Operation::Ceiling, WorkingIntrinsic<llvm::Intrinsic::ceil>()),
    row(Operation::Floor, WorkingIntrinsic<llvm::Intrinsic::floor>()),
    row(Operation::Truncate, WorkingIntrinsic<llvm::Intrinsic::trunc>()),
    row(Operation::IsNan, is_nan),
    row(Operation::IsInfinite, is_infinite),
    row(Operation::CopySign, copy_sign),
    row(Operation::FusedMultiplyAdd, fused_multiply_add),
    row(Operation::MultiplyAdd, multiply_add),
    row(Operation::Interpolate, interpolate),
    row(Operation::SquareRoot, WorkingIntrinsic<llvm::Intrinsic::sqrt>()),
};

const Row* find_row(Operation operation) {
  for (const Row& row : rows)
    if (row.operation == operation) return &row;
  return nullptr;
}

} // namespace lower

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

namespace {

template <WorkingFloat To>
Lane<To> float_of_linear(LaneBuilder& builder, Lane<std::int64_t> base) {
  const TypedBuilder b(builder, builder.in_lanes() ? builder.lanes() : 0), scalar(builder, 0);
  const auto numbers_from = [&]<WholeElement From>(Lane<From> first) {
    const auto lane_numbers = b.of<From>(builder.lane_numbers(first.value()->getType()));
    return b.to_float<To>(b.add(b.of<From>(builder.splat(first.value())), lane_numbers));
  };
  // (Of lanes of 32 bits there are as many in a register as of f32.)
  if (builder.kernel.facts().converts_wide_lanes && sizeof(To) == 8) return numbers_from(base);
  // From the least number of 32 bits on, so many begin vectors of such numbers.
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  const std::uint64_t count = (std::uint64_t{1} << 32) - builder.lanes() + 1;
  const auto above = scalar.subtract(base, scalar.number<std::int64_t>(least));
  const Lane<bool> are_narrow =
      scalar.less(scalar.reinterpret<std::uint64_t>(above), scalar.number<std::uint64_t>(count));
  return lower::usually<To>(
      b, are_narrow.value(), [&] { return numbers_from(scalar.resize<std::int32_t>(base)); },
      [&] { return numbers_from(base); });
}

} // namespace

Value* emit_float_of_linear(LaneBuilder& builder, ElementType result, Value* base) {
  const auto first = TypedBuilder(builder, 0).of<std::int64_t>(base);
  assert(result == ElementType::F32 || result == ElementType::F64);
  if (result == ElementType::F32) return float_of_linear<float>(builder, first).value();
  return float_of_linear<double>(builder, first).value();
}

Value* emit_primitive(LaneBuilder& builder, const Primitive& primitive,
                      std::array<Value*, 3> operands) {
  if (const lower::Row* row = lower::find_row(primitive.operation))
    if (Value* const result = row->lower(builder, primitive, operands)) return result;
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
