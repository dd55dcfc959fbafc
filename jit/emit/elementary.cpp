#include "jit/emit/elementary.h"

#include "lang/primitives/elementary/functions.h"

#include <llvm/IR/MDBuilder.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace sinter::jit {
namespace {

using llvm::Value;

/// The arithmetic of emitted values: one scalar each, or a vector of W.
class EmittingArithmetic {
public:
  template <typename T>
  struct Float {
    Value* value;
  };
  template <typename T>
  struct Integer {
    Value* value;
  };
  struct Truth {
    Value* value;
  };

  EmittingArithmetic(LaneBuilder& builder, bool is_vector)
      : b_(builder), ir_(builder.ir), is_vector_(is_vector) {}

  template <typename T>
  Float<T> literal(T number) {
    return {llvm::ConstantFP::get(float_type<T>(), llvm::APFloat(number))};
  }
  template <typename T>
  Integer<T> integer_literal(std::int64_t number) {
    return {llvm::ConstantInt::getSigned(integer_type<T>(), number)};
  }

  template <typename T>
  Float<T> add(Float<T> a, Float<T> c) {
    return {ir_.CreateFAdd(a.value, c.value)};
  }
  template <typename T>
  Float<T> sub(Float<T> a, Float<T> c) {
    return {ir_.CreateFSub(a.value, c.value)};
  }
  template <typename T>
  Float<T> mul(Float<T> a, Float<T> c) {
    return {ir_.CreateFMul(a.value, c.value)};
  }
  template <typename T>
  Float<T> div(Float<T> a, Float<T> c) {
    return {ir_.CreateFDiv(a.value, c.value)};
  }
  template <typename T>
  Float<T> neg(Float<T> a) {
    return {ir_.CreateFNeg(a.value)};
  }
  template <typename T>
  Float<T> fma(Float<T> a, Float<T> c, Float<T> d) {
    return {
        ir_.CreateIntrinsic(a.value->getType(), llvm::Intrinsic::fma, {a.value, c.value, d.value})};
  }
  template <typename T>
  Float<T> sqrt(Float<T> a) {
    return {ir_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a.value)};
  }
  template <typename T>
  Float<T> abs(Float<T> a) {
    return {ir_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a.value)};
  }
  template <typename T>
  Float<T> rint(Float<T> a) {
    if (const auto known = known_number(a)) {
      llvm::APFloat number = *known;
      number.roundToIntegral(llvm::APFloat::rmNearestTiesToEven);
      return {llvm::ConstantFP::get(float_type<T>(), number)};
    }
    return {ir_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, a.value)};
  }
  template <typename T>
  Float<T> copysign(Float<T> a, Float<T> c) {
    return {ir_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, a.value, c.value)};
  }
  template <typename T>
  Integer<T> bits(Float<T> a) {
    return {ir_.CreateBitCast(a.value, integer_type<T>())};
  }
  template <typename T>
  Float<T> from_bits(Integer<T> a) {
    return {ir_.CreateBitCast(a.value, float_type<T>())};
  }

  template <typename T>
  Integer<T> add(Integer<T> a, Integer<T> c) {
    return {ir_.CreateAdd(a.value, c.value)};
  }
  template <typename T>
  Integer<T> sub(Integer<T> a, Integer<T> c) {
    return {ir_.CreateSub(a.value, c.value)};
  }
  template <typename T>
  Integer<T> mul(Integer<T> a, Integer<T> c) {
    return {ir_.CreateMul(a.value, c.value)};
  }
  template <typename T>
  Integer<T> bit_and(Integer<T> a, Integer<T> c) {
    return {ir_.CreateAnd(a.value, c.value)};
  }
  template <typename T>
  Integer<T> bit_or(Integer<T> a, Integer<T> c) {
    return {ir_.CreateOr(a.value, c.value)};
  }
  template <typename T>
  Integer<T> bit_xor(Integer<T> a, Integer<T> c) {
    return {ir_.CreateXor(a.value, c.value)};
  }
  template <typename T>
  Integer<T> shl(Integer<T> a, int count) {
    return {ir_.CreateShl(a.value, static_cast<std::uint64_t>(count))};
  }
  template <typename T>
  Integer<T> lshr(Integer<T> a, int count) {
    return {ir_.CreateLShr(a.value, static_cast<std::uint64_t>(count))};
  }
  template <typename T>
  Integer<T> ashr(Integer<T> a, int count) {
    return {ir_.CreateAShr(a.value, static_cast<std::uint64_t>(count))};
  }
  template <typename T>
  Integer<T> shift_left(Integer<T> a, Integer<T> count) {
    return {ir_.CreateShl(a.value, count.value)};
  }
  Integer<double> lookup(const elementary::Table& table, Integer<double> index) {
    llvm::Type* const word = ir_.getInt64Ty();
    Value* const places = ir_.CreateGEP(word, global(table), index.value);
    if (!is_vector_) return {ir_.CreateLoad(word, places)};
    return {ir_.CreateMaskedGather(like(word), places, llvm::Align(8))};
  }

  template <typename T>
  Truth lt(Float<T> a, Float<T> c) {
    return {ir_.CreateFCmpOLT(a.value, c.value)};
  }
  template <typename T>
  Truth le(Float<T> a, Float<T> c) {
    return {ir_.CreateFCmpOLE(a.value, c.value)};
  }
  template <typename T>
  Truth eq(Float<T> a, Float<T> c) {
    return {ir_.CreateFCmpOEQ(a.value, c.value)};
  }
  template <typename T>
  Truth ne(Float<T> a, Float<T> c) {
    return {ir_.CreateFCmpUNE(a.value, c.value)};
  }
  template <typename T>
  Truth lt(Integer<T> a, Integer<T> c) {
    return {ir_.CreateICmpSLT(a.value, c.value)};
  }
  template <typename T>
  Truth le(Integer<T> a, Integer<T> c) {
    return {ir_.CreateICmpSLE(a.value, c.value)};
  }
  template <typename T>
  Truth eq(Integer<T> a, Integer<T> c) {
    return {ir_.CreateICmpEQ(a.value, c.value)};
  }
  template <typename T>
  Truth ne(Integer<T> a, Integer<T> c) {
    return {ir_.CreateICmpNE(a.value, c.value)};
  }
  Truth bit_and(Truth a, Truth c) { return {ir_.CreateAnd(a.value, c.value)}; }
  Truth bit_or(Truth a, Truth c) { return {ir_.CreateOr(a.value, c.value)}; }
  Truth bit_not(Truth a) { return {ir_.CreateNot(a.value)}; }
  template <typename T>
  Float<T> select(Truth c, Float<T> a, Float<T> d) {
    if (const auto known = known_truth(c)) return *known ? a : d;
    return {ir_.CreateSelect(c.value, a.value, d.value)};
  }
  template <typename T>
  Integer<T> select(Truth c, Integer<T> a, Integer<T> d) {
    if (const auto known = known_truth(c)) return *known ? a : d;
    return {ir_.CreateSelect(c.value, a.value, d.value)};
  }
  Float<double> widen(Float<float> a) { return {ir_.CreateFPExt(a.value, float_type<double>())}; }
  Float<float> narrow(Float<double> a) { return {ir_.CreateFPTrunc(a.value, float_type<float>())}; }

  template <typename Where, typename Seldom, typename Usual>
  auto either(Truth hint, Where where, Seldom seldom, Usual usual) -> decltype(usual()) {
    if (const auto hinted = known_truth(hint)) {
      if (!*hinted) return usual();
      if (const auto known = known_truth(where())) return *known ? seldom() : usual();
    }
    return {is_vector_ ? either_in_lanes(hint, where, seldom, usual)
                       : either_in_one(hint, where, seldom, usual)};
  }
  template <typename T, typename Text, typename... Operands>
  Float<T> called(std::string_view symbol, Text text, Operands... operands) {
    auto* const function = function_of<T, sizeof...(operands)>(symbol, text, lanes());
    return {ir_.CreateCall(function, {operands.value...})};
  }
  template <typename T, typename Text, typename... Operands>
  Float<T> rare(Truth where, Float<T> value, std::string_view symbol, Text text,
                Operands... operands) {
    auto* const function = function_of<T, sizeof...(operands)>(symbol, text, 1);
    Value* const chosen = active(where);
    auto* const slow = b_.block("rare");
    auto* const after = b_.block("after");
    Join join;
    join.add(value.value, ir_.GetInsertBlock());
    ir_.CreateCondBr(is_vector_ ? b_.any(chosen) : chosen, slow, after, hardly_ever());
    ir_.SetInsertPoint(slow);
    join.add(is_vector_ ? ir_.CreateCall(lanes_function(function),
                                         {chosen, value.value, operands.value...})
                        : ir_.CreateCall(function, {operands.value...}),
             ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return {join.emit(ir_)};
  }
  template <typename T, std::size_t N, typename GoesOn, typename Step>
  std::array<Float<T>, N> repeat(int most, std::array<Float<T>, N> first, GoesOn goes_on,
                                 Step step) {
    auto* const before = ir_.GetInsertBlock();
    auto* const head = b_.block("repeat");
    auto* const body = b_.block("step");
    auto* const after = b_.block("after");
    ir_.CreateBr(head);
    ir_.SetInsertPoint(head);
    auto* const count = ir_.CreatePHI(ir_.getInt32Ty(), 2);
    count->addIncoming(ir_.getInt32(0), before);
    std::array<llvm::PHINode*, N> variables;
    std::array<Float<T>, N> state;
    for (std::size_t n = 0; n < N; ++n) {
      variables[n] = ir_.CreatePHI(first[n].value->getType(), 2);
      variables[n]->addIncoming(first[n].value, before);
      state[n] = {variables[n]};
    }
    const Truth more = goes_on(state);
    Value* const in_any = is_vector_ ? b_.any(active(more)) : more.value;
    ir_.CreateCondBr(
        ir_.CreateAnd(in_any,
                      ir_.CreateICmpSLT(count, ir_.getInt32(static_cast<std::uint32_t>(most)))),
        body, after);
    ir_.SetInsertPoint(body);
    const std::array<Float<T>, N> next = step(state);
    auto* const end = ir_.GetInsertBlock();
    for (std::size_t n = 0; n < N; ++n)
      variables[n]->addIncoming(is_vector_ ? select(more, next[n], state[n]).value : next[n].value,
                                end);
    count->addIncoming(ir_.CreateAdd(count, ir_.getInt32(1)), end);
    ir_.CreateBr(head);
    ir_.SetInsertPoint(after);
    return state;
  }

private:
  template <typename T>
  llvm::Type* float_type() const {
    return like(sizeof(T) == 4 ? ir_.getFloatTy() : ir_.getDoubleTy());
  }
  template <typename T>
  llvm::Type* integer_type() const {
    return like(ir_.getIntNTy(8 * sizeof(T)));
  }
  llvm::Type* like(llvm::Type* scalar) const {
    return is_vector_ ? llvm::FixedVectorType::get(scalar, b_.lanes()) : scalar;
  }

  /// The type of what a function gives, of one lane.
  template <typename Function>
  llvm::Type* real_type(const Function&) const {
    using Result = std::invoke_result_t<Function>;
    return std::is_same_v<Result, Float<float>> ? ir_.getFloatTy() : ir_.getDoubleTy();
  }
  /// What a value is, by the block that control comes from.
  class Join {
  public:
    /// `value`, which has been emitted, comes from that block.
    void add(Value* value, llvm::BasicBlock* from) { incoming_.emplace_back(value, from); }
    Value* emit(llvm::IRBuilder<>& ir) const {
      auto* const result =
          ir.CreatePHI(incoming_.front().first->getType(), static_cast<unsigned>(incoming_.size()));
      for (const auto& [value, from] : incoming_)
        result->addIncoming(value, from);
      return result;
    }

  private:
    std::vector<std::pair<Value*, llvm::BasicBlock*>> incoming_;
  };

  /// The number in all lanes, if that is known.
  template <typename T>
  static std::optional<llvm::APFloat> known_number(Float<T> a) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(a.value);
    if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
    return number ? std::optional(number->getValueAPF()) : std::nullopt;
  }
  /// Of a branch that is not expected.
  llvm::MDNode* hardly_ever() const {
    return llvm::MDBuilder(ir_.getContext()).createBranchWeights(1, 1000);
  }
  /// What a condition is in all lanes, if that is known.
  static std::optional<bool> known_truth(Truth condition) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(condition.value);
    if (constant && constant->isAllOnesValue()) return true;
    if (constant && constant->isNullValue()) return false;
    return std::nullopt;
  }
  /// The condition in the lanes that are active.
  Value* active(Truth condition) {
    return is_vector_ && b_.mask ? ir_.CreateAnd(condition.value, b_.mask) : condition.value;
  }
  template <typename Where, typename Seldom, typename Usual>
  Value* either_in_one(Truth hint, Where where, Seldom seldom, Usual usual) {
    auto* const hinted = b_.block("hinted");
    auto* const one = b_.block("seldom");
    auto* const other = b_.block("usual");
    auto* const after = b_.block("after");
    ir_.CreateCondBr(hint.value, hinted, other);
    ir_.SetInsertPoint(hinted);
    ir_.CreateCondBr(where().value, one, other);
    Join result;
    ir_.SetInsertPoint(one);
    Value* const seldom_value = seldom().value;
    result.add(seldom_value, ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(other);
    Value* const usual_value = usual().value;
    result.add(usual_value, ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return result.emit(ir_);
  }
  template <typename Where, typename Seldom, typename Usual>
  Value* either_in_lanes(Truth hint, Where where, Seldom seldom, Usual usual) {
    auto* const hinted = b_.block("hinted");
    auto* const some = b_.block("seldom");
    auto* const others = b_.block("usual");
    auto* const after = b_.block("after");
    Join known_lanes, known_values, result;
    // Which lanes come to `others` with their value.
    const auto come = [&](Value* lanes, Value* values) {
      known_lanes.add(lanes, ir_.GetInsertBlock());
      known_values.add(values, ir_.GetInsertBlock());
    };
    Value* const none = llvm::Constant::getNullValue(hint.value->getType());
    Value* const no_values = llvm::PoisonValue::get(like(real_type(usual)));
    come(none, no_values);
    ir_.CreateCondBr(b_.any(active(hint)), hinted, others, hardly_ever());
    ir_.SetInsertPoint(hinted);
    Value* const chosen = ir_.CreateAnd(hint.value, where().value);
    come(none, no_values);
    ir_.CreateCondBr(b_.any(active({chosen})), some, others);
    ir_.SetInsertPoint(some);
    Value* const seldom_values = seldom().value;
    come(chosen, seldom_values);
    result.add(seldom_values, ir_.GetInsertBlock());
    ir_.CreateCondBr(b_.any(active({ir_.CreateNot(chosen)})), others, after);
    ir_.SetInsertPoint(others);
    Value* const lanes = known_lanes.emit(ir_);
    Value* const values = known_values.emit(ir_);
    Value* const usual_values = usual().value;
    result.add(ir_.CreateSelect(lanes, values, usual_values), ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return result.emit(ir_);
  }

  unsigned lanes() const { return is_vector_ ? b_.lanes() : 1; }

  /// A function of the module: the text on so many lanes.
  template <typename T, std::size_t N, typename Text>
  llvm::Function* function_of(std::string_view symbol, Text text, unsigned lanes) {
    const std::string name =
        std::string(symbol) + (sizeof(T) == 4 ? "_f32" : "_f64") + "_lanes" + std::to_string(lanes);
    llvm::Function*& function = b_.kernel.helpers[name];
    if (function) return function;
    llvm::Type* number = sizeof(T) == 4 ? ir_.getFloatTy() : ir_.getDoubleTy();
    if (lanes > 1) number = llvm::FixedVectorType::get(number, lanes);
    const std::vector<llvm::Type*> parameters(N, number);
    function = llvm::Function::Create(llvm::FunctionType::get(number, parameters, false),
                                      llvm::Function::InternalLinkage, name, b_.kernel.module);
    function->addFnAttr(llvm::Attribute::NoInline);
    LaneBuilder inner(b_.kernel, function);
    inner.set_lanes(lanes);
    inner.ir.clearFastMathFlags();
    EmittingArithmetic arithmetic(inner, lanes > 1);
    std::array<Float<T>, N> operands;
    // (Lanes that are not active may hold anything, but every time the same.)
    for (unsigned n = 0; n < N; ++n)
      operands[n] = {inner.ir.CreateFreeze(function->getArg(n))};
    inner.ir.CreateRet(
        std::apply([&](auto... each) { return text(arithmetic, each...); }, operands).value);
    return function;
  }

  /// A function of the module: of a mask, a value and operands; the value, but the function of one
  /// lane in the lanes of the mask.
  llvm::Function* lanes_function(llvm::Function* scalar) {
    llvm::Function*& helper =
        b_.kernel.helpers[std::string(scalar->getName()) + "_of" + std::to_string(b_.lanes())];
    if (helper) return helper;
    llvm::Type* const vector = like(scalar->getReturnType());
    std::vector<llvm::Type*> parameters(scalar->arg_size() + 2, vector);
    parameters[0] = like(ir_.getInt1Ty());
    helper = llvm::Function::Create(llvm::FunctionType::get(vector, parameters, false),
                                    llvm::Function::InternalLinkage, scalar->getName() + "_each",
                                    b_.kernel.module);
    helper->addFnAttr(llvm::Attribute::NoInline);
    helper->addFnAttr(llvm::Attribute::Cold);
    LaneBuilder inner(b_.kernel, helper);
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
    auto& module = b_.kernel.module;
    if (auto* const known = module.getNamedGlobal(table.symbol)) return known;
    const std::vector<std::uint64_t> entries(table.entries.begin(), table.entries.end());
    auto* const constant = llvm::ConstantDataArray::get(module.getContext(), entries);
    return new llvm::GlobalVariable(module, constant->getType(), true,
                                    llvm::GlobalValue::InternalLinkage, constant,
                                    llvm::StringRef(table.symbol));
  }

  LaneBuilder& b_;
  llvm::IRBuilder<>& ir_;
  bool is_vector_;
};

template <typename T>
elementary::Real<EmittingArithmetic, T> real(EmittingArithmetic& arithmetic, Value* number) {
  return {&arithmetic, {number}};
}
template <typename T>
elementary::Whole<EmittingArithmetic, T> whole(EmittingArithmetic& arithmetic, Value* number) {
  return {&arithmetic, {number}};
}

template <typename T>
Value* emit_at(LaneBuilder& b, primitives::Operation operation, Value* x, Value* y) {
  EmittingArithmetic arithmetic(b, x->getType()->isVectorTy());
  const auto first = real<T>(arithmetic, x);
  const auto second = real<T>(arithmetic, y);
  switch (operation) {
#define SINTER_UNARY(id, name, function)                                                           \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first).value.value;
#define SINTER_BINARY(id, name, function)                                                          \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first, second).value.value;
#include "lang/primitives/elementary/functions.def"
  case primitives::Operation::NextAfter:
    return elementary::next_after(first, second).value.value;
  case primitives::Operation::LoadExponent: {
    auto* const exponent = b.ir.CreateSExt(y, y->getType()->getWithNewBitWidth(8 * sizeof(T)));
    return elementary::load_exponent(first, whole<T>(arithmetic, exponent)).value.value;
  }
  default:
    return nullptr;
  }
}

/// Of f16: the one function that looks at bits.
Value* emit_next_half(LaneBuilder& b, Value* x, Value* y) {
  llvm::Type* const half = x->getType();
  llvm::Type* const narrow = half->getWithNewType(b.ir.getInt16Ty());
  llvm::Type* const wide = half->getWithNewType(b.ir.getInt32Ty());
  EmittingArithmetic arithmetic(b, half->isVectorTy());
  const auto pattern = [&](Value* number) {
    return whole<float>(arithmetic, b.ir.CreateZExt(b.ir.CreateBitCast(number, narrow), wide));
  };
  Value* const next = elementary::next_half_pattern(pattern(x), pattern(y)).value.value;
  return b.ir.CreateBitCast(b.ir.CreateTrunc(next, narrow), half);
}

/// Of f16: computed in f32, rounded once.
Value* emit_at_half(LaneBuilder& b, primitives::Operation operation,
                    std::array<Value*, 3> operands) {
  if (operation == primitives::Operation::NextAfter)
    return emit_next_half(b, operands[0], operands[1]);
  llvm::Type* const half = operands[0]->getType();
  for (Value*& operand : operands)
    if (operand && operand->getType() == half) // not an exponent
      operand = b.ir.CreateFPExt(operand, half->getWithNewType(b.ir.getFloatTy()));
  const auto [x, y, z] = operands;
  if (operation != primitives::Operation::FusedMultiplyAdd) {
    Value* const result = emit_at<float>(b, operation, x, y);
    return result ? b.ir.CreateFPTrunc(result, half) : nullptr;
  }
  EmittingArithmetic arithmetic(b, half->isVectorTy());
  const auto result = elementary::fused_multiply_add_for_half(
      real<float>(arithmetic, x), real<float>(arithmetic, y), real<float>(arithmetic, z));
  return b.ir.CreateFPTrunc(result.value.value, half);
}

} // namespace

Value* emit_elementary(LaneBuilder& b, const primitives::Primitive& primitive,
                       std::array<Value*, 3> operands) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(b.ir);
  b.ir.clearFastMathFlags();
  switch (primitive.operand) {
  case ElementType::F64:
    return emit_at<double>(b, primitive.operation, operands[0], operands[1]);
  case ElementType::F32:
    return emit_at<float>(b, primitive.operation, operands[0], operands[1]);
  case ElementType::F16:
    return emit_at_half(b, primitive.operation, operands);
  default:
    return nullptr;
  }
}

Value* emit_half_of_double(LaneBuilder& b, Value* number) {
  EmittingArithmetic arithmetic(b, number->getType()->isVectorTy());
  const auto single = elementary::narrow_for_half(real<double>(arithmetic, number));
  return b.ir.CreateFPTrunc(single.value.value,
                            number->getType()->getWithNewType(b.ir.getHalfTy()));
}

} // namespace sinter::jit
