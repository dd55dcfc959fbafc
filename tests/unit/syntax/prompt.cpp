// What a prompt's input is: declarations, an expression, or only the beginning of one.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

namespace {

std::string read(std::string text) {
  sinter::syntax::test::Parsed p;
  auto input = parse_prompt(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  if (input.incomplete) return "incomplete";
  if (p.diagnostics.has_errors()) return "error";
  if (!input.declarations.empty()) return std::to_string(input.declarations.size()) + " declared";
  return input.expression ? sinter::syntax::test::shape(*input.expression) : "nothing";
}

} // namespace

TEST_CASE("declarations and expressions") {
  CHECK(read("1 + 1") == "(+ 1 1)");
  CHECK(read("def x = 1") == "1 declared");
  CHECK(read("let x = 1") == "1 declared");
  CHECK(read("let x = 1 in x") == "(let x 1 x)");
  CHECK(read("let x = 1 let y = 2 in x") == "(let x 1 (let y 2 x))");
  CHECK(read("let x = 1 let y = 2") == "2 declared");
  CHECK(read("let f x = let y = x in y") == "1 declared");
  CHECK(read("let (a, b) = e in a") == "(let (tuple a b) e a)");
  CHECK(read("#[a] def x = 1\ntype t = i32") == "2 declared");
  CHECK(read("#[a] x + 1") == "(#a (+ x 1))");
  CHECK(read("import \"x\"") == "1 declared");
  CHECK(read("") == "nothing");
  CHECK(read("-- only a comment") == "nothing");
}

TEST_CASE("the beginning of something") {
  for (const char* text : {"(1 +",
                           "1 +",
                           "[1, 2",
                           "f (",
                           "let x = 1 in",
                           "let x =",
                           "if a",
                           "if a then b",
                           "if a then b else",
                           "def f x =",
                           "def f (x: i32",
                           "module m = {",
                           "module m = {\n  def x = 1",
                           "match x",
                           "match x case 1 ->",
                           "loop x = 0 for i < n do",
                           "\\x ->",
                           "#[inline]",
                           "-- | documentation",
                           "type t =",
                           "m.(",
                           "{a = 1,",
                           "x : ",
                           "module type S = {",
                           "def x = [1,\n2,",
                           "let x[0] = 1"})
    CHECK_MESSAGE(read(text) == "incomplete", text);
}

TEST_CASE("what more text cannot mend") {
  for (const char* text : {"1 + )", "def x = )", "def def = 1 +", "let 1 + = 2", "\"abc", "x $ ("})
    CHECK_MESSAGE(read(text) == "error", text);
}

TEST_CASE("an expression must span the text") {
  sinter::syntax::test::Parsed p;
  CHECK(parse_expression(p.sources, p.add("1 then"), p.ast, p.diagnostics) == nullptr);
  CHECK(p.errors() ==
        "test.fut:1:3: error: Unexpected token: 'then', expected an operator or the end of "
        "the expression [unexpected-token]\n"
        " 1 | 1 then\n"
        "   |   ^^^^\n");
}
