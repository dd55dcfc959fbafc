// What type errors look like.  One golden text for each kind; the caret lines are the renderer's.
#include "lang/check/checker.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// All errors of a program, one a line: "id: message".
std::string errors_of(const std::string& program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut", program, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      text += std::string(diagnostic.id) + ": " + diagnostic.message + "\n";
  return text;
}

} // namespace

TEST_CASE("mismatches say what was expected and found") {
  CHECK(errors_of("def f = 1i32 + 2f32") == "type-mismatch: Cannot apply \"+\" to \"2f32\" "
                                            "(invalid type): expected \"i32\", found \"f32\"\n");
  CHECK(errors_of("def f (x: i32): bool = x") ==
        "type-mismatch: Function body does not have expected type: expected \"bool\", found "
        "\"i32\"\n");
  CHECK(errors_of("def f = 1.5 : i32") ==
        "type-mismatch: Expression does not have expected type from type ascription: expected "
        "\"i32\", found \"float\"\n");
  CHECK(errors_of("def f b = if b then 1i32 else true") ==
        "type-mismatch: Branches differ in type: former \"i32\", latter \"bool\"\n");
  CHECK(errors_of("def f = [1i32, true]") ==
        "type-mismatch: array element differs in type: expected \"i32\", found \"bool\"\n");
  CHECK(errors_of("def f = let (a, b) = (1i32, 2i32, 3i32) in a") ==
        "type-mismatch: pattern \"(a, b)\" of type \"(t₀, t₁)\" cannot match value of type \"(i32, "
        "i32, i32)\"\n");
  CHECK(errors_of("def f = 1 2") == "not-a-function: Cannot apply expression as function, as it "
                                    "has non-function type: \"number\"\n");
  CHECK(errors_of("def g x = x + 1i32\ndef f = g 1 2") ==
        "too-many-arguments: Cannot apply \"g\" to \"2\": function accepts only 1 argument\n");
  CHECK(errors_of("def f x = x x").starts_with("occurs-check: Occurs check"));
}

TEST_CASE("several errors are reported in one run") {
  CHECK(errors_of("def f = 1i32 + true\ndef g = 2i32 + false\ndef h = f + g") ==
        "type-mismatch: Cannot apply \"+\" to \"true\" (invalid type): expected \"i32\", found "
        "\"bool\"\n"
        "type-mismatch: Cannot apply \"+\" to \"false\" (invalid type): expected \"i32\", found "
        "\"bool\"\n");
}

TEST_CASE("records and sums") {
  CHECK(errors_of("def f = {x = 1, y = 2}.z").starts_with("unknown-field: no field \"z\""));
  CHECK(errors_of("def f p = p.x").starts_with("ambiguous-type: Type is ambiguous"));
  CHECK(errors_of("def f = {x = 1, x = 2}") ==
        "duplicate-field: field \"x\" previously defined in the same record\n");
  CHECK(errors_of("type t = #a | #b\ndef f (x: t) = match x case #a -> 1") ==
        "unmatched-cases: Unmatched cases in match expression: #b\n");
  CHECK(errors_of("def f (x: (bool, i32)) = match x case (true, _) -> 1 case (_, 2) -> 3") ==
        "unmatched-cases: Unmatched cases in match expression: (false, _)\n");
  CHECK(errors_of("def f (x: i32) = match x case 1 -> 2 case 2 -> 3") ==
        "unmatched-cases: Unmatched cases in match expression: _\n");
  CHECK(errors_of("def f 1 = 2").starts_with("refutable-pattern: "));
}

TEST_CASE("exhaustive matches are accepted") {
  CHECK(errors_of("def f (x: (bool, bool)) = match x case (true, _) -> 1 case (_, true) -> 2 "
                  "case (false, false) -> 3") == "");
  CHECK(errors_of("type t = #a (bool) | #b\ndef f (x: t) = match x case #a true -> 1 case #b -> 2 "
                  "case #a false -> 3") == "");
}

TEST_CASE("lifted types") {
  CHECK(errors_of("def f = [\\x -> x + 1i32]").starts_with("functional-type: "));
  CHECK(errors_of("def f (b: bool) = if b then \\x -> x + 1i32 else \\x -> x")
            .starts_with("functional-type: "));
  CHECK(errors_of("def f = map (\\x -> \\y -> x + y + 1i32) [1]").starts_with("functional-type: "));
  CHECK(errors_of("type^ g = i32 -> i32\ndef f (x: []g) = 0")
            .starts_with("lifted-element: Cannot create array"));
  CHECK(errors_of("type g = i32 -> i32").starts_with("lifted-abbreviation: "));
  CHECK(errors_of("type g = []i32").starts_with("lifted-abbreviation: "));
}

TEST_CASE("names") {
  CHECK(errors_of("def f = foo + foo + foo").find("foo") != std::string::npos);
  CHECK(errors_of("def f _x = _x").starts_with("underscore-name: "));
  CHECK(errors_of("def f x x = x").starts_with("duplicate-name: "));
  CHECK(errors_of("type t 'a 'a = (a, a)").starts_with("duplicate-name: "));
  CHECK(errors_of("type t [n] = i32").starts_with("unused-size-parameter: "));
  CHECK(errors_of("type t 'a = (a, a)\ndef f (x: t) = x").starts_with("type-arguments: "));
}

TEST_CASE("literals must fit") {
  CHECK(errors_of("def f: i8 = 128") == "literal-out-of-bounds: Literal 128 out of bounds for "
                                        "inferred type i8\n");
  CHECK(errors_of("def f: i8 = -128") == "");
  CHECK(errors_of("def f: u8 = -4") == "literal-out-of-bounds: Literal -4 out of bounds for "
                                       "inferred type u8\n");
  CHECK(errors_of("def f = 0x80i8") == "");
}

TEST_CASE("equality and recursion") {
  CHECK(errors_of("def f = (\\x -> x + 1i32) == (\\x -> x)").starts_with("no-equality: "));
  CHECK(errors_of("def f 'a (x: a) (y: a) = x == y").starts_with("no-equality: "));
  CHECK(errors_of("def f (n: i64): i64 -> i64 = \\x -> if n == 0 then x else f (n - 1) x")
            .starts_with("recursive-result: "));
  CHECK(errors_of(
            "def f (g: i64 -> i64) (n: i64): i64 = if n == 0 then g 0 else f (\\x -> g x) (n - 1)")
            .starts_with("recursive-argument: "));
}

TEST_CASE("explicitly polymorphic local functions stay rigid") {
  CHECK(errors_of("def f = let g 'a (x: a): a = 1i32 in g 2").starts_with("type-mismatch: "));
  CHECK(errors_of("def f y = let g 'a (x: a) = [x, y] in y").find("scope-violation") !=
        std::string::npos);
}
