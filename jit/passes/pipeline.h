// Passes: functions from IR to equal but better IR.
//
// One file each; a header comment shows before and after in IR text and names its source.  A pass
// that is not legal does not fire; none makes asymptotic cost worse.  This folder knows the IR
// only.
#pragma once

#include "jit/ir/ir.h"

#include <functional>
#include <span>
#include <string_view>

namespace sinter::jit {

struct Pass {
  std::string_view name;
  void (*run)(ir::Function&);
};

/// In the order in which they run.
std::span<const Pass> all_passes();

/// Runs the passes.  `after`, if any, is called after each (explanations, verification in tests).
void optimise(ir::Function& function,
              const std::function<void(std::string_view, const ir::Function&)>& after = {});

} // namespace sinter::jit
