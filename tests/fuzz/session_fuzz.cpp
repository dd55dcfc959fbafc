// Nothing that is typed at a prompt ends it: see session_driver.h.
#include "tests/fuzz/session_driver.h"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinter::tests::type_at_random({data, size});
  return 0;
}
