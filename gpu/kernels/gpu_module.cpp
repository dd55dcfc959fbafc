#include "gpu/kernels/gpu_module.h"

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
