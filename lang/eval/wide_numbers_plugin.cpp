// Wide numbers as a library of their own: its only entry.  Their constants are computed when the
// library is opened, which takes longer than a process may take to start.
#include "lang/eval/wide_kinds.h"

extern "C" [[gnu::visibility("default")]] sinter::eval::WideNumbers*
sinter_make_wide_numbers(unsigned digits, sinter::MemoryBudget* memory) {
  using namespace sinter::eval;
  return (digits <= 50 ? wide::make_numbers_50(*memory) : wide::make_numbers_100(*memory))
      .release();
}
