// Wide numbers of 50 digits.
#include "lang/eval/wide_kinds.h"
#include "lang/eval/wide_numbers_implementation.h"

namespace sinter::eval::wide {

std::unique_ptr<WideNumbers> make_numbers_50(MemoryBudget& memory) {
  return std::make_unique<NumbersOf<50>>(memory);
}

} // namespace sinter::eval::wide
