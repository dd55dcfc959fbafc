#include "jit/cpu/emit_elementary.h"

#include "lang/primitives/elementary/functions.h"

#include <llvm/IR/MDBuilder.h>

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
    return {ir_.CreateSelect(c.value, a.value, d.value)};
  }
  template <typename T>
  Integer<T> select(Truth c, Integer<T> a, Integer<T> d) {
    return {ir_.CreateSelect(c.value, a.value, d.value)};
  }
  Float<double> widen(Float<float> a) { return {ir_.CreateFPExt(a.value, float_type<double>())}; }
  Float<float> narrow(Float<double> a) { return {ir_.CreateFPTrunc(a.value, float_type<float>())}; }

  template <typename T>
  Float<T> rare(Truth where, Float<T> value, Float<T> x,
                const elementary::ScalarFunction<T>& scalar) {
    const llvm::FunctionCallee callee = declare(scalar);
    Value* lanes = where.value;
    if (is_vector_ && b_.mask) lanes = ir_.CreateAnd(lanes, b_.mask);
    Value* const any = is_vector_ ? b_.any(lanes) : lanes;
    auto* const before = ir_.GetInsertBlock();
    auto* const slow = b_.block("rare");
    auto* const after = b_.block("after");
    ir_.CreateCondBr(any, slow, after,
                     llvm::MDBuilder(ir_.getContext()).createBranchWeights(1, 1000));
    ir_.SetInsertPoint(slow);
    Value* const replaced = is_vector_
                                ? static_cast<Value*>(ir_.CreateCall(lanes_function(scalar, callee),
                                                                     {lanes, value.value, x.value}))
                                : ir_.CreateCall(callee, {x.value});
    auto* const slow_end = ir_.GetInsertBlock();
    ir_.CreateBr(after);
    ir_.SetInsertPoint(after);
    auto* const result = ir_.CreatePHI(value.value->getType(), 2);
    result->addIncoming(value.value, before);
    result->addIncoming(replaced, slow_end);
    return {result};
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

  template <typename T>
  llvm::FunctionCallee declare(const elementary::ScalarFunction<T>& scalar) {
    const std::string symbol(scalar.symbol);
    auto& module = b_.kernel.module;
    if (!module.getFunction(symbol))
      b_.kernel.symbols.emplace_back(symbol, reinterpret_cast<const void*>(scalar.address));
    llvm::Type* const number = sizeof(T) == 4 ? ir_.getFloatTy() : ir_.getDoubleTy();
    return module.getOrInsertFunction(symbol, llvm::FunctionType::get(number, {number}, false));
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
  if (!b.kernel.has_avx2 || !is_float(primitive.operand)) return nullptr;
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
