// Any text may be checked: with errors or without, but never with a crash or without end.
// `sinter_generate --count 200 --folder CORPUS` writes programs to start from.
#include "lang/check/checker.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace sinter;

namespace {

/// Reading the prelude takes longer than most inputs, so that many share a session.
struct Session {
  SourceMap sources;
  check::Checker checker{sources};
  int inputs = 0;
};
constexpr int inputs_of_a_session = 1000;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Session> session;
  if (!session || session->inputs++ == inputs_of_a_session) {
    session.reset(); // before the next one is made: they are large
    session = std::make_unique<Session>();
  }
  Diagnostics diagnostics;
  const check::CheckedFile* file = session->checker.check_text(
      "input.fut", std::string(reinterpret_cast<const char*>(data), size), diagnostics);
  std::string messages = render(session->sources, diagnostics);
  if ((file == nullptr) != diagnostics.has_errors()) {
    std::fprintf(stderr, "%s\n%s", file ? "accepted with errors" : "rejected without a reason",
                 messages.c_str());
    std::abort();
  }
  return 0;
}
