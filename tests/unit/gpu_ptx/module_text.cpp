#include "module_text.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/ptx/lower.h"
#include "gpu/ptx/lower_functions.h"

#include <doctest/doctest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::gpu {

namespace {

/// `declare i32 @sinter_gpu_…(…)`, one a line.
std::string declarations(llvm::LLVMContext& context) {
  llvm::Module module("declarations", context);
  for (const AbstractFunctionRow& row : abstract_functions())
    llvm::Function::Create(type_of(row, context), llvm::Function::ExternalLinkage,
                           llvm::StringRef(row.symbol.data(), row.symbol.size()), module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const llvm::Function& function : module)
    function.print(stream);
  return text;
}

} // namespace

GpuModule module_of(const std::string& text, unsigned threads) {
  GpuModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  result.module =
      llvm::parseAssemblyString(declarations(*result.context) + text, error, *result.context);
  REQUIRE_MESSAGE(result.module, error.getMessage().str() << ": " << error.getLineContents().str());
  REQUIRE(!llvm::verifyModule(*result.module, &llvm::errs()));
  for (const llvm::Function& function : *result.module)
    if (!function.isDeclaration() && !function.hasInternalLinkage())
      result.entries.push_back(
          {function.getName().str(), static_cast<std::uint32_t>(function.arg_size()), threads});
  return result;
}

std::string ptx_of(const std::string& text, unsigned compute_capability) {
  return to_ptx(module_of(text), compute_capability).text;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string small_extrema(const std::string& ptx) {
  std::string found;
  for (const char* instruction : {"min.s16", "max.s16", "min.u16", "max.u16"})
    if (count_of(ptx, instruction) > 0) found += std::string(instruction) + " ";
  return found;
}

} // namespace sinter::gpu
