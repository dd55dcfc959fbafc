#include "jit/emit/elementary.h"

#include "lang/primitives/elementary/functions.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sinter::jit {
namespace {

using llvm::Value;

/// The arithmetic of emitted values: one scalar each, or a vector of W.
class EmittingArithmetic {
public:
  template <WorkingFloat T>
  using Float = Lane<T>;
  template <WorkingFloat T>
  using Integer = Lane<elementary::integer_of<T>>;
  using Truth = Lane<bool>;

  explicit EmittingArithmetic(const TypedBuilder& builder)
      : b_(builder), lanes_(builder.builder()), ir_(lanes_.ir) {}

  const TypedBuilder& builder() const { return b_; }

  template <typename T>
  Float<T> literal(T number) {
    return b_.number<T>(number);
  }
  template <typename T>
  Integer<T> integer_literal(std::int64_t number) {
    return b_.number<elementary::integer_of<T>>(static_cast<elementary::integer_of<T>>(number));
  }

  template <ArithmeticElement T>
  Lane<T> add(Lane<T> a, Lane<T> c) {
    return b_.add(a, c);
  }
  template <ArithmeticElement T>
  Lane<T> sub(Lane<T> a, Lane<T> c) {
    return b_.subtract(a, c);
  }
  template <ArithmeticElement T>
  Lane<T> mul(Lane<T> a, Lane<T> c) {
    return b_.multiply(a, c);
  }
  template <WorkingFloat T>
  Lane<T> div(Lane<T> a, Lane<T> c) {
    return b_.divide(a, c);
  }
  template <WorkingFloat T>
  Lane<T> neg(Lane<T> a) {
    return b_.negate(a);
  }
  template <WorkingFloat T>
  Lane<T> fma(Lane<T> a, Lane<T> c, Lane<T> d) {
    return b_.call<llvm::Intrinsic::fma>(a, c, d);
  }
  template <WorkingFloat T>
  Lane<T> sqrt(Lane<T> a) {
    return b_.call<llvm::Intrinsic::sqrt>(a);
  }
  template <WorkingFloat T>
  Lane<T> abs(Lane<T> a) {
    return b_.magnitude(a);
  }
  template <WorkingFloat T>
  Lane<T> rint(Lane<T> a) {
    if (const llvm::ConstantFP* const known = known_float(a)) {
      llvm::APFloat number = known->getValueAPF();
      number.roundToIntegral(llvm::APFloat::rmNearestTiesToEven);
      return b_.of<T>(llvm::ConstantFP::get(b_.type<T>(), number));
    }
    return b_.call<llvm::Intrinsic::rint>(a);
  }
  template <WorkingFloat T>
  Lane<T> copysign(Lane<T> a, Lane<T> c) {
    return b_.call<llvm::Intrinsic::copysign>(a, c);
  }
  template <typename T>
  Integer<T> bits(Float<T> a) {
    return b_.reinterpret<elementary::integer_of<T>>(a);
  }
  template <typename T>
  Float<T> from_bits(Integer<T> a) {
    return b_.reinterpret<T>(a);
  }

  /// See `elementary::TakesApart`.
  template <WorkingFloat T>
  bool takes_apart() const {
    return lanes_.kernel.facts().takes_floats_apart && b_.is_vector() &&
           b_.lanes() * sizeof(T) >= 16;
  }
  template <WorkingFloat T>
  Lane<T> scale(Lane<T> x, Lane<T> n) {
    return b_.of<T>(lanes_.kernel.hooks.scale(lanes_, x.value(), n.value()));
  }
  template <WorkingFloat T>
  Lane<T> exponent(Lane<T> x) {
    return b_.of<T>(lanes_.kernel.hooks.exponent(lanes_, x.value()));
  }
  template <WorkingFloat T>
  Lane<T> significand(Lane<T> x) {
    return b_.of<T>(lanes_.kernel.hooks.significand(lanes_, x.value()));
  }
  template <WorkingFloat T>
  Lane<T> with_poles(Lane<T> x, Lane<T> logarithm) {
    return b_.of<T>(lanes_.kernel.hooks.with_logarithm_poles(lanes_, x.value(), logarithm.value()));
  }

