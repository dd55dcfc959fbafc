// The prelude is a correct program: every body type-checks, and its modules match the module types
// that describe them.
#include "lang/check/checker.h"
#include "lang/prelude/prelude.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// The diagnostics of checking `text` as a file.
std::string problems(const std::string& name, std::string text) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text(name, std::move(text), diagnostics);
  return diagnostics.has_errors() ? render(sources, diagnostics) : "";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

} // namespace

TEST_CASE("every definition of the prelude type-checks") {
  // As files of a user, their bodies are checked at once and not when they are needed.
  for (const prelude::File& file : prelude::files()) {
    CAPTURE(file.name);
    CHECK(problems(std::string(file.name) + ".fut",
                   replaced(std::string(file.text), "import \"", "import \"/prelude/")) == "");
  }
}

TEST_CASE("the modules of the prelude match their module types") {
  std::string program = "module checked_bool : from_prim with t = bool = bool\n";
  for (std::string type : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
    program += "module checked_" + type + " : integral with t = " + type + " = " + type + "\n";
  for (std::string type : {"f16", "f32", "f64"})
    program += "module checked_" + type + " : float with t = " + type + " with int_t = u" +
               type.substr(1) + " = " + type + "\n";
  program += "module as_real (r: real) = { def half (x: r.t) : r.t = r.(x / i32 2) }\n"
             "module half_of_float = as_real f32\n"
             "module as_numeric (n: numeric) = { def twice (x: n.t) : n.t = n.(x + x) }\n"
             "module twice_of_real = as_numeric f16\n"
             "module twice_of_integral = as_numeric u8\n";
  CHECK(problems("matches.fut", program) == "");
  CHECK(problems("mismatch.fut", "module wrong : integral with t = f32 = f32\n") != "");
}
