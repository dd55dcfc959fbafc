#include "jit/runtime/kernels_in_use.h"

#include "jit/ir/print.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// What code generation sees of a function, with the ways of compiling it: kernels with equal keys
/// are equal.  (Failures count by their numbers: the words are the region's own.)
std::string kernel_key(ir::Function function, const ir::ArrayLayouts& layouts,
                       const CompileOptions& options) {
  function.name.clear();
  function.failures.clear();
  for (ir::ValueInfo& value : function.values)
    value.name.clear();
  std::string key = ir::print(function);
  key += std::to_string(static_cast<int>(options.floats)) + " " + std::to_string(options.tier) +
         " " + std::to_string(options.lanes) + " ";
  for (const ir::ArrayLayout layout : layouts)
    key += std::to_string(static_cast<int>(layout));
  return key;
}

} // namespace

std::shared_ptr<Kernel>
KernelsInUse::find_or_make(const ir::Function& function, const ir::ArrayLayouts& layouts,
                           const CompileOptions& options,
                           const std::function<std::shared_ptr<Kernel>()>& make) {
  std::string key = kernel_key(function, layouts, options);
  if (std::shared_ptr<Kernel> known = find(key)) return known;
  std::shared_ptr<Kernel> made = make();
  add(std::move(key), made);
  return made;
}

std::shared_ptr<Kernel> KernelsInUse::find(const std::string& key) const {
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(key);
  return found == kernels_.end() ? nullptr : found->second.lock();
}

void KernelsInUse::add(std::string key, const std::shared_ptr<Kernel>& kernel) {
  std::lock_guard lock(mutex_);
  kernels_.insert_or_assign(std::move(key), kernel);
  if (kernels_.size() < size_to_clean_) return;
  std::erase_if(kernels_, [](const auto& entry) { return entry.second.expired(); });
  size_to_clean_ = std::max<std::size_t>(2 * kernels_.size(), 64);
}

} // namespace sinter::jit
