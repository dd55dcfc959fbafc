#include "tests/unit/gpu_emulator/kernels.h"

#include "gpu/kernels/abstract_functions.h"

#include <stdexcept>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace sinter::test {

namespace {

std::string type_text(gpu::AbstractType type) {
  switch (type) {
  case gpu::AbstractType::Nothing:
    return "void";
  case gpu::AbstractType::Bool:
    return "i1";
  case gpu::AbstractType::I32:
    return "i32";
  case gpu::AbstractType::I64:
    return "i64";
  case gpu::AbstractType::Global:
    return "ptr addrspace(1)";
  case gpu::AbstractType::Shared:
    return "ptr addrspace(3)";
  }
  return {};
}

std::string declarations() {
  std::string text;
  for (const gpu::AbstractFunctionRow& row : gpu::abstract_functions()) {
    text += "declare " + type_text(row.result) + " @" + std::string(row.symbol) + "(";
    for (std::size_t i = 0; i < row.parameters.size(); ++i)
      text += (i > 0 ? ", " : "") + type_text(row.parameters[i]);
    text += ")\n";
  }
  return text;
}

} // namespace

gpu::GpuModule kernels(std::string_view text) {
  gpu::GpuModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  result.module = llvm::parseAssemblyString(std::string(text) + "\n" + declarations(), diagnostic,
                                            *result.context);
  if (!result.module)
    throw std::runtime_error(diagnostic.getMessage().str() + " in line " +
                             std::to_string(diagnostic.getLineNo()));
  for (const llvm::Function& function : *result.module)
    if (!function.isDeclaration() && !function.hasInternalLinkage())
      result.entries.push_back(
          {function.getName().str(), static_cast<std::uint32_t>(function.arg_size()), 1024});
  return result;
}

Emulation::Emulation(std::string_view text, const gpu::EmulationOptions& options)
    : device(gpu::make_emulated_device(options)), code(device->load(kernels(text))) {}

std::string Emulation::violation(std::string_view entry, gpu::LaunchShape shape,
                                 const std::vector<std::uint64_t>& words) {
  return error_of([&] { launch(entry, shape, words); });
}

} // namespace sinter::test
