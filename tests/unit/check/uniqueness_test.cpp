// What the uniqueness check says, and what it finds out about types.
#include "lang/check/checker.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// All that is reported about a program, as a person sees it.
std::string report(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", program, diagnostics);
  return render(sources, diagnostics);
}

/// The ids of all errors, each followed by a space.
std::string ids(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", program, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error) text += std::string(diagnostic.id) + " ";
  return text;
}

/// The type of the last definition.
std::string type_of_last(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file = checker.check_text("test.fut", program, diagnostics);
  if (!file) return render(sources, diagnostics);
  const auto& last = std::get<syntax::ValueDeclaration>(file->syntax.declarations.back()->node);
  return types::print(last.variable->scheme);
}

} // namespace

TEST_CASE("a use after consumption shows where and through what") {
  CHECK(report("def f (xs: *[]i32): i32 =\n"
               "  let ys = xs[1:]\n"
               "  let zs = xs with [0] = 1\n"
               "  in ys[0] + zs[0]\n") ==
        "test.fut:4:6: error: Using variable \"xs\", but this was consumed at 3:12.  (Possibly "
        "through aliases.) [use-after-consume]\n"
        " 4 |   in ys[0] + zs[0]\n"
        "   |      ^^\n"
        "test.fut:3:12: note: consumed here\n"
        " 3 |   let zs = xs with [0] = 1\n"
        "   |            ^^\n"
        "test.fut:2:7: note: \"ys\" may share its memory\n"
        " 2 |   let ys = xs[1:]\n"
        "   |       ^^\n"
        "hint: to keep \"xs\", consume a copy of it: `copy xs`\n");
}

TEST_CASE("what is not consumable is shown where it is bound") {
  CHECK(report("def f (xs: []i32) = xs with [0] = 1\n") ==
        "test.fut:1:21: error: Consuming variable \"xs\", which is not consumable. "
        "[not-consumable]\n"
        " 1 | def f (xs: []i32) = xs with [0] = 1\n"
        "   |                     ^^\n"
        "test.fut:1:8: note: \"xs\" is bound here, without a `*`\n"
        " 1 | def f (xs: []i32) = xs with [0] = 1\n"
        "   |        ^^\n"
        "hint: consume a copy instead, made with `copy`\n");
  CHECK(report("def f (xs: *[]i32) = map (\\i -> xs with [i] = 1) [0i64]\n")
            .find("\"xs\" is bound here, outside of the function or loop that consumes it") !=
        std::string::npos);
}

TEST_CASE("results of calls and loops are named by their place") {
  CHECK(report("def g (x: []i32) = (x, x)\n"
               "def f (x: []i32) (y: i32) =\n"
               "  let (a, b) = g (copy x)\n"
               "  let a[0] = y\n"
               "  in b\n")
            .starts_with("test.fut:5:6: error: Using result of applying \"g\" (at 3:16), but this "
                         "was consumed at 4:7."));
}

TEST_CASE("one error for each mistake") {
  CHECK(ids("def f (xs: *[]i32) = let ys = xs with [0] = 1 in (xs, xs[0], ys)") ==
        "use-after-consume use-after-consume ");
  CHECK(ids("def f (xs: []i32): *[]i32 = xs") == "return-aliased ");
  CHECK(ids("def f (xs: *[]i32): (*[]i32, *[]i32) = (xs, xs)") == "unique-return-aliased ");
  CHECK(ids("def g: [1]i32 = [1]\ndef f (_: i32) = g") == "alias-free-variable ");
  CHECK(ids("def g: *[1]i32 = [1]") == "unique-constant ");
  CHECK(ids("def g (p: *([]i32, []i32)) = p.0[0]\ndef f (x: *[]i32) = g (x, x)") ==
        "self-aliasing-arg ");
  CHECK(ids("def f (x: *[2][2]i32) = x with [0] = x[1]") == "update-overlap ");
  CHECK(ids("def g (x: *[]i32) (y: []i32) = y[0] + x[0]\ndef f (x: *[]i32) = g x x") ==
        "consumed-argument-aliased ");
  CHECK(ids("def g (x: *[]i32) (y: i32) = y + x[0]\ndef f (x: *[]i32) = map (g x) [1, 2]") ==
        "consuming-argument ");
  CHECK(ids("def g (x: *[]i32) (y: i32) = y + x[0]\ndef f (x: *[]i32) = let h = g x in h 1") ==
        "contains-consumption ");
  CHECK(ids("def f (y: *[]i32) = loop x = copy y for i < 3 do let x[i] = 0 in y") ==
        "consuming-loop-param-aliases ");
  CHECK(ids("def f (x: *[]i32) = loop y = x for i < 3 do y with [i] = x[0]") ==
        "loop-uses-consumed ");
}

