#include "jit/cpu/quiet_numbers.h"

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace {

const std::string range = "call <4 x float> @llvm.x86.avx512.mask.range.ps.128(<4 x float> ";
const std::string choice = ", i32 5, <4 x float> zeroinitializer, i8 -1)\n";

/// How many calls of RANGE are left in a function of that body.
int ranges_left(const std::string& body) {
  const std::string text =
      "declare <4 x float> @llvm.x86.avx512.mask.range.ps.128(<4 x float>, <4 x float>, i32, <4 x "
      "float>, i8)\n"
      "declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)\n"
      "declare <4 x float> @llvm.fabs.v4f32(<4 x float>)\n"
      "define <4 x float> @f(ptr %p, <4 x float> %x, <4 x i32> %i, <4 x i1> %c, i1 %more) {\n" +
      body + "}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  REQUIRE_MESSAGE(module, error.getMessage().str());
  llvm::Function& function = *module->getFunction("f");
  sinter::jit::drop_quieting(function);
  REQUIRE_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  int left = 0;
  for (const llvm::Instruction& each : llvm::instructions(function))
    left +=
        llvm::isa<llvm::CallInst>(each) &&
                llvm::cast<llvm::CallInst>(each).getCalledFunction()->getName().contains("range")
            ? 1
            : 0;
  return left;
}

/// Of a number that is made so, after some instructions.
int ranges_of(const std::string& made) {
  return ranges_left("  %number = " + made + "\n  %quiet = " + range + "%number, <4 x float> " +
                     "%number" + choice + "  ret <4 x float> %quiet\n");
}

/// Of a loop that keeps the greatest of what it makes so, from a first number on.
int ranges_of_fold(const std::string& first, const std::string& made) {
  return ranges_left("entry:\n  br label %loop\nloop:\n"
                     "  %most = phi <4 x float> [ " +
                     first +
                     ", %entry ], [ %next, %loop ]\n"
                     "  %number = " +
                     made + "\n  %before = " + range + "%most, <4 x float> %most" + choice +
                     "  %quiet = " + range + "%number, <4 x float> %number" + choice +
                     "  %next = " + range + "%before, <4 x float> %quiet" + choice +
                     "  br i1 %more, label %loop, label %done\ndone:\n  ret <4 x float> %next\n");
}

const std::string minus_infinity = "splat (float 0xFFF0000000000000)";

} // namespace

TEST_CASE("what arithmetic gives is quiet") {
  for (const char* made :
       {"fadd <4 x float> %x, %x", "fdiv <4 x float> %x, %x", "sitofp <4 x i32> %i to <4 x float>",
        "call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> %x, <4 x float> %x)"}) {
    CAPTURE(made);
    CHECK(ranges_of(made) == 0);
  }
  // What is read, or moved as bits, may be anything.
  for (const char* made :
       {"load <4 x float>, ptr %p", "bitcast <4 x i32> %i to <4 x float>", "fneg <4 x float> %x",
        "select <4 x i1> %c, <4 x float> zeroinitializer, <4 x float> %x",
        "call <4 x float> @llvm.fabs.v4f32(<4 x float> %x)",
        "shufflevector <4 x float> zeroinitializer, <4 x float> %x, <4 x i32> <i32 0, i32 1, i32 "
        "2, i32 4>",
        "insertelement <4 x float> %x, float 1.0, i32 0"}) {
    CAPTURE(made);
    CHECK(ranges_of(made) == 1);
  }
  CHECK(ranges_of("shufflevector <4 x float> zeroinitializer, <4 x float> %x, <4 x i32> <i32 0, "
                  "i32 1, i32 2, i32 3>") == 0);
  CHECK(ranges_of(
            "select <4 x i1> %c, <4 x float> zeroinitializer, <4 x float> splat (float 1.0)") == 0);
}

TEST_CASE("what a loop keeps of quiet numbers is quiet") {
  const std::string arithmetic = "fmul <4 x float> %x, %x", reads = "load <4 x float>, ptr %p";
  CHECK(ranges_of_fold(minus_infinity, arithmetic) == 1);
  CHECK(ranges_of_fold(minus_infinity, reads) == 2);
  // The first one is made quiet by what is kept next, but it is looked at before.
  CHECK(ranges_of_fold("%x", arithmetic) == 2);
  CHECK(ranges_of_fold("%x", reads) == 3);
  // A constant that is a signalling NaN.
  CHECK(ranges_of_fold("splat (float 0x7FF4000000000000)", arithmetic) == 2);
}
