// What LLVM gets wrong if one isn't careful (gpu/ptx/rules.h), rule by rule.
#include "gpu/ptx/lower.h"
#include "gpu/ptx/lowerable.h"
#include "gpu/ptx/rules.h"
#include "module_text.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace sinter::gpu;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// A kernel that computes `%result` from %x and %y, all of a type that the code calls TYPE.
std::string of_two(const std::string& type, const std::string& code) {
  const std::string text = R"(
define void @kernel(ptr addrspace(1) %memory) {
  %second = getelementptr TYPE, ptr addrspace(1) %memory, i64 1
  %x = load TYPE, ptr addrspace(1) %memory
  %y = load TYPE, ptr addrspace(1) %second
  CODE
  store TYPE %result, ptr addrspace(1) %memory
  ret void
}
)";
  return replaced(replaced(text, "CODE", code), "TYPE", type);
}

bool has_extremum(const std::string& ptx) {
  return count_of(ptx, "min.") + count_of(ptx, "max.") > 0;
}

/// Why a kernel of two words is refused; empty if it isn't.
std::string why_not(const std::string& code) {
  const GpuModule module = module_of("define void @kernel(ptr addrspace(1) %p, i64 %word) {\n" +
                                     code + "\n  ret void\n}\n");
  return not_lowerable(*module.module).value_or("");
}

} // namespace

// ---- orderings ---------------------------------------------------------------------------------

TEST_CASE("orderings that code generation ends the process at, or loses, are refused") {
  CHECK(why_not("%v = load atomic i32, ptr addrspace(1) %p acquire, align 4") ==
        "an atomic load with an ordering");
  CHECK(why_not("%v = load atomic i64, ptr addrspace(1) %p seq_cst, align 8") ==
        "an atomic load with an ordering");
  CHECK(why_not("store atomic i32 1, ptr addrspace(1) %p release, align 4") ==
        "an atomic store with an ordering");
  CHECK(why_not("fence acq_rel") == "a fence that is not `sinter_gpu_fence`");
  for (const char* order : {"acquire", "release", "acq_rel", "seq_cst"}) {
    CHECK(why_not(std::string("%v = atomicrmw add ptr addrspace(1) %p, i32 1 ") + order) ==
          "an atomic update with an ordering");
    CHECK(why_not(std::string("%v = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 ") + order +
                  " monotonic") == "a compare-and-swap with an ordering");
  }
  CHECK(why_not("%v = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic").empty());
  CHECK(why_not("%v = cmpxchg ptr addrspace(1) %p, i64 0, i64 1 monotonic monotonic").empty());
  CHECK(why_not("%v = load atomic i32, ptr addrspace(1) %p monotonic, align 4").empty());
}

TEST_CASE("floats are not added atomically") {
  for (const char* operation : {"fadd", "fsub", "fmin", "fmax"})
    CHECK(why_not(std::string("%v = atomicrmw ") + operation +
                  " ptr addrspace(1) %p, float 1.0 monotonic") ==
          "an atomic update of floats, which has no order and flushes subnormals");
}

TEST_CASE("a published word comes after what was written, an observed one before what is read") {
  const std::string ptx = ptx_of(R"(
define void @kernel(ptr addrspace(1) %value, ptr addrspace(1) %flag, ptr addrspace(1) %other) {
  store i32 7, ptr addrspace(1) %value
  call void @sinter_gpu_publish_i32(ptr addrspace(1) %flag, i32 1)
  %before = load i32, ptr addrspace(1) %other
  %state = call i32 @sinter_gpu_observe_i32(ptr addrspace(1) %flag)
  %after = load i32, ptr addrspace(1) %other
  %both = add i32 %before, %after
  %sum = add i32 %both, %state
  store i32 %sum, ptr addrspace(1) %value
  ret void
})");
  const std::size_t store = ptx.find("st.global.u32"), publish = ptx.find("st.release.gpu");
  const std::size_t observe = ptx.find("ld.acquire.gpu");
  CHECK(store < publish);
  CHECK(publish < observe);
  // Both loads stay, each on its side.
  CHECK(ptx.find("ld.global.u32", publish) < observe);
  CHECK(ptx.find("ld.global.u32", observe) != std::string::npos);
}

