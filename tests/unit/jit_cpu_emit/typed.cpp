// Values whose element types C++ knows: what fits together is an instruction, and the rest does not
// compile.
#include "jit/emit/typed.h"
#include "jit/emit/division.h"
#include "jit/emit/elementary.h"
#include "jit/emit/emit.h"
#include "jit/ir/parse.h"
#include "plain_target.h"

#include <doctest/doctest.h>

#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>

#include <cstdint>
#include <optional>
#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

using I8 = Lane<std::int8_t>;
using I32 = Lane<std::int32_t>;
using I64 = Lane<std::int64_t>;
using U32 = Lane<std::uint32_t>;
using F16 = Lane<Half>;
using F32 = Lane<float>;
using F64 = Lane<double>;
using Truth = Lane<bool>;

// What is written with such operands, and compiles or does not.
#define SINTER_INSTRUCTION(name)                                                                   \
  template <typename... Operands>                                                                  \
  concept name = requires(const TypedBuilder& b, Operands... operands) {                           \
    b.name(operands...);                                                                           \
  };
SINTER_INSTRUCTION(add)
SINTER_INSTRUCTION(multiply)
SINTER_INSTRUCTION(divide)
SINTER_INSTRUCTION(quotient)
SINTER_INSTRUCTION(negate)
SINTER_INSTRUCTION(magnitude)
SINTER_INSTRUCTION(minimum)
SINTER_INSTRUCTION(multiply_high)
SINTER_INSTRUCTION(bit_and)
SINTER_INSTRUCTION(complement)
SINTER_INSTRUCTION(shift_left)
SINTER_INSTRUCTION(leading_zeros)
SINTER_INSTRUCTION(less)
SINTER_INSTRUCTION(is_nan)
SINTER_INSTRUCTION(select)
SINTER_INSTRUCTION(active)
SINTER_INSTRUCTION(any)
#undef SINTER_INSTRUCTION

#define SINTER_CONVERSION(name)                                                                    \
  template <typename To, typename From>                                                            \
  concept name = requires(const TypedBuilder& b, From from) {                                      \
    b.template name<To>(from);                                                                     \
  };
SINTER_CONVERSION(resize)
SINTER_CONVERSION(widen)
SINTER_CONVERSION(narrow)
SINTER_CONVERSION(to_float)
SINTER_CONVERSION(to_whole)
SINTER_CONVERSION(reinterpret)
#undef SINTER_CONVERSION

template <typename First, typename... More>
concept fuses = requires(const TypedBuilder& b, First first, More... more) {
  b.template call<llvm::Intrinsic::fma>(first, more...);
};
template <typename X, typename Y>
concept divides_integers = requires(const TypedBuilder& b, X x, Y y) {
  divide_integers(b, x, y, DivisionPart::Both);
};
template <typename X>
concept halves = requires(const TypedBuilder& b, X x) {
  half_of_double(b, x);
};
template <typename T, typename From>
concept joins = requires(JoinedLane<T> join, From from) {
  join.add(from, nullptr);
};

// What fits together.
static_assert(add<F32, F32> && add<I64, I64> && multiply<U32, U32> && divide<F64, F64>);
static_assert(quotient<I32, I32> && negate<F16> && magnitude<I32> && minimum<U32, U32>);
static_assert(bit_and<Truth, Truth> && bit_and<U32, U32> && shift_left<I8, I8>);
static_assert(less<F16, F16> && less<Truth, Truth> && select<Truth, F16, F16> && is_nan<F64>);
static_assert(resize<std::int64_t, I8> && resize<std::int32_t, Truth> && widen<float, F16>);
static_assert(narrow<Half, F64> && to_float<float, U32> && to_whole<std::int64_t, F32>);
static_assert(reinterpret<std::uint32_t, F32> && reinterpret<float, I32> && fuses<F32, F32, F32>);
static_assert(divides_integers<I64, I64> && halves<F64> && joins<float, F32> && any<Truth>);

