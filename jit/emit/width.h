// How many lanes a kernel's code has.
#pragma once

#include "jit/emit/emit.h"
#include "jit/emit/plan.h"

namespace sinter::jit {

/// As many lanes as a register has, or two registers' where one alone would wait for itself.
unsigned choose_width(const ir::Function& function, const EmitOptions& options);
/// The same for lanes along what a plan has chosen.
unsigned width_along(const ir::Function& function, const EmitOptions& options,
                     const LanePlan& plan);
/// As many as a register has, and no more than that.
unsigned width_inside(const ir::Function& function, const EmitOptions& options, unsigned width);

} // namespace sinter::jit
