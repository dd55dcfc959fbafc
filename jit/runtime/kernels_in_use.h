// The kernels of a place that somebody has: what several regions contain is compiled once.
#pragma once

#include "jit/ir/array_layout.h"
#include "jit/runtime/backend.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// Thread-safe.
class KernelsInUse {
public:
  /// The kernel of an equal function that was made in the same way and is still used, or a new one.
  std::shared_ptr<Kernel> find_or_make(const ir::Function& function,
                                       const ir::ArrayLayouts& layouts,
                                       const CompileOptions& options,
                                       const std::function<std::shared_ptr<Kernel>()>& make);

private:
  std::shared_ptr<Kernel> find(const std::string& key) const;
  void add(std::string key, const std::shared_ptr<Kernel>& kernel);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<Kernel>> kernels_;
  std::size_t size_to_clean_ = 64;
};

} // namespace sinter::jit