  template <BitsElement T>
  Lane<T> bit_and(Lane<T> a, Lane<T> c) {
    return b_.bit_and(a, c);
  }
  template <BitsElement T>
  Lane<T> bit_or(Lane<T> a, Lane<T> c) {
    return b_.bit_or(a, c);
  }
  template <WholeElement T>
  Lane<T> bit_xor(Lane<T> a, Lane<T> c) {
    return b_.bit_xor(a, c);
  }
  Truth bit_not(Truth a) { return b_.complement(a); }
  template <WholeElement T>
  Lane<T> shl(Lane<T> a, int count) {
    return b_.shift_left(a, b_.number<T>(count));
  }
  template <WholeElement T>
  Lane<T> lshr(Lane<T> a, int count) {
    return b_.shift_right_logical(a, b_.number<T>(count));
  }
  template <WholeElement T>
  Lane<T> ashr(Lane<T> a, int count) {
    return b_.shift_right_arithmetic(a, b_.number<T>(count));
  }
  template <WholeElement T>
  Lane<T> shift_left(Lane<T> a, Lane<T> count) {
    return b_.shift_left(a, count);
  }
  Integer<double> lookup(const elementary::Table& table, Integer<double> index) {
    llvm::Type* const word = ir_.getInt64Ty();
    Value* const places = ir_.CreateGEP(word, global(table), index.value());
    if (!b_.is_vector()) return b_.of<std::int64_t>(ir_.CreateLoad(word, places));
    return b_.of<std::int64_t>(
        ir_.CreateMaskedGather(b_.type<std::int64_t>(), places, llvm::Align(8)));
  }

  template <NumberElement T>
  Truth lt(Lane<T> a, Lane<T> c) {
    return b_.less(a, c);
  }
  template <NumberElement T>
  Truth le(Lane<T> a, Lane<T> c) {
    return b_.less_equal(a, c);
  }
  template <NumberElement T>
  Truth eq(Lane<T> a, Lane<T> c) {
    return b_.equal(a, c);
  }
  template <NumberElement T>
  Truth ne(Lane<T> a, Lane<T> c) {
    return b_.not_equal(a, c);
  }
  template <NumberElement T>
  Lane<T> select(Truth c, Lane<T> a, Lane<T> d) {
    if (const auto known = known_truth(c)) return *known ? a : d;
    return b_.select(c, a, d);
  }
  Float<double> widen(Float<float> a) { return b_.widen<double>(a); }
  Float<float> narrow(Float<double> a) { return b_.narrow<float>(a); }

