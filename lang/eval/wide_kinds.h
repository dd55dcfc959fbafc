// The kinds of wide numbers that there are.
#pragma once

#include "lang/eval/wide_numbers.h"

namespace sinter::eval::wide {

std::unique_ptr<WideNumbers> make_numbers_50(MemoryBudget& memory);
std::unique_ptr<WideNumbers> make_numbers_100(MemoryBudget& memory);

} // namespace sinter::eval::wide