TEST_CASE("a star on a number is a warning") {
  CHECK(report("def f (x: *i32) = x + 1")
            .starts_with("test.fut:1:11: warning: Declaring \"i32\" as unique has no effect. "
                         "[useless-unique]"));
  CHECK(report("def f 't (x: *t) = 1i32\ndef g = f 2i32") == "");
}

TEST_CASE("unique results are inferred part by part") {
  CHECK(type_of_last("def f (n: i64) = iota n") == "(n: i64) -> *[n]i64");
  CHECK(type_of_last("def f (xs: [2]i32) = xs") == "[2]i32 -> [2]i32");
  CHECK(type_of_last("def f (xs: *[2]i32) = xs") == "*[2]i32 -> *[2]i32");
  CHECK(type_of_last("def f (xs: *[2]i32) = (xs, xs)") == "*[2]i32 -> ([2]i32, [2]i32)");
  CHECK(type_of_last("def f (xs: [2]i32) = (xs, copy xs, 1i32)") ==
        "[2]i32 -> ([2]i32, *[2]i32, i32)");
  CHECK(type_of_last("def f (b: bool) (xs: [2]i32) = if b then xs else copy xs") ==
        "bool -> [2]i32 -> [2]i32");
  CHECK(type_of_last("def f (xs: [2]i32) : [2]i32 = copy xs") == "[2]i32 -> [2]i32");
  CHECK(type_of_last("def f (g: i32 -> [2]i32) = g 1") == "(i32 -> [2]i32) -> [2]i32");
  CHECK(type_of_last("def f (g: i32 -> *[2]i32) = g 1") == "(i32 -> *[2]i32) -> *[2]i32");
  CHECK(type_of_last("def f 't (x: t) = x") == "'t. t -> t");
  CHECK(type_of_last("def f 't (x: *t) = x") == "'t. *t -> t");
  CHECK(type_of_last("def xs = [1i32, 2]") == "[2]i32");
}

TEST_CASE("a parameter's star counts for all of a tuple") {
  CHECK(ids("def g ((a, _): (*[]i32, []i32)) = a[0]\n"
            "def f (x: *[]i32) (y: *[]i32) = let z = g (x, y) in y[0] + z") ==
        "use-after-consume ");
}

TEST_CASE("functions in expected and found types") {
  // What consumes cannot stand where nothing may be consumed; the other way round it can.
  CHECK(ids("def g (x: *[]i32) = x[0]\ndef f: []i32 -> i32 = g") == "type-mismatch ");
  CHECK(ids("def g (x: []i32) = x[0]\ndef f: *[]i32 -> i32 = g") == "");
  CHECK(ids("def g (x: []i32) = x\ndef f: []i32 -> *[]i32 = g") == "type-mismatch ");
  CHECK(ids("def g (x: []i32) = copy x\ndef f: []i32 -> []i32 = g") == "");
  // In a parameter's own type it turns round.
  CHECK(ids("def g (h: []i32 -> i32) = h [1]\ndef f: (*[]i32 -> i32) -> i32 = g") ==
        "type-mismatch ");
  CHECK(ids("def g (h: *[]i32 -> i32) = h [1]\ndef f: ([]i32 -> i32) -> i32 = g") == "");
}

TEST_CASE("sections keep what their operator does") {
  const std::string op = "def (<+) (xs: *[2]i64) (y: i64): *[2]i64 = xs with [0] = y\n";
  CHECK(ids(op + "def f (xs: *[2]i64) = let ys = (<+ 3) xs in ys[0] + xs[0]") ==
        "use-after-consume ");
  CHECK(ids(op + "def f (xs: [2]i64) = (<+ 3) xs") == "not-consumable ");
  CHECK(ids(op + "def f (xs: *[2]i64) = (<+ 3) xs") == "");
}

TEST_CASE("a star on a loop's parameter that nothing consumes asks for nothing") {
  const std::string start =
      "def f (n: i64) (arr: []i32) = "
      "loop (u, xs: *[]i32) = (replicate n 0i32, arr) while length xs > 1 do ";
  CHECK(ids(start + "(u with [0] = 1, filter (> 1) xs)") == "");
  CHECK(ids(start + "(u with [0] = 1, xs)") == "not-consumable ");
  CHECK(ids(start + "(u, xs with [0] = 1)") == "not-consumable ");
  CHECK(ids("def f (y: []i32) = loop (x: *[]i32) = y for i < 3 do x") == "not-consumable ");
  // Its result may be what it began with.
  CHECK(ids("def f (arr: []i32) : *[]i32 = "
            "loop (xs: *[]i32) = arr while length xs > 1 do filter (> 1) xs") == "return-aliased ");
}
