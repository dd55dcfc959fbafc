// What doubles with each definition ends in an error, not in a checker that never answers or that
// runs out of stack.
#include "lang/check/checker.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// The ids of the errors of a text.
std::string errors_of_large(std::string text) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", std::move(text), diagnostics);
  std::string ids;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error) ids += std::string(diagnostic.id) + "\n";
  return ids;
}

/// `first` and then, for each number up to `count`, `step` with that number for N and the one
/// before for M.
std::string chain(std::string text, const std::string& step, int count) {
  for (int i = 1; i <= count; ++i)
    for (char c : step)
      text += c == 'N' ? std::to_string(i) : c == 'M' ? std::to_string(i - 1) : std::string(1, c);
  return text;
}

} // namespace

TEST_CASE("types that are declared larger and larger") {
  CHECK(errors_of_large(chain("type t0 = i32\n", "type tN = (tM, tM)\n", 20)) == "too-large\n");
  CHECK(errors_of_large(chain("type t0 = #a\n", "type tN = #a tM tM | #b tM\n", 12)) ==
        "too-large\n");
  CHECK(errors_of_large(chain("type t0 'a = (a, a)\n", "type tN 'a = tM (tM a)\n", 6)) ==
        "too-large\n");
  CHECK(errors_of_large(chain("type t0 = i32\n", "type tN = (tM, tM)\n", 10)) == "");
}

TEST_CASE("types that are inferred deeper and deeper") {
  CHECK(errors_of_large(chain("def f0 x = [x]\n", "def fN x = fM (fM x)\n", 20)) == "too-large\n");
  CHECK(errors_of_large(chain("def f0 x = {a = x}\n", "def fN x = fM (fM x)\n", 20)) ==
        "too-large\n");
  CHECK(errors_of_large(chain("def f0 x = [x]\n", "def fN x = fM (fM x)\n", 10)) == "");
}

TEST_CASE("sizes that double") {
  const std::string begin = "def f [n] (xs: [n]i32) =\n";
  CHECK(errors_of_large(chain(begin, "let xs = concat xs xs\n", 40) + "in xs") == "too-large\n");
  CHECK(errors_of_large(chain("def f (n: i64) =\n", "let n = n + n\n", 40) + "in iota n") ==
        "too-large\n");
  CHECK(errors_of_large(chain(begin, "let xs = concat xs xs\n", 8) + "in xs") == "");
}

TEST_CASE("modules that double") {
  const std::string begin = "module type T = {val x: i32}\n";
  CHECK(errors_of_large(chain(begin + "module f0 (X: T) = {module a = X module b = X}\n",
                              "module fN (X: T) = {module a = fM X module b = fM X}\n", 16)) ==
        "too-large\n");
  CHECK(errors_of_large(chain("module type T0 = {type t}\n",
                              "module type TN = {module a: TM module b: TM}\n", 16)) ==
        "too-large\n");
  CHECK(
      errors_of_large(chain("module type T = {type t}\nmodule f0 (X: T) = {type t = (X.t, X.t)}\n",
                            "module fN (X: T) = fM (fM X)\n", 6)) == "too-large\n");
}

TEST_CASE("after what is too large the rest is checked") {
  CHECK(errors_of_large(chain("def f (n: i64) =\n", "let n = n + n\n", 40) +
                        "in iota n\ndef g: bool = 1i32") == "too-large\ntype-mismatch\n");
}
