// Any text may be checked: with errors or without, but never with a crash or without end.
// `sinter_generate --count 200 --folder CORPUS` writes programs to start from.
#include "lang/check/checker.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinter;
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file = checker.check_text(
      "input.fut", std::string(reinterpret_cast<const char*>(data), size), diagnostics);
  std::string messages = render(sources, diagnostics);
  if ((file == nullptr) != diagnostics.has_errors()) {
    std::fprintf(stderr, "%s\n%s", file ? "accepted with errors" : "rejected without a reason",
                 messages.c_str());
    std::abort();
  }
  return 0;
}
