// Host-level code as text: for a debugger, and for tests of what plans are.
#pragma once

#include "jit/runtime/plan.h"

#include <string>

namespace sinter::jit {

/// One step a line, blocks indented: `a2 = launch kernel 0 (a0!, s3)`.  Slots are s… and a… as they
/// hold scalars and arrays; a use that is an array's last one has a `!`, and what a step releases
/// stands behind it.
std::string print(const Plan& plan);
/// To standard error (`call sinter::jit::dump(plan)`).
void dump(const Plan& plan);

} // namespace sinter::jit