TEST_CASE("a poll stays in its loop, and other loads move out of it") {
  const std::string ptx = ptx_of(R"(
define void @kernel(ptr addrspace(1) noalias %result, ptr addrspace(1) %stop,
                    ptr addrspace(1) %number) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %again]
  %sum = phi i32 [0, %entry], [%more, %again]
  %word = call i32 @sinter_gpu_poll(ptr addrspace(1) %stop)
  %stops = icmp ne i32 %word, 0
  br i1 %stops, label %end, label %again
again:
  %v = load i32, ptr addrspace(1) %number
  %square = mul i32 %sum, %sum
  %more = add i32 %v, %square
  %next = add i32 %i, 1
  %ends = icmp eq i32 %next, 1000
  br i1 %ends, label %end, label %loop
end:
  %last = phi i32 [%sum, %loop], [%more, %again]
  store i32 %last, ptr addrspace(1) %result
  ret void
})");
  const std::size_t head = ptx.find("$L__BB0_1:"), poll = ptx.find("ld.relaxed.sys");
  REQUIRE(head != std::string::npos);
  CHECK(poll > head);
  CHECK(ptx.find("bra", poll) != std::string::npos);
}

// ---- words that others change ------------------------------------------------------------------

TEST_CASE(
    "what nobody writes is read through the cache that is not coherent, polled words aren't") {
  const std::string text = R"(
define void @kernel(ptr addrspace(1) noalias readonly %words, ptr addrspace(1) %result) {
  %at = getelementptr i32, ptr addrspace(1) %words, i64 5
  %v = LOAD
  store i32 %v, ptr addrspace(1) %result
  ret void
})";
  const auto with = [&](const std::string& load) { return ptx_of(replaced(text, "LOAD", load)); };
  CHECK(count_of(with("load i32, ptr addrspace(1) %at"), "ld.global.nc") == 1);
  for (const char* load : {"load volatile i32, ptr addrspace(1) %at",
                           "load atomic i32, ptr addrspace(1) %at monotonic, align 4",
                           "call i32 @sinter_gpu_poll(ptr addrspace(1) %at)",
                           "call i32 @sinter_gpu_observe_i32(ptr addrspace(1) %at)",
                           "atomicrmw add ptr addrspace(1) %at, i32 0 monotonic"}) {
    CAPTURE(load);
    CHECK(count_of(with(load), ".nc") == 0);
  }
}

TEST_CASE("a polled word is found behind a selection of addresses") {
  const std::string ptx = ptx_of(R"(
define void @kernel(ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias readonly %b,
                    i64 %which, ptr addrspace(1) %result) {
  %is_a = icmp eq i64 %which, 0
  %word = select i1 %is_a, ptr addrspace(1) %a, ptr addrspace(1) %b
  %v = load volatile i32, ptr addrspace(1) %word
  %other = load i32, ptr addrspace(1) %b
  %sum = add i32 %v, %other
  store i32 %sum, ptr addrspace(1) %result
  ret void
})");
  CHECK(count_of(ptx, ".nc") == 0);
  CHECK(count_of(ptx, "ld.volatile.global") == 1);
}

// ---- signs of zeros ----------------------------------------------------------------------------

