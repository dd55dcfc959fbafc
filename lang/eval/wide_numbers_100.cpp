// Wide numbers of 100 digits.
#include "lang/eval/wide_kinds.h"
#include "lang/eval/wide_numbers_implementation.h"

namespace sinter::eval::wide {

std::unique_ptr<WideNumbers> make_numbers_100(MemoryBudget& memory) {
  return std::make_unique<NumbersOf<100>>(memory);
}

} // namespace sinter::eval::wide
