// How many lanes a kernel's code has.
#pragma once

#include "jit/emit/emit.h"
#include "jit/emit/plan.h"

namespace sinter::jit {

/// As many lanes as a register has, or two or four registers' where one alone would wait for itself
/// and there are enough of them.
unsigned choose_width(const ir::Function& function, const EmitOptions& options);
/// As many as a register has, and no more than that.
unsigned width_inside(const ir::Function& function, const EmitOptions& options, unsigned width);
/// How lanes of the target's compute along rows of memory, if they may.
AlongRows along_rows(const EmitOptions& options);

} // namespace sinter::jit