namespace {

/// What is selected, in terms of the compared operands.
struct Selection {
  std::string predicate, left, right, if_true, if_false;
};

bool compares(const std::string& predicate, double a, double b) {
  const bool is_unordered = std::isnan(a) || std::isnan(b);
  if (is_unordered) return predicate[0] == 'u';
  const std::string order = predicate.substr(1);
  return order == "lt" ? a < b : order == "gt" ? a > b : order == "le" ? a <= b : a >= b;
}

double number_of(const std::string& operand, double x) {
  return operand == "%x" ? x : std::stod(operand);
}

/// What PTX's instruction gives: a NaN loses unless `.NaN` is asked for, -0 is less than +0.
double extremum(bool is_minimum, bool keeps_nan, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return keeps_nan ? std::numeric_limits<double>::quiet_NaN() : std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) == is_minimum ? a : b;
  return (a < b) == is_minimum ? a : b;
}

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Whether the text's one extremum, if there is any, gives what the selection means for all numbers
/// that matter.
bool keeps_bits(const Selection& selection, const std::string& ptx) {
  if (!has_extremum(ptx)) return true;
  const bool is_minimum = count_of(ptx, "min.") > 0;
  const bool keeps_nan = count_of(ptx, ".NaN") > 0;
  const std::string constant = selection.left == "%x" ? selection.right : selection.left;
  for (const double x : {-0.0, 0.0, -1.0, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const bool is_true =
        compares(selection.predicate, number_of(selection.left, x), number_of(selection.right, x));
    const double meant = number_of(is_true ? selection.if_true : selection.if_false, x);
    // (Of two zeros with different signs, either may have become the instruction's operand.)
    const std::string chosen = selection.if_true == "%x" ? selection.if_false : selection.if_true;
    if (!same_bits(meant, extremum(is_minimum, keeps_nan, x, number_of(chosen, x)))) return false;
  }
  return true;
}

std::string selected(const Selection& selection, const std::string& type) {
  const auto spelled = [&](const std::string& operand) {
    if (operand == "%x" || type.front() != '<') return operand;
    const std::string element = type.substr(5, type.size() - 6); // of "<N x ELEMENT>"
    std::string all;
    for (int i = 0; i < type[1] - '0'; ++i)
      all += (i ? ", " : "") + element + " " + operand;
    return "<" + all + ">";
  };
  const std::string condition = type.front() == '<' ? type.substr(0, 5) + "i1>" : "i1";
  return of_two(type, "%c = fcmp " + selection.predicate + " TYPE " + spelled(selection.left) +
                          ", " + spelled(selection.right) + "\n  %result = select " + condition +
                          " %c, TYPE " + spelled(selection.if_true) + ", TYPE " +
                          spelled(selection.if_false));
}

} // namespace

TEST_CASE("a selection between a float and zero keeps the sign of zero") {
  std::uint64_t place = 0;
  for (const unsigned capability : {75, 80})
    for (const std::string type : {"float", "double", "half", "<2 x float>", "<2 x half>"})
      for (const char* predicate : {"olt", "ole", "ogt", "oge", "ult", "ule", "ugt", "uge"})
        for (const char* compared : {"0.0", "-0.0", "1.0"})
          for (const char* chosen : {"0.0", "-0.0", "1.0"})
            for (const bool is_swapped : {false, true})
              for (const bool is_crossed : {false, true}) {
                Selection selection{predicate, "%x", compared, "%x", chosen};
                if (is_swapped) std::swap(selection.left, selection.right);
                if (is_crossed) std::swap(selection.if_true, selection.if_false);
                if (!is_tried(place++)) continue;
                const std::string text = selected(selection, type);
                const std::string ptx = ptx_of(text, capability);
                CHECK_MESSAGE(keeps_bits(selection, ptx), text << ptx);
              }
}

TEST_CASE("a rectifier stays one instruction, as it has the same bits") {
  const auto ptx = [](const char* predicate, const char* constant) {
    return ptx_of(selected({predicate, "%x", constant, "%x", constant}, "float"));
  };
  CHECK(count_of(ptx("ogt", "0.0"), "max.f32") == 1);
  CHECK(count_of(ptx("olt", "-0.0"), "min.f32") == 1);
  CHECK(count_of(ptx("olt", "2.0"), "min.f32") == 1);
  CHECK(count_of(ptx("olt", "0.0"), "min.f32") == 0); // -0 for -0
}

TEST_CASE(
    "a selection between two numbers that may be zeros of either sign is none of an extremum") {
  for (const unsigned capability : {75, 80})
    for (const std::string type : {"float", "double", "half"})
      for (const char* predicate : {"olt", "ole", "ogt", "oge", "ult", "ule", "ugt", "uge"}) {
        // (Where a NaN may be among them, that prevents it too.)
        const std::string code = "%c = fcmp nnan " + std::string(predicate) +
                                 " TYPE %x, %y\n  %result = select i1 %c, TYPE %x, TYPE %y";
        const std::string ptx = ptx_of(of_two(type, code), capability);
        CHECK_MESSAGE(!has_extremum(ptx), ptx);
      }
}

TEST_CASE("minima of LLVM whose zeros have no defined sign are refused") {
  const std::string text = "declare float @llvm.minnum.f32(float, float)\n" +
                           of_two("float", "%result = call float @llvm.minnum.f32(float %x, "
                                           "float %y)");
  CHECK(not_lowerable(*module_of(text).module).value_or("") ==
        "`llvm.minnum.f32`, whose zeros have no defined sign");
  CHECK(!not_lowerable(*module_of(replaced(text, "call float", "call nsz float")).module));
}

