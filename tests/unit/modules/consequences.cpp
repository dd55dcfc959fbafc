// What follows from an error elsewhere is not told; what stands without it is.

#include "checking.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinter;

namespace {

/// The ids of a program's errors, each followed by a space.
std::string ids(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error) text += std::string(diagnostic.id) + " ";
  return text;
}
std::string ids(const std::string& program) {
  return ids(tests::Checked(program).diagnostics);
}

/// Many uses of a function `f`, a size `n`, a type `t` and a function `g` on records.
const std::string uses = "def a (x: [n]i32) = f x\n"
                         "def b (xs: [][]i32) = map a xs\n"
                         "def c (x: t) : t = x\n"
                         "def d = map (\\r -> r.x + 1) (g 3)\n"
                         "def e (x: [n]i32) = map2 (+) (a x) x\n"
                         "def h (x: *[n]t) = let x[0] = c x[1] in x\n"
                         "def i = match g 1 case #ok y -> y.z case #bad -> 0\n"
                         "type u = [n]t\n"
                         "module m : { type v val x : [n]v } = { type v = t def x = f [] }\n"
                         "entry j (x: u) = (d, e (f x))\n";
/// Errors that stand whatever those names mean.
const std::string others = "def p : i32 = true\n"
                           "def q (x: [3]i32) (y: [4]i32) = map2 (+) x y\n"
                           "def r = no_such_name\n"
                           "def s (x: []i32) : *[]i32 = x\n";
const std::string of_others = "type-mismatch size-mismatch unknown-name return-aliased ";

} // namespace

TEST_CASE("after a broken definition") {
  const std::string broken = "def n : i64 = 3\ntype t = i32\n"
                             "def f x = missing x\n"
                             "def g x = missing x\n";
  // Each is told where it stands, and nothing else.
  CHECK(ids(broken + uses) == "unknown-name unknown-name ");
  CHECK(ids("def n = missing\ndef f x = x\ndef g _ = []\ntype t = missing\n" + uses)
            .starts_with("unknown-name unknown-type "));
  CHECK(ids("def n = missing\ndef f x = missing\ndef g x = missing\ntype t = missing\n" + uses) ==
        "unknown-name unknown-name unknown-name unknown-type ");
  CHECK(ids("def f x = missing\n" + others) == "unknown-name " + of_others);
}

TEST_CASE("after a broken module") {
  const std::string broken = "module w = {\n"
                             "  def n : i64 = missing\n"
                             "  type t = missing\n"
                             "  def f = missing\n"
                             "  def g = missing\n"
                             "}\n"
                             "open w\n";
  const std::string of_broken = "unknown-name unknown-type unknown-name unknown-name ";
  CHECK(ids(broken + uses) == of_broken);
  CHECK(ids("module w = { def = 3 }\nopen w\n" + uses) == "unexpected-token ");
  CHECK(ids("open missing { }\n" + uses) == "unknown-module ");
  CHECK(ids("module w = missing\ndef x = w.(y + z)\ndef a (x: [w.n]w.t) = w.f x\n"
            "module v : { type t = w.t } = w\n") == "unknown-module ");
}

TEST_CASE("after a broken module type or application") {
  CHECK(ids("module type s = { type t val n : i64 val f : missing val g : i32 -> missing }\n"
            "module w (P: s) = { open P }\n"
            "module x = w { type t = i32 def n : i64 = 3 def f = id def g (y: i32) = y }\n"
            "open x\n" +
            uses) == "unknown-type unknown-type ");
  CHECK(ids("module w : missing = { }\nopen w\n" + uses) == "unknown-module-type ");
  CHECK(ids("module w (P: { type t val n : i64 val f : t -> t val g : t -> t }) = { open P }\n"
            "module x = w { }\nopen x\n" +
            uses) == "module-mismatch ");
  CHECK(ids("module type s = missing\nmodule type r = { module i : s }\n"
            "module w : r with i.t = i32 = { module i = { type t = i32 } }\n"
            "def x = w.i.y\n") == "unknown-module-type ");
}

TEST_CASE("after a broken import") {
  const tests::TemporaryFolder folder;
  folder.write("broken.fut", "def n : i64 = missing\ntype t = i32\ndef f x = x\ndef g x = x\n");
  auto errors = [&](const std::string& program) {
    SourceMap sources;
    check::Checker checker(sources);
    Diagnostics diagnostics;
    checker.check_file(folder.write("main.fut", program), diagnostics);
    return ids(diagnostics);
  };
  CHECK(errors("import \"broken\"\n" + uses) == "unknown-name ");
  CHECK(errors("module w = import \"broken\"\nopen w\n" + uses) == "unknown-name ");
  CHECK(errors("open import \"nowhere\"\n" + uses) == "unreadable-file ");
  // (Of an unknown name nobody can say whether the import would have had it.)
  CHECK(errors("module w = import \"broken\"\n" + others) == "unknown-name " + of_others);
  CHECK(errors("import \"broken\"\ndef p : i32 = true\ndef q = i32.no_such_member\n") ==
        "unknown-name type-mismatch unknown-name ");
}
