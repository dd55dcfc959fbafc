// Any bytes may be given to the IR's parser: it reads a function that keeps every rule and prints
// to the same text again, or says where it stopped.  `ir_parse.dict` (`-dict=`) has what is not
// found by chance.
#include "jit/ir/parse.h"
#include "jit/ir/print.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinter;
  ir::Function function;
  try {
    function = ir::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const ir::ParseError&) {
    return 0;
  }
  const std::string printed = ir::print(function);
  std::string again;
  try {
    again = ir::print(ir::parse(printed));
  } catch (const ir::ParseError& error) {
    again = error.what();
  }
  if (again != printed) {
    std::fprintf(stderr, "printed as:\n%s\nthen:\n%s\n", printed.c_str(), again.c_str());
    std::abort();
  }
  return 0;
}
