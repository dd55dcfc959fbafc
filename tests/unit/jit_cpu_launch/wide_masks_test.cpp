#include "jit/cpu/wide_masks.h"

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace {

/// The text of a function's code with wide masks.
std::string widened(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  REQUIRE_MESSAGE(module, error.getMessage().str());
  std::string result;
  llvm::raw_string_ostream stream(result);
  for (llvm::Function& function : *module) {
    sinter::jit::widen_masks(function);
    REQUIRE_FALSE(llvm::verifyFunction(function, &stream));
    stream << function;
  }
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a mask that a loop carries is as wide as what it chooses between") {
  const std::string code = widened(R"(
define <16 x float> @f(<16 x float> %x) {
entry:
  br label %loop
loop:
  %mask = phi <16 x i1> [ splat (i1 true), %entry ], [ %next, %loop ]
  %value = phi <16 x float> [ %x, %entry ], [ %chosen, %loop ]
  %small = fcmp olt <16 x float> %value, splat (float 4.0)
  %next = and <16 x i1> %mask, %small
  %more = fadd <16 x float> %value, %x
  %chosen = select <16 x i1> %next, <16 x float> %more, <16 x float> %value
  %bits = bitcast <16 x i1> %next to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %loop, label %exit
exit:
  ret <16 x float> %chosen
})");
  CHECK(contains(code, "phi <16 x i32> [ <i32 -1, i32 -1"));
  CHECK(contains(code, "and <16 x i32>"));
  CHECK_FALSE(contains(code, "phi <16 x i1>"));
  CHECK_FALSE(contains(code, "and <16 x i1>"));
}

TEST_CASE("the width is what most comparisons and choices have") {
  const auto code_for = [](const std::string& first, const std::string& second) {
    return widened("define <8 x i1> @f(<8 x " + first + "> %a, <8 x " + second + "> %b, <8 x " +
                   second +
                   "> %c) {\n"
                   "  %x = fcmp olt <8 x " +
                   first + "> %a, zeroinitializer\n  %y = fcmp olt <8 x " + second +
                   "> %b, zeroinitializer\n  %z = fcmp olt <8 x " + second +
                   "> %c, zeroinitializer\n"
                   "  %p = or <8 x i1> %x, %y\n  %q = xor <8 x i1> %p, %z\n  ret <8 x i1> %q\n}");
  };
  CHECK(contains(code_for("float", "double"), "or <8 x i64>"));
  CHECK(contains(code_for("double", "float"), "or <8 x i32>"));
  CHECK(contains(code_for("double", "half"), "xor <8 x i16>"));
}

TEST_CASE("what is used where it is compared stays as it is") {
  const std::string text = R"(
define <8 x float> @f(<8 x float> %x, <8 x float> %y) {
  %less = fcmp olt <8 x float> %x, %y
  %chosen = select <8 x i1> %less, <8 x float> %x, <8 x float> %y
  ret <8 x float> %chosen
})";
  CHECK(contains(widened(text), "select <8 x i1> %less"));
  CHECK_FALSE(contains(widened(text), "sext"));
}

TEST_CASE("a choice between something and zeros is logic, also the other way round") {
  const auto code_for = [](const std::string& arms) {
    return widened(R"(
define <8 x i32> @f(<8 x i32> %x, ptr %from, i1 %again) {
entry:
  %mask = icmp eq <8 x i32> %x, splat (i32 7)
  br label %loop
loop:
  %value = load <8 x i32>, ptr %from
  %kept = select <8 x i1> %mask, )" +
                   arms + R"(
  store <8 x i32> %kept, ptr %from
  br i1 %again, label %loop, label %exit
exit:
  ret <8 x i32> %kept
})");
  };
  const std::string kept = code_for("<8 x i32> %value, <8 x i32> zeroinitializer");
  CHECK(contains(kept, "and <8 x i32>"));
  CHECK_FALSE(contains(kept, "select"));
  const std::string left_out = code_for("<8 x i32> zeroinitializer, <8 x i32> %value");
  CHECK(contains(left_out, "icmp ne <8 x i32> %x"));
  CHECK(contains(left_out, "and <8 x i32>"));
  CHECK_FALSE(contains(left_out, "select"));
  // (The mask is made before the loop.)
  CHECK(left_out.find("icmp ne") < left_out.find("loop:"));
}

TEST_CASE("choices between masks; constants; masks of one value") {
  const std::string code = widened(R"(
define <4 x i64> @f(<4 x i64> %x, <4 x i64> %y, i1 %flag) {
entry:
  %less = icmp slt <4 x i64> %x, %y
  %one = insertelement <4 x i1> poison, i1 %flag, i32 0
  %all = shufflevector <4 x i1> %one, <4 x i1> poison, <4 x i32> zeroinitializer
  %both = select <4 x i1> %less, <4 x i1> %all, <4 x i1> zeroinitializer
  %either = select <4 x i1> %less, <4 x i1> splat (i1 true), <4 x i1> %both
  %other = select i1 %flag, <4 x i1> %either, <4 x i1> <i1 true, i1 false, i1 poison, i1 false>
  %choice = select <4 x i1> %less, <4 x i1> %other, <4 x i1> %both
  %frozen = freeze <4 x i1> %choice
  br label %next
next:
  %result = sext <4 x i1> %frozen to <4 x i64>
  ret <4 x i64> %result
})");
  CHECK(contains(code, "sext i1 %flag to i64"));
  CHECK(contains(code, "<4 x i64> <i64 -1, i64 0, i64 poison, i64 0>"));
  CHECK(contains(code, "or <4 x i64>"));
  CHECK(contains(code, "freeze <4 x i64>"));
  CHECK_FALSE(contains(code, "freeze <4 x i1>"));
  CHECK_FALSE(contains(code, "sext <4 x i1> %frozen"));
}

TEST_CASE("what is given or cannot be reached keeps its masks") {
  const std::string text = R"(
define <8 x float> @f(<8 x i1> %mask, <8 x float> %x) {
entry:
  %less = fcmp olt <8 x float> %x, zeroinitializer
  %both = and <8 x i1> %mask, %less
  %chosen = select <8 x i1> %both, <8 x float> %x, <8 x float> zeroinitializer
  ret <8 x float> %chosen
nowhere:
  %more = fcmp ogt <8 x float> %x, zeroinitializer
  br label %on
on:
  %neither = xor <8 x i1> %more, splat (i1 true)
  %value = select <8 x i1> %neither, <8 x float> %x, <8 x float> zeroinitializer
  ret <8 x float> %value
})";
  const std::string code = widened(text);
  CHECK(contains(code, "and <8 x i1> %mask, %less"));
  CHECK(contains(code, "xor <8 x i1> %more"));
}
