#include "gpu/kernels/gpu_module.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

GpuModule::GpuModule() = default;
GpuModule::GpuModule(GpuModule&&) noexcept = default;
GpuModule& GpuModule::operator=(GpuModule&& other) noexcept {
  // The module goes before its context.
  module = std::move(other.module);
  context = std::move(other.context);
  entries = std::move(other.entries);
  return *this;
}
GpuModule::~GpuModule() {
  module.reset();
}

std::unique_ptr<llvm::LLVMContext> make_kernel_context() {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiscardValueNames(true);
  return context;
}

void keep_entries(GpuModule& module, const std::vector<std::string>& names) {
  std::erase_if(module.entries, [&](const EntryPoint& point) {
    if (std::ranges::find(names, point.name) != names.end()) return false;
    module.module->getFunction(point.name)->eraseFromParent();
    return true;
  });
  for (bool is_any = true; is_any;) {
    is_any = false;
    for (llvm::Function& function : llvm::make_early_inc_range(*module.module)) {
      if (!function.use_empty() || !(function.isDeclaration() || function.hasInternalLinkage()))
        continue;
      function.eraseFromParent();
      is_any = true;
    }
  }
}

namespace {
constexpr const char* global_addresses = "sinter_global_addresses";
}

void promise_global_addresses(llvm::Module& module) {
  if (!promises_global_addresses(module))
    module.addModuleFlag(llvm::Module::Warning, global_addresses, 1);
}

bool promises_global_addresses(const llvm::Module& module) {
  return module.getModuleFlag(global_addresses) != nullptr;
}

} // namespace sinter::gpu