// ---- extrema of small integers -----------------------------------------------------------------

namespace {

constexpr unsigned capabilities_of_extrema[] = {75, 80, 90};

/// An intrinsic of two operands.
std::string called(const std::string& name, const std::string& type) {
  const std::string suffix = type[0] == '<' ? "v2" + type.substr(5, type.size() - 6) : type;
  const std::string function = "TYPE @llvm." + name + "." + suffix;
  return replaced("declare " + function + "(TYPE, TYPE)\n", "TYPE", type) +
         of_two(type, "%result = call " + function + "(TYPE %x, TYPE %y)");
}

} // namespace

TEST_CASE("extrema of small integers are taken in 32 bits") {
  for (const unsigned capability : capabilities_of_extrema)
    for (const std::string type : {"i8", "i16", "<2 x i8>", "<2 x i16>"})
      for (const std::string name : {"smin", "smax", "umin", "umax"}) {
        CAPTURE(type);
        CAPTURE(name);
        const std::string ptx = ptx_of(called(name, type), capability);
        const std::string instruction = name.substr(1) + (name[0] == 's' ? ".s32" : ".u32");
        CHECK_MESSAGE(count_of(ptx, instruction) == (type[0] == '<' ? 2 : 1), ptx);
        CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
      }
}

TEST_CASE("selections between small integers that become extrema do so in 32 bits") {
  for (const unsigned capability : capabilities_of_extrema)
    for (const std::string type : {"i8", "i16", "<2 x i8>", "<2 x i16>"})
      for (const std::string predicate : {"slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
        for (const bool is_crossed : {false, true})
          // (The comparison of the result with an operand keeps passes from making intrinsics.)
          for (const bool is_used : {false, true}) {
            CAPTURE(type);
            CAPTURE(predicate);
            const std::string condition = type[0] == '<' ? "<2 x i1>" : "i1";
            const std::string chosen = is_crossed ? "TYPE %y, TYPE %x" : "TYPE %x, TYPE %y";
            std::string code = "%c = icmp " + predicate + " TYPE %x, %y\n";
            code += "  %selected = select " + condition + " %c, " + chosen + "\n";
            code += is_used ? "  %e = zext " + condition +
                                  " %c to TYPE\n"
                                  "  %result = xor TYPE %selected, %e"
                            : "  %result = add TYPE %selected, %x";
            const std::string ptx = ptx_of(of_two(type, code), capability);
            CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
          }
}

TEST_CASE("what code generation does by extrema of small integers has none of them") {
  for (const unsigned capability : capabilities_of_extrema)
    for (const std::string type : {"i8", "i16", "<2 x i8>", "<2 x i16>"}) {
      CAPTURE(type);
      for (const std::string name : {"uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"}) {
        const std::string ptx = ptx_of(called(name, type), capability);
        CHECK_MESSAGE(small_extrema(ptx).empty(), name << ptx);
      }
      // A distance, and an absolute value.
      const std::string condition = type[0] == '<' ? "<2 x i1>" : "i1";
      const std::string distance =
          "%a = sub TYPE %x, %y\n  %b = sub TYPE %y, %x\n  %c = icmp PREDICATE TYPE %x, %y\n"
          "  %result = select " +
          condition + " %c, TYPE %b, TYPE %a";
      for (const char* predicate : {"slt", "ult"}) {
        const std::string ptx =
            ptx_of(of_two(type, replaced(distance, "PREDICATE", predicate)), capability);
        CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
      }
      const std::string absolute =
          "%n = sub TYPE zeroinitializer, %x\n  %c = icmp slt TYPE %x, zeroinitializer\n"
          "  %result = select " +
          condition + " %c, TYPE %n, TYPE %x";
      const std::string ptx = ptx_of(
          of_two(type, type[0] == '<' ? absolute : replaced(absolute, "zeroinitializer", "0")),
          capability);
      CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
    }
  for (const unsigned capability : capabilities_of_extrema)
    for (const char* element : {"i8", "i16"})
      for (const char* name : {"smin", "smax", "umin", "umax"}) {
        const std::string reduction = replaced(
            R"(
declare ELEMENT @llvm.vector.reduce.NAME.v4ELEMENT(<4 x ELEMENT>)
define void @kernel(ptr addrspace(1) %memory) {
  %v = load <4 x ELEMENT>, ptr addrspace(1) %memory
  %r = call ELEMENT @llvm.vector.reduce.NAME.v4ELEMENT(<4 x ELEMENT> %v)
  store ELEMENT %r, ptr addrspace(1) %memory
  ret void
})",
            "ELEMENT", element);
        const std::string ptx = ptx_of(replaced(reduction, "NAME", name), capability);
        CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
      }
}

namespace {

/// What the block's instructions make of constants.
const llvm::Constant* folded(llvm::BasicBlock& block) {
  const llvm::DataLayout& layout = block.getModule()->getDataLayout();
  for (llvm::Instruction& instruction : block)
    if (!instruction.isTerminator())
      instruction.replaceAllUsesWith(llvm::ConstantFoldInstruction(&instruction, layout));
  return llvm::cast<llvm::Constant>(block.getTerminator()->getOperand(0));
}

/// The operation on two constants, as it is and in more bits.
bool is_same_in_more_bits(const std::string& name, unsigned bits, std::int64_t x, std::int64_t y) {
  llvm::LLVMContext context;
  llvm::Module module("small", context);
  llvm::Type* const type = llvm::Type::getIntNTy(context, bits);
  const llvm::Constant* results[2] = {};
  for (const bool is_widened : {false, true}) {
    auto* const function = llvm::Function::Create(llvm::FunctionType::get(type, false),
                                                  llvm::GlobalValue::ExternalLinkage, "f", module);
    llvm::BasicBlock* const block = llvm::BasicBlock::Create(context, "entry", function);
    llvm::IRBuilder<> ir(block);
    ir.CreateRet(ir.CreateBinaryIntrinsic(llvm::Function::lookupIntrinsicID("llvm." + name),
                                          llvm::ConstantInt::getSigned(type, x),
                                          llvm::ConstantInt::getSigned(type, y)));
    if (is_widened) widen_small_extrema(*function);
    CHECK((block->size() > 2) == is_widened);
    results[is_widened ? 1 : 0] = folded(*block);
  }
  return results[0] == results[1];
}

} // namespace

TEST_CASE("operations on small integers have the same bits in 32") {
  for (const unsigned bits : {8u, 16u}) {
    const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
    const std::int64_t numbers[] = {0, 1, 5, most / 2, most - 1, most, -1, -7, -most, -most - 1};
    for (const char* name :
         {"smin", "smax", "umin", "umax", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"})
      for (const std::int64_t x : numbers)
        for (const std::int64_t y : numbers) {
          CAPTURE(name);
          CAPTURE(x);
          CAPTURE(y);
          CHECK(is_same_in_more_bits(name, bits, x, y));
        }
  }
}

TEST_CASE("extrema of extrema of small integers are widened together") {
  const std::string text = R"(
declare i16 @llvm.smin.i16(i16, i16)
declare i16 @llvm.smax.i16(i16, i16)
declare i16 @llvm.umin.i16(i16, i16)
)" + of_two("i16", R"(%a = call i16 @llvm.smax.i16(i16 %x, i16 %y)
  %b = mul i16 %a, %y
  %c = call i16 @llvm.umin.i16(i16 %b, i16 %a)
  %d = call i16 @llvm.smin.i16(i16 %c, i16 %a)
  %e = icmp eq i16 %d, 0
  %result = select i1 %e, i16 77, i16 %c)");
  for (const unsigned capability : capabilities_of_extrema) {
    const std::string ptx = ptx_of(text, capability);
    CHECK_MESSAGE(small_extrema(ptx).empty(), ptx);
    CHECK_MESSAGE(count_of(ptx, "max.s32") == 1, ptx);
    CHECK_MESSAGE(count_of(ptx, "min.u32") == 1, ptx);
    CHECK_MESSAGE(count_of(ptx, "min.s32") == 1, ptx);
  }
}

// ---- floats ------------------------------------------------------------------------------------

TEST_CASE("nothing is fused but what may be, and every operation rounds") {
  for (const std::string type : {"float", "double", "half"}) {
    CAPTURE(type);
    const std::string product_and_sum =
        "%p = fmul FLAG TYPE %x, %y\n  %result = fadd FLAG TYPE %p, %x";
    const std::string exact = ptx_of(of_two(type, replaced(product_and_sum, "FLAG ", "")));
    CHECK_MESSAGE(count_of(exact, "fma.rn") == 0, exact);
    CHECK(count_of(exact, "mul.rn.f") == 1);
    CHECK(count_of(exact, "add.rn.f") == 1);
    CHECK(count_of(exact, ".ftz") == 0);
    const std::string contracted =
        ptx_of(of_two(type, replaced(product_and_sum, "FLAG", "contract")));
    CHECK_MESSAGE(count_of(contracted, "fma.rn.f") == 1, contracted);
    // (On one of them alone it means nothing.)
    const std::string half_contracted =
        ptx_of(of_two(type, "%p = fmul TYPE %x, %y\n  %result = fadd contract TYPE %p, %x"));
    CHECK_MESSAGE(count_of(half_contracted, "fma.rn") == 0, half_contracted);
    const std::string difference =
        ptx_of(of_two(type, "%p = fmul TYPE %x, %y\n  %result = fsub TYPE %x, %p"));
    CHECK(count_of(difference, "fma.rn") == 0);
  }
}

TEST_CASE("divisions and roots are exact") {
  const std::string roots = R"(
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
)";
  CHECK(count_of(ptx_of(of_two("float", "%result = fdiv float %x, %y")), "div.rn.f32") == 1);
  CHECK(count_of(ptx_of(of_two("double", "%result = fdiv double %x, %y")), "div.rn.f64") == 1);
  CHECK(count_of(ptx_of(roots + of_two("float", "%result = call float @llvm.sqrt.f32(float %x)")),
                 "sqrt.rn.f32") == 1);
  CHECK(
      count_of(ptx_of(roots + of_two("double", "%result = call double @llvm.sqrt.f64(double %x)")),
               "sqrt.rn.f64") == 1);
}

TEST_CASE("attributes of other targets, and of inexact floats, mean nothing") {
  const std::string text =
      replaced(of_two("float", "%p = fmul float %x, %y\n  %q = fadd float %p, %x\n"
                               "  %result = fdiv float %q, %y"),
               "%memory) {",
               "%memory) \"target-cpu\"=\"x86-64\" \"target-features\"=\"+avx512f\" "
               "\"unsafe-fp-math\"=\"true\" \"denormal-fp-math-f32\"=\"preserve-sign\" {");
  const std::string ptx = ptx_of(text);
  CHECK(count_of(ptx, ".ftz") == 0);
  CHECK(count_of(ptx, "div.rn.f32") == 1);
  CHECK(count_of(ptx, "fma.rn") == 0);
}

TEST_CASE("a remainder of floats is refused, as it would not be exact") {
  CHECK(not_lowerable(*module_of(of_two("float", "%result = frem float %x, %y")).module)
            .value_or("") == "the remainder of floats, which is not exact on a device");
}

TEST_CASE("sixteen bytes of lanes are one access at every type") {
  for (const auto& [lanes, element] : {std::pair{16, "i8"},
                                       {8, "i16"},
                                       {8, "half"},
                                       {4, "i32"},
                                       {4, "float"},
                                       {2, "i64"},
                                       {2, "double"}}) {
    CAPTURE(element);
    const std::string type = "<" + std::to_string(lanes) + " x " + element + ">";
    // (Lane by lane, as threads that take several elements make them.)
    std::string text = "define void @kernel(ptr addrspace(1) %from, ptr addrspace(1) %to) {\n"
                       "  %v = load " +
                       type + ", ptr addrspace(1) %from, align 16\n";
    std::string before = "poison";
    for (int lane = 0; lane < lanes; ++lane) {
      const std::string number = std::to_string(lane);
      text += "  %e" + number + " = extractelement " + type + " %v, i32 " + number + "\n  %s" +
              number + " = " + (element[0] == 'i' ? "mul " : "fmul ") + element + " %e" + number +
              ", %e" + number + "\n  %w" + number + " = insertelement " + type + " " + before +
              ", " + element + " %s" + number + ", i32 " + number + "\n";
      before = "%w" + number;
    }
    text += "  store " + type + " " + before + ", ptr addrspace(1) %to, align 16\n  ret void\n}\n";
    const std::string ptx = ptx_of(text, 80);
    CHECK_MESSAGE(count_of(ptx, "ld.global.") == 1, ptx);
    CHECK_MESSAGE(count_of(ptx, "st.global.") == 1, ptx);
  }
}
