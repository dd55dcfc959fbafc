// How many lanes a kernel's code has.
#pragma once

#include "jit/cpu/emit.h"

namespace sinter::jit {

/// As many lanes as a register has, or two registers' where one alone would wait for itself.
unsigned choose_width(const ir::Function& function, const EmitOptions& options);

} // namespace sinter::jit
