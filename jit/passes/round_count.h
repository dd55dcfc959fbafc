// How many rounds a loop has, as the extent of a SOAC that stands for it.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <cstdint>
#include <vector>

namespace sinter::jit {

/// So few rounds of scalar code, if their number is known, are written out later (unroll.h).
constexpr std::int64_t few_rounds = 16;

/// At least 0; the bound is of i64.  Appends the statements that compute it; where the loop may
/// have as many rounds as no array has elements, a check too: such a loop is not for code.  The
/// facts know of them.
ir::Operand extent_of_rounds(ir::Function& function, const ir::Operand& bound, Span span,
                             Facts& facts, std::vector<ir::Statement>& out);

} // namespace sinter::jit
