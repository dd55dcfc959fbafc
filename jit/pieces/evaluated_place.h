// A place without compiled code: kernels are run by the IR's evaluator.  Slow, and plainly right.
#pragma once

#include "jit/runtime/backend.h"

#include <memory>
#include <optional>
#include <string>

namespace sinter::jit {

class EvaluatedPlace final : public Backend {
public:
  std::string name() const override { return "evaluated"; }
  std::optional<std::string> rejects(const ir::Function&) const override { return std::nullopt; }
  std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                  const CompileOptions& options) override;
};

} // namespace sinter::jit
