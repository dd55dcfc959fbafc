#include "jit/cpu/narrow_indices.h"

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

/// The code of the block `inside` of a function whose indices are extended before a check, by such
/// an instruction.
std::string inside(const std::string& extension, const std::string& use) {
  const std::string text =
      "declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)\n"
      "declare void @llvm.masked.scatter.v8f32.v8p0(<8 x float>, <8 x ptr>, i32, <8 x i1>)\n"
      "define <8 x float> @f(ptr %p, <8 x i32> %i, <8 x i64> %j, <8 x i16> %k, <8 x float> %x) {\n"
      "  %wide = " +
      extension +
      "\n"
      "  %are_in = icmp ult <8 x i64> %wide, splat (i64 1000)\n"
      "  %all = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %are_in)\n"
      "  br i1 %all, label %inside, label %outside\n"
      "inside:\n"
      "  %places = getelementptr float, ptr %p, <8 x i64> %wide\n" +
      use +
      "outside:\n"
      "  ret <8 x float> %x\n"
      "}\n"
      "declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  REQUIRE_MESSAGE(module, error.getMessage().str());
  llvm::Function& function = *module->getFunction("f");
  sinter::jit::narrow_indices(function);
  std::string result;
  llvm::raw_string_ostream stream(result);
  REQUIRE_FALSE(llvm::verifyFunction(function, &stream));
  for (const llvm::BasicBlock& block : function)
    if (block.getName() == "inside") stream << block;
  return result;
}

const std::string gather =
    "  %y = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> "
    "splat (i1 true), <8 x float> %x)\n  ret <8 x float> %y\n";
const std::string scatter =
    "  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %x, <8 x ptr> %places, i32 4, <8 x "
    "i1> splat (i1 true))\n  ret <8 x float> %x\n";

bool extends(const std::string& text) {
  return text.find("sext <8 x i32> %i to <8 x i64>") != std::string::npos;
}

} // namespace

TEST_CASE("indices that were extended before a check are extended again where they are used") {
  for (const std::string& use : {gather, scatter}) {
    CAPTURE(use);
    CHECK(extends(inside("sext <8 x i32> %i to <8 x i64>", use)));
    CHECK(extends(inside("zext nneg <8 x i32> %i to <8 x i64>", use)));
    // An index of 2^31 would be a negative one, and others are no narrower than registers have
    // them.
    CHECK_FALSE(extends(inside("zext <8 x i32> %i to <8 x i64>", use)));
    for (const char* other : {"sext <8 x i16> %k to <8 x i64>", "add <8 x i64> %j, splat (i64 1)"})
      CHECK(inside(other, use).find("ext <8") == std::string::npos);
  }
}
