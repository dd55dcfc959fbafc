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

} // namespace sinter::gpu
