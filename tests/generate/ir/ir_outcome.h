// What a function came to, compared.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/ir/ir.h"

namespace sinter::generate {

/// Whether two outcomes of the function are the same to the bit, any two NaNs being the same, or
/// both failed (perhaps at different checks: fusion may change which comes first).
bool same_outcome(const ir::Function& function, const ir::Evaluation& a, const ir::Evaluation& b);

} // namespace sinter::generate