// What does not.
static_assert(!add<F32, I32>);
static_assert(!add<F32, F64>);
static_assert(!add<I32, I64>);
static_assert(!add<I32, U32>);
static_assert(!add<Truth, Truth>);
static_assert(!add<F16, F16>); // halves are widened for that
static_assert(!multiply<F16, F16>);
static_assert(!divide<I32, I32>);
static_assert(!quotient<F32, F32>);
static_assert(!quotient<I64, U32>);
static_assert(!negate<Truth>);
static_assert(!magnitude<U32>);
static_assert(!minimum<F32, F32>); // (which minimum of zeros and NaN is the table's to say)
static_assert(!multiply_high<F64, F64>);
static_assert(!bit_and<F32, F32>);
static_assert(!bit_and<Truth, I32>);
static_assert(!complement<F64>);
static_assert(!shift_left<I64, I32>);
static_assert(!shift_left<F32, F32>);
static_assert(!leading_zeros<F32>);
static_assert(!less<F32, I32>);
static_assert(!less<I32, U32>);
static_assert(!is_nan<I32>);
static_assert(!select<I32, F32, F32>);
static_assert(!select<Truth, F32, F64>);
static_assert(!select<Truth, I32, U32>);
static_assert(!active<I32>);
static_assert(!any<F32>);
static_assert(!resize<float, I32>);
static_assert(!resize<std::int32_t, F32>);
static_assert(!widen<float, F64>);
static_assert(!widen<double, I32>);
static_assert(!narrow<double, F32>);
static_assert(!to_float<float, F64>);
static_assert(!to_float<std::int32_t, I64>);
static_assert(!to_whole<std::int32_t, I64>);
static_assert(!to_whole<float, F64>);
static_assert(!reinterpret<std::uint64_t, F32>);
static_assert(!reinterpret<float, F64>);
static_assert(!fuses<F32, F32, F64>);
static_assert(!fuses<F32, F32, I32>);
static_assert(!fuses<I32, I32, I32>);
static_assert(!divides_integers<I64, U32>);
static_assert(!divides_integers<F32, F32>);
static_assert(!halves<F32>);
static_assert(!joins<float, F64>);
static_assert(!joins<std::int32_t, U32>);
// A value of LLVM's has no type but at the door.
static_assert(!std::is_constructible_v<F32, llvm::Value*>);
static_assert(!std::is_convertible_v<F32, I32> && !std::is_convertible_v<F32, llvm::Value*>);

/// A function in the making, in which instructions on constants are constants.
struct Scene {
  llvm::LLVMContext context;
  llvm::Module module{"typed", context};
  PlainHooks hooks{true};
  KernelModule kernel{module, hooks};
  llvm::Function* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::Function::InternalLinkage, "scene", module);
  LaneBuilder builder{kernel, function};
};

bool holds(Lane<bool> condition) {
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(condition.value());
  REQUIRE(constant);
  return constant->isAllOnesValue();
}

} // namespace

TEST_CASE("an instruction is chosen by the operands' types") {
  Scene scene;
  for (const unsigned lanes : {0u, 8u}) {
    const TypedBuilder b(scene.builder, lanes);
    const auto is = [&](auto value, auto expected) {
      return known_whole(value)->getSExtValue() == static_cast<std::int64_t>(expected);
    };
    CHECK(holds(b.less(b.number<std::int32_t>(-1), b.number<std::int32_t>(1))));
    CHECK_FALSE(holds(b.less(b.number<std::uint32_t>(~0u), b.number<std::uint32_t>(1))));
    CHECK(is(b.quotient(b.number<std::int8_t>(-100), b.number<std::int8_t>(7)), -14));
    CHECK(is(b.quotient(b.number<std::uint8_t>(156), b.number<std::uint8_t>(7)), 22));
    CHECK(is(b.multiply_high(b.number<std::int32_t>(-1), b.number<std::int32_t>(5)), -1));
    CHECK(is(b.multiply_high(b.number<std::uint32_t>(~0u), b.number<std::uint32_t>(5)), 4));
    CHECK(is(b.resize<std::int64_t>(b.number<std::int8_t>(-3)), -3));
    CHECK(is(b.resize<std::int64_t>(b.number<std::uint8_t>(253)), 253));
    CHECK(is(b.resize<std::uint64_t>(b.number<std::int8_t>(-3)), 253));
    CHECK(is(b.reinterpret<std::int32_t>(b.number<float>(1)), 0x3f800000));
    CHECK(is(b.to_whole<std::int64_t>(b.to_float<double>(b.number<std::int8_t>(-3))), -3));
    CHECK(known_float(b.to_float<float>(b.number<std::uint8_t>(253)))->isExactlyValue(253));
    CHECK(b.type<Half>()->getScalarType()->isHalfTy());
    CHECK(b.type<Half>()->isVectorTy() == (lanes > 0));
  }
}

TEST_CASE("a module that breaks a rule of LLVM's is told of") {
  const ir::Function function = ir::parse(R"(fn f(n: i64, xs: [n]f32) -> [n]f32 {
  ys: [n]f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x x
    yield y
  } map
  ret ys
})");
  const PlainHooks hooks(true);
  EmitOptions options;
  options.hooks = &hooks;
  options.lanes = 1;
  options.layouts = ir::all_dense(function.body.parameters.size());
  EmittedKernel kernel = emit_kernel(function, options);
  CHECK_FALSE(broken_rule(kernel));
  llvm::Function* const run = kernel.module->getFunction(kernel.run);
  REQUIRE(run);
  run->back().getTerminator()->eraseFromParent();
  const std::optional<std::string> rule = broken_rule(kernel);
  REQUIRE(rule);
  CHECK(rule->find("terminator") != std::string::npos);
}