  template <typename Where, typename Seldom, typename Usual>
  auto either(Truth hint, Where where, Seldom seldom, Usual usual) -> decltype(usual()) {
    if (const auto hinted = known_truth(hint)) {
      if (!*hinted) return usual();
      if (const auto known = known_truth(where())) return *known ? seldom() : usual();
    }
    return b_.is_vector() ? either_in_lanes(hint, where, seldom, usual)
                          : either_in_one(hint, where, seldom, usual);
  }
  template <typename T, typename Text, typename... Operands>
  Float<T> called(std::string_view symbol, Text text, Operands... operands) {
    auto* const function = function_of<T, sizeof...(operands)>(symbol, text, b_.lanes());
    return b_.of<T>(ir_.CreateCall(function, {operands.value()...}));
  }
  template <typename T, typename Text, typename... Operands>
  Float<T> rare(Truth where, Float<T> value, std::string_view symbol, Text text,
                Operands... operands) {
    auto* const function = function_of<T, sizeof...(operands)>(symbol, text, 0);
    const Truth chosen = b_.active(where);
    auto* const slow = lanes_.block("rare");
    auto* const after = lanes_.block("after");
    Join<T> join;
    join.add(value, ir_.GetInsertBlock());
    ir_.CreateCondBr(b_.any(chosen), slow, after, hardly_ever());
    ir_.SetInsertPoint(slow);
    Value* const result = b_.is_vector()
                              ? ir_.CreateCall(lanes_function(function),
                                               {chosen.value(), value.value(), operands.value()...})
                              : ir_.CreateCall(function, {operands.value()...});
    join.add(b_.of<T>(result), ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return join.emit(b_);
  }
  template <typename T, std::size_t N, typename GoesOn, typename Step>
  std::array<Float<T>, N> repeat(int most, std::array<Float<T>, N> first, GoesOn goes_on,
                                 Step step) {
    auto* const before = ir_.GetInsertBlock();
    auto* const head = lanes_.block("repeat");
    auto* const body = lanes_.block("step");
    auto* const after = lanes_.block("after");
    ir_.CreateBr(head);
    ir_.SetInsertPoint(head);
    const TypedBuilder one(lanes_, 0);
    JoinedLane<std::int32_t> count = one.join<std::int32_t>(2);
    count.add(one.zero<std::int32_t>(), before);
    std::vector<JoinedLane<T>> variables;
    std::array<Float<T>, N> state;
    for (std::size_t n = 0; n < N; ++n) {
      variables.push_back(b_.join<T>(2));
      variables[n].add(first[n], before);
      state[n] = variables[n].value();
    }
    const Truth more = goes_on(state);
    Value* const in_any = b_.any(b_.active(more));
    const Truth is_below = one.less(count.value(), one.number<std::int32_t>(most));
    ir_.CreateCondBr(ir_.CreateAnd(in_any, is_below.value()), body, after);
    ir_.SetInsertPoint(body);
    const std::array<Float<T>, N> next = step(state);
    auto* const end = ir_.GetInsertBlock();
    for (std::size_t n = 0; n < N; ++n)
      variables[n].add(b_.is_vector() ? select(more, next[n], state[n]) : next[n], end);
    count.add(one.add(count.value(), one.number<std::int32_t>(1)), end);
    ir_.CreateBr(head);
    ir_.SetInsertPoint(after);
    return state;
  }

private:
  /// What a value is, by the block that control comes from.
  template <AnyElement T>
  class Join {
  public:
    /// `value`, which has been emitted, comes from that block.
    void add(Lane<T> value, llvm::BasicBlock* from) { incoming_.emplace_back(value, from); }
    Lane<T> emit(const TypedBuilder& b) const {
      JoinedLane<T> result = b.join<T>(static_cast<unsigned>(incoming_.size()));
      for (const auto& [value, from] : incoming_)
        result.add(value, from);
      return result.value();
    }

  private:
    std::vector<std::pair<Lane<T>, llvm::BasicBlock*>> incoming_;
  };

  /// Of a branch that is not expected.
  llvm::MDNode* hardly_ever() const {
    return llvm::MDBuilder(ir_.getContext()).createBranchWeights(1, 1000);
  }
  /// What a condition is in all lanes, if that is known.
  static std::optional<bool> known_truth(Truth condition) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(condition.value());
    if (constant && constant->isAllOnesValue()) return true;
    if (constant && constant->isNullValue()) return false;
    return std::nullopt;
  }
  template <typename Where, typename Seldom, typename Usual>
  auto either_in_one(Truth hint, Where where, Seldom seldom, Usual usual) -> decltype(usual()) {
    auto* const hinted = lanes_.block("hinted");
    auto* const one = lanes_.block("seldom");
    auto* const other = lanes_.block("usual");
    auto* const after = lanes_.block("after");
    ir_.CreateCondBr(hint.value(), hinted, other);
    ir_.SetInsertPoint(hinted);
    ir_.CreateCondBr(where().value(), one, other);
    Join<typename decltype(usual())::Element> result;
    ir_.SetInsertPoint(one);
    const auto seldom_value = seldom();
    result.add(seldom_value, ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(other);
    const auto usual_value = usual();
    result.add(usual_value, ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return result.emit(b_);
  }
  template <typename Where, typename Seldom, typename Usual>
  auto either_in_lanes(Truth hint, Where where, Seldom seldom, Usual usual) -> decltype(usual()) {
    using T = typename decltype(usual())::Element;
    auto* const hinted = lanes_.block("hinted");
    auto* const some = lanes_.block("seldom");
    auto* const others = lanes_.block("usual");
    auto* const after = lanes_.block("after");
    Join<bool> known_lanes;
    Join<T> known_values, result;
    // Which lanes come to `others` with their value.
    const auto come = [&](Truth lanes, Lane<T> values) {
      known_lanes.add(lanes, ir_.GetInsertBlock());
      known_values.add(values, ir_.GetInsertBlock());
    };
    const Truth none = b_.zero<bool>();
    const Lane<T> no_values = b_.poison<T>();
    come(none, no_values);
    ir_.CreateCondBr(b_.any(b_.active(hint)), hinted, others, hardly_ever());
    ir_.SetInsertPoint(hinted);
    const Truth chosen = b_.bit_and(hint, where());
    come(none, no_values);
    ir_.CreateCondBr(b_.any(b_.active(chosen)), some, others);
    ir_.SetInsertPoint(some);
    const Lane<T> seldom_values = seldom();
    come(chosen, seldom_values);
    result.add(seldom_values, ir_.GetInsertBlock());
    ir_.CreateCondBr(b_.any(b_.active(b_.complement(chosen))), others, after);
    ir_.SetInsertPoint(others);
    const Truth lanes = known_lanes.emit(b_);
    const Lane<T> values = known_values.emit(b_);
    const Lane<T> usual_values = usual();
    result.add(b_.select(lanes, values, usual_values), ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return result.emit(b_);
  }

  /// A function of the module: the text on so many lanes, or on one (0).
  template <typename T, std::size_t N, typename Text>
  llvm::Function* function_of(std::string_view symbol, Text text, unsigned lanes) {
    const std::string name = std::string(symbol) + (sizeof(T) == 4 ? "_f32" : "_f64") + "_lanes" +
                             std::to_string(std::max(lanes, 1u));
    llvm::Function*& function = lanes_.kernel.helpers[name];
    if (function) return function;
    llvm::Type* const number = TypedBuilder(lanes_, lanes).type<T>();
    const std::vector<llvm::Type*> parameters(N, number);
    function = llvm::Function::Create(llvm::FunctionType::get(number, parameters, false),
                                      llvm::Function::InternalLinkage, name, lanes_.kernel.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    LaneBuilder inner(lanes_.kernel, function);
    inner.set_lanes(std::max(lanes, 1u));
    inner.ir.clearFastMathFlags();
    EmittingArithmetic arithmetic(TypedBuilder(inner, lanes));
    std::array<Float<T>, N> operands;
    // (Lanes that are not active may hold anything, but every time the same.)
    for (unsigned n = 0; n < N; ++n)
      operands[n] = arithmetic.b_.of<T>(inner.ir.CreateFreeze(function->getArg(n)));
    inner.ir.CreateRet(
        std::apply([&](auto... each) { return text(arithmetic, each...); }, operands).value());
    return function;
  }

  /// A function of the module: of a mask, a value and operands; the value, but the function of one
  /// lane in the lanes of the mask.
  llvm::Function* lanes_function(llvm::Function* scalar) {
    llvm::Function*& helper =
        lanes_.kernel.helpers[std::string(scalar->getName()) + "_of" + std::to_string(b_.lanes())];
    if (helper) return helper;
    llvm::Type* const vector = llvm::FixedVectorType::get(scalar->getReturnType(), b_.lanes());
    std::vector<llvm::Type*> parameters(scalar->arg_size() + 2, vector);
    parameters[0] = b_.type<bool>();
    helper = llvm::Function::Create(llvm::FunctionType::get(vector, parameters, false),
                                    llvm::Function::InternalLinkage, scalar->getName() + "_each",
                                    lanes_.kernel.module);
    helper->addFnAttr(llvm::Attribute::NoInline);
    helper->addFnAttr(llvm::Attribute::Cold);
    LaneBuilder inner(lanes_.kernel, helper);
    auto* const result = inner.stack(vector, 1);
    inner.ir.CreateStore(helper->getArg(1), result);
    inner.loop(inner.i64(0), inner.i64(b_.lanes()), 1, [&](Value* lane) {
      inner.if_then(inner.ir.CreateExtractElement(helper->getArg(0), lane), [&] {
        std::vector<Value*> operands;
        for (unsigned n = 2; n < helper->arg_size(); ++n)
          operands.push_back(inner.ir.CreateExtractElement(helper->getArg(n), lane));
        Value* const one = inner.ir.CreateCall(scalar, operands);
        inner.ir.CreateStore(
            inner.ir.CreateInsertElement(inner.ir.CreateLoad(vector, result), one, lane), result);
      });
    });
    inner.ir.CreateRet(inner.ir.CreateLoad(vector, result));
    return helper;
  }

  /// The table as a constant of the module.
  llvm::GlobalVariable* global(const elementary::Table& table) {
    auto& module = lanes_.kernel.module;
    if (auto* const known = module.getNamedGlobal(table.symbol)) return known;
    const std::vector<std::uint64_t> entries(table.entries.begin(), table.entries.end());
    auto* const constant = llvm::ConstantDataArray::get(module.getContext(), entries);
    return new llvm::GlobalVariable(module, constant->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, constant,
                                    llvm::StringRef(table.symbol));
  }

  TypedBuilder b_;
  LaneBuilder& lanes_;
  llvm::IRBuilder<>& ir_;
};

template <WorkingFloat T>
elementary::Real<EmittingArithmetic, T> real(EmittingArithmetic& arithmetic, Lane<T> number) {
  return {&arithmetic, number};
}
template <WorkingFloat T>
elementary::Whole<EmittingArithmetic, T> whole(EmittingArithmetic& arithmetic,
                                               Lane<elementary::integer_of<T>> number) {
  return {&arithmetic, number};
}

/// None where there is no template.
template <WorkingFloat T>
Lane<T> emit_at(const TypedBuilder& b, primitives::Operation operation, Lane<T> x, Lane<T> y) {
  EmittingArithmetic arithmetic(b);
  const auto first = real(arithmetic, x);
  const auto second = real(arithmetic, y);
  switch (operation) {
#define SINTER_UNARY(id, name, function)                                                           \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first).value;
#define SINTER_BINARY(id, name, function)                                                          \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first, second).value;
#include "lang/primitives/elementary/functions.def"
  case primitives::Operation::NextAfter:
    return elementary::next_after(first, second).value;
  default:
    return {};
  }
}
template <WorkingFloat T>
Lane<T> emit_load_exponent(const TypedBuilder& b, Lane<T> x, Lane<std::int32_t> exponent) {
  EmittingArithmetic arithmetic(b);
  const auto wide = b.resize<elementary::integer_of<T>>(exponent);
  return elementary::load_exponent(real(arithmetic, x), whole<T>(arithmetic, wide)).value;
}

/// Of f16: the one function that looks at bits.
Lane<Half> emit_next_half(const TypedBuilder& b, Lane<Half> x, Lane<Half> y) {
  EmittingArithmetic arithmetic(b);
  const auto pattern = [&](Lane<Half> number) {
    const auto bits = b.resize<std::int32_t>(b.reinterpret<std::uint16_t>(number));
    return whole<float>(arithmetic, bits);
  };
  const Lane<std::int32_t> next = elementary::next_half_pattern(pattern(x), pattern(y)).value;
  return b.reinterpret<Half>(b.resize<std::uint16_t>(next));
}

/// What an operation is given, whose types are known while the program runs.
struct Given {
  const TypedBuilder& b;
  std::array<Value*, 3> operands;

  /// None where there is none.
  template <AnyElement T>
  Lane<T> at(std::size_t position) const {
    return operands[position] ? b.of<T>(operands[position]) : Lane<T>();
  }
};

template <WorkingFloat T>
Lane<T> emit_operation(const Given& given, primitives::Operation operation) {
  if (operation == primitives::Operation::LoadExponent)
    return emit_load_exponent(given.b, given.at<T>(0), given.at<std::int32_t>(1));
  return emit_at(given.b, operation, given.at<T>(0), given.at<T>(1));
}

/// Of f16: computed in f32, rounded once.
Lane<Half> emit_at_half(const Given& given, primitives::Operation operation) {
  const TypedBuilder& b = given.b;
  if (operation == primitives::Operation::NextAfter)
    return emit_next_half(b, given.at<Half>(0), given.at<Half>(1));
  const auto wide = [&](std::size_t position) {
    const Lane<Half> operand = given.at<Half>(position);
    return operand ? b.widen<float>(operand) : Lane<float>();
  };
  Lane<float> result;
  const Lane<float> x = wide(0);
  if (operation == primitives::Operation::LoadExponent) {
    result = emit_load_exponent(b, x, given.at<std::int32_t>(1));
  } else if (operation == primitives::Operation::FusedMultiplyAdd) {
    EmittingArithmetic arithmetic(b);
    const Lane<float> y = wide(1), z = wide(2);
    result = elementary::fused_multiply_add_for_half(real(arithmetic, x), real(arithmetic, y),
                                                     real(arithmetic, z))
                 .value;
  } else {
    result = emit_at(b, operation, x, wide(1));
  }
  return result ? b.narrow<Half>(result) : Lane<Half>();
}

} // namespace

Value* emit_elementary(LaneBuilder& builder, const primitives::Primitive& primitive,
                       std::array<Value*, 3> operands) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(builder.ir);
  builder.ir.clearFastMathFlags();
  const TypedBuilder b = TypedBuilder::like(builder, operands[0]);
  const Given given{b, operands};
  switch (primitive.operand) {
  case ElementType::F64:
    return emit_operation<double>(given, primitive.operation).value();
  case ElementType::F32:
    return emit_operation<float>(given, primitive.operation).value();
  case ElementType::F16:
    return emit_at_half(given, primitive.operation).value();
  default:
    return nullptr;
  }
}

Lane<Half> half_of_double(const TypedBuilder& b, Lane<double> number) {
  EmittingArithmetic arithmetic(b);
  return b.narrow<Half>(elementary::narrow_for_half(real(arithmetic, number)).value);
}

} // namespace sinter::jit
