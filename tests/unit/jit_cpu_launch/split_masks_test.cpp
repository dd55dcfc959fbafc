#include "jit/cpu/split_masks.h"

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

/// The text of a function's code with masks for registers of 64 bytes.
std::string split(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  REQUIRE_MESSAGE(module, error.getMessage().str());
  std::string result;
  llvm::raw_string_ostream stream(result);
  for (llvm::Function& function : *module) {
    sinter::jit::split_masks(function, 512);
    REQUIRE_FALSE(llvm::verifyFunction(function, &stream));
    stream << function;
  }
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++result;
  return result;
}

/// A loop whose lanes end apart, that compares elements of such a type.
std::string loop(const std::string& lanes, const std::string& element) {
  const std::string vector = "<" + lanes + " x " + element + ">", mask = "<" + lanes + " x i1>";
  return "define " + vector + " @f(" + vector +
         " %x) {\nentry:\n  br label %loop\nloop:\n"
         "  %mask = phi " +
         mask +
         " [ splat (i1 true), %entry ], [ %next, %loop ]\n"
         "  %value = phi " +
         vector +
         " [ %x, %entry ], [ %chosen, %loop ]\n"
         "  %small = fcmp olt " +
         vector + " %value, splat (" + element +
         " 4.0)\n"
         "  %next = and " +
         mask +
         " %mask, %small\n"
         "  %more = fadd " +
         vector +
         " %value, %x\n"
         "  %chosen = select " +
         mask + " %next, " + vector + " %more, " + vector +
         " %value\n"
         "  %bits = bitcast " +
         mask + " %next to i" + lanes +
         "\n"
         "  %any = icmp ne i" +
         lanes +
         " %bits, 0\n"
         "  br i1 %any, label %loop, label %exit\nexit:\n  ret " +
         vector + " %chosen\n}";
}

} // namespace

TEST_CASE("a mask that a loop carries is one for each register of what is compared") {
  const std::string code = split(loop("32", "float"));
  CHECK(count(code, "phi <16 x i1>") == 2);
  CHECK(count(code, "= and <16 x i1>") == 2);
  CHECK(count(code, "<32 x i1> %mask") == 0);
  // Whether one is left is asked of all registers' together.
  CHECK(count(code, "= or <16 x i1>") == 1);
  CHECK(count(code, "bitcast <16 x i1>") == 1);
  CHECK(count(split(loop("32", "double")), "phi <8 x i1>") == 4);
  CHECK(count(split(loop("64", "float")), "phi <16 x i1>") == 4);
}

TEST_CASE("a mask of one register's lanes stays as it is") {
  const std::string code = split(loop("16", "float"));
  CHECK(count(code, "phi <16 x i1>") == 1);
  CHECK(count(code, "shufflevector") == 0);
}

TEST_CASE("all that is computed of such masks, and where they are wanted whole") {
  const std::string code = split(R"(
define <32 x float> @f(<32 x float> %x, <32 x i1> %given, i1 %flag, ptr %to) {
entry:
  br label %loop
loop:
  %mask = phi <32 x i1> [ %given, %entry ], [ %next, %loop ]
  %less = fcmp olt <32 x float> %x, splat (float 4.0)
  %not = xor <32 x i1> %less, splat (i1 true)
  %or = or <32 x i1> %not, %mask
  %one = select i1 %flag, <32 x i1> %or, <32 x i1> %less
  %each = select <32 x i1> %one, <32 x i1> %mask, <32 x i1> zeroinitializer
  %next = freeze <32 x i1> %each
  %bits = bitcast <32 x i1> %next to i32
  store i32 %bits, ptr %to
  %none = icmp eq i32 %bits, 0
  br i1 %none, label %exit, label %loop
exit:
  %result = select <32 x i1> %next, <32 x float> %x, <32 x float> zeroinitializer
  ret <32 x float> %result
})");
  for (const char* part : {"xor <16 x i1>", "freeze <16 x i1>", "select i1 %flag, <16 x i1>"})
    CHECK(count(code, part) == 2);
  // (The bits are kept, too.)
  CHECK(count(code, "bitcast <32 x i1>") == 1);
  CHECK(count(code, "select <32 x i1>") == 1);
}

TEST_CASE("where nothing carries masks over blocks, or some cannot be reached, all stay") {
  CHECK(count(split(R"(
define <32 x float> @f(<32 x float> %x, <32 x i1> %mask) {
  %less = fcmp olt <32 x float> %x, zeroinitializer
  %both = and <32 x i1> %mask, %less
  %chosen = select <32 x i1> %both, <32 x float> %x, <32 x float> zeroinitializer
  ret <32 x float> %chosen
})"),
              "shufflevector") == 0);
  CHECK(count(split(R"(
define <32 x i1> @f(<32 x float> %x, i1 %flag) {
entry:
  %less = fcmp olt <32 x float> %x, zeroinitializer
  br i1 %flag, label %on, label %off
nowhere:
  %neither = xor <32 x i1> %less, splat (i1 true)
  br label %on
off:
  br label %on
on:
  %mask = phi <32 x i1> [ %less, %entry ], [ zeroinitializer, %off ], [ %neither, %nowhere ]
  ret <32 x i1> %mask
})"),
              "shufflevector") == 0);
}
