#include "jit/emit/elementary.h"

#include "lang/primitives/elementary/functions.h"

#include <llvm/IR/MDBuilder.h>

#include <optional>

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
  template <typename T>
  Float<T> rare(Truth where, Float<T> value, Float<T> x,
                const elementary::ScalarFunction<T>& scalar) {
    llvm::Type* const number = sizeof(T) == 4 ? ir_.getFloatTy() : ir_.getDoubleTy();
    llvm::FunctionCallee callee = b_.kernel.hooks.rare_function(
        b_.kernel, scalar.symbol, reinterpret_cast<const void*>(scalar.address), number);
    if (!callee.getCallee()) {
      b_.kernel.refuse(scalar.symbol);
      return value;
    }
    Value* const lanes = active(where);
    Value* const any = is_vector_ ? b_.any(lanes) : lanes;
    auto* const before = ir_.GetInsertBlock();
    auto* const slow = b_.block("rare");
    auto* const after = b_.block("after");
    ir_.CreateCondBr(any, slow, after, hardly_ever());
    ir_.SetInsertPoint(slow);
    Join join;
    join.add(value.value, before);
    join.add(is_vector_
                 ? ir_.CreateCall(lanes_function(scalar, callee), {lanes, value.value, x.value})
                 : ir_.CreateCall(callee, {x.value}),
             ir_.GetInsertBlock());
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    return {join.emit(ir_)};
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

  /// A function of the module: `value`, but the scalar function of `x` in the lanes of the mask.
  template <typename T>
  llvm::Function* lanes_function(const elementary::ScalarFunction<T>& scalar,
                                 llvm::FunctionCallee callee) {
    const std::string name = std::string(scalar.symbol) + "_lanes" + std::to_string(b_.lanes());
    if (auto* known = b_.kernel.helpers[name]) return known;
    llvm::Type* const vector = float_type<T>();
    auto* const helper = llvm::Function::Create(
        llvm::FunctionType::get(vector, {like(ir_.getInt1Ty()), vector, vector}, false),
        llvm::Function::InternalLinkage, name, b_.kernel.module);
    helper->addFnAttr(llvm::Attribute::NoInline);
    helper->addFnAttr(llvm::Attribute::Cold);
    b_.kernel.helpers[name] = helper;
    LaneBuilder inner(b_.kernel, helper);
    auto* const result = inner.stack(vector, 1);
    inner.ir.CreateStore(helper->getArg(1), result);
    inner.loop(inner.i64(0), inner.i64(b_.lanes()), 1, [&](Value* lane) {
      inner.if_then(inner.ir.CreateExtractElement(helper->getArg(0), lane), [&] {
        Value* const one =
            inner.ir.CreateCall(callee, {inner.ir.CreateExtractElement(helper->getArg(2), lane)});
        inner.ir.CreateStore(
            inner.ir.CreateInsertElement(inner.ir.CreateLoad(vector, result), one, lane), result);
      });
    });
    inner.ir.CreateRet(inner.ir.CreateLoad(vector, result));
    return helper;
  }

  LaneBuilder& b_;
  llvm::IRBuilder<>& ir_;
  bool is_vector_;
};

template <typename T>
Value* emit_at(LaneBuilder& b, primitives::Operation operation, Value* x, Value* y) {
  EmittingArithmetic arithmetic(b, x->getType()->isVectorTy());
  using Real = elementary::Real<EmittingArithmetic, T>;
  const Real first{&arithmetic, {x}};
  [[maybe_unused]] const Real second{&arithmetic, {y}};
  switch (operation) {
#define SINTER_UNARY(id, name, function)                                                           \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first).value.value;
#define SINTER_BINARY(id, name, function)                                                          \
  case primitives::Operation::id:                                                                  \
    return elementary::function(first, second).value.value;
#include "lang/primitives/elementary/functions.def"
  default:
    return nullptr;
  }
}

} // namespace

Value* emit_elementary(LaneBuilder& b, const primitives::Primitive& primitive,
                       std::array<Value*, 3> operands) {
  if (!b.kernel.facts().has_fma || !is_float(primitive.operand)) return nullptr;
  llvm::IRBuilder<>::FastMathFlagGuard guard(b.ir);
  b.ir.clearFastMathFlags();
  if (primitive.operand == ElementType::F64)
    return emit_at<double>(b, primitive.operation, operands[0], operands[1]);
  if (primitive.operand == ElementType::F32)
    return emit_at<float>(b, primitive.operation, operands[0], operands[1]);
  // Halves: computed in f32, rounded once.
  llvm::Type* const half = operands[0]->getType();
  llvm::Type* const single = half->getWithNewType(b.ir.getFloatTy());
  for (std::size_t i = 0; i < primitive.arity; ++i)
    if (operands[i]->getType() == half) // not an exponent
      operands[i] = b.ir.CreateFPExt(operands[i], single);
  Value* const result = emit_at<float>(b, primitive.operation, operands[0], operands[1]);
  return result ? b.ir.CreateFPTrunc(result, half) : nullptr;
}

} // namespace sinter::jit
