// Before and after a pass, as text.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <string>

namespace sinter::jit {

using Run = void (*)(ir::Function&);

/// What the pass makes of the text; fails the test if that is not well-formed.
std::string after(Run run, const std::string& text);
/// Checks that the pass turns one text into the other (up to layout and names' numbers).
void check_rewrites(Run run, const std::string& before, const std::string& expected);
/// A matrix of numbers from -11/7 to 11/7, whose sums round.
ir::DenseArray matrix(std::int64_t rows, std::int64_t columns, std::int64_t step);

} // namespace sinter::jit
