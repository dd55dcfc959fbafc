// Messages for broken programs, and how much of a file is still read.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

using namespace sinter;
using sinter::syntax::test::errors;
using sinter::syntax::test::Parsed;

TEST_CASE("what was found, what was expected, where") {
  CHECK(errors("def f x = (x + 1\n") ==
        "test.fut:1:17: error: Unexpected end of file, expected an operator, `,` or `)` "
        "[unexpected-token]\n"
        " 1 | def f x = (x + 1\n"
        "   |                 ^\n"
        "test.fut:1:11: note: opened here\n"
        " 1 | def f x = (x + 1\n"
        "   |           ^\n");
  CHECK(errors("def f = 1 +\n\ndef g = 2") ==
        "test.fut:3:1: error: Unexpected \"def\", expected an expression [unexpected-token]\n"
        " 3 | def g = 2\n"
        "   | ^^^\n");
}

TEST_CASE("hints") {
  CHECK(errors("def f x = if x = 1 then 2 else 3") ==
        "test.fut:1:16: error: Unexpected token: '=', expected `then` [unexpected-token]\n"
        " 1 | def f x = if x = 1 then 2 else 3\n"
        "   |                ^\n"
        "hint: equality is written `==`\n");
  CHECK(errors("def f x = if x then 1") ==
        "test.fut:1:22: error: Unexpected end of file, expected `else` [unexpected-token]\n"
        " 1 | def f x = if x then 1\n"
        "   |                      ^\n"
        "hint: an `if` always has an `else` branch\n");
  CHECK(
      errors("def f x =\n  let y = 1\ndef g = 2") ==
      "test.fut:3:1: error: Unexpected \"def\", expected `in` or another `let` [unexpected-token]\n"
      " 3 | def g = 2\n"
      "   | ^^^\n"
      "hint: inside of an expression, `let` is followed by `in` and the value to compute with "
      "it\n");
  CHECK(errors("def loop x = x") ==
        "test.fut:1:5: error: `loop` is a reserved word, expected a name [reserved-name]\n"
        " 1 | def loop x = x\n"
        "   |     ^^^^\n"
        "hint: choose another name, for example `loop_`\n");
  CHECK(errors("def f x = (1..x)") ==
        "test.fut:1:13: error: `..` without the end of the range [incomplete-range]\n"
        " 1 | def f x = (1..x)\n"
        "   |             ^^\n"
        "hint: a range is written `a...b`, `a..<b` or `a..>b`, or `a..b...c` with a second "
        "element\n");
  CHECK(errors("def f x = x[0] [1]") ==
        "test.fut:1:16: error: an element of an array is applied to an array [separate-indices]\n"
        " 1 | def f x = x[0] [1]\n"
        "   |                ^^^\n"
        "hint: several dimensions are indexed in one pair of brackets: `a[i, j]`\n");
  CHECK(errors("entry (a, b) = (1, 2)") ==
        "test.fut:1:7: error: an entry point has one name, not a pattern [pattern-declaration]\n"
        " 1 | entry (a, b) = (1, 2)\n"
        "   |       ^^^^^^\n"
        "hint: define each name on its own\n");
  CHECK(errors("def x ! y = x") == "test.fut:1:7: error: '!' is a prefix operator and cannot be "
                                   "used as infix operator [reserved-name]\n"
                                   " 1 | def x ! y = x\n"
                                   "   |       ^\n"
                                   "hint: longer names such as `!+` are infix operators\n");
  CHECK(errors("def f = f if a then b else c") ==
        "test.fut:1:11: error: Unexpected token: 'if', expected a declaration [unexpected-token]\n"
        " 1 | def f = f if a then b else c\n"
        "   |           ^^\n"
        "hint: an `if` as an argument needs parentheses\n");
  CHECK(errors("x = 1") ==
        "test.fut:1:1: error: Unexpected token: 'x', expected a declaration [unexpected-token]\n"
        " 1 | x = 1\n"
        "   | ^\n"
        "hint: a definition is written `let x = …`\n");
}

TEST_CASE("lexical errors") {
  CHECK(errors("def s = \"abc\ndef t = 1") ==
        "test.fut:1:9: error: string literal without a closing `\"` [unfinished-string]\n"
        " 1 | def s = \"abc\n"
        "   |         ^^^^\n"
        "hint: a string must end on the line that it starts on; a line break is written `\\n`\n");
  CHECK(errors("def x = 1i33") ==
        "test.fut:1:9: error: `i33` is no suffix of this number [invalid-literal]\n"
        " 1 | def x = 1i33\n"
        "   |         ^^^^\n"
        "hint: suffixes are the numeric types, such as `i32`, `u8` or `f64`\n");
  CHECK(errors("def x = $") == "test.fut:1:9: error: unexpected `$` [invalid-character]\n"
                               " 1 | def x = $\n"
                               "   |         ^\n");
  CHECK(errors("def x = \"\\q\"") ==
        "test.fut:1:10: error: unknown escape in a string literal [invalid-literal]\n"
        " 1 | def x = \"\\q\"\n"
        "   |          ^^\n"
        "hint: a backslash itself is written `\\\\`\n");
  CHECK(errors("def \xC3\xA6 = 1") ==
        "test.fut:1:5: error: unexpected `\xC3\xA6` [invalid-character]\n"
        " 1 | def \xC3\xA6 = 1\n"
        "   |     ^\n"
        "hint: names and symbols are written in ASCII\n");
}

TEST_CASE("documentation must document something") {
  CHECK(errors("def x =\n  -- | no\n  1") ==
        "test.fut:2:3: error: documentation that stands before no declaration "
        "[loose-documentation]\n"
        " 2 |   -- | no\n"
        "   |   ^^^^\n"
        "hint: an ordinary comment starts with `--` alone\n");
}

TEST_CASE("several errors in a file are all found, the rest is read") {
  Parsed p;
  auto file = parse_file(p.sources,
                         p.add("def a = 1 + )\n"
                               "def b = 2\n"
                               "def c = f (1 + then) [2, ] {x = }\n"
                               "module m = {\n"
                               "  def d = then\n"
                               "  def e = 5\n"
                               "}\n"
                               "}\n"
                               "let f = 6 else\n"
                               "#[x] let g = 7\n"
                               "type t = {a: , b: i32}\n"
                               "val h : i32\n"
                               "def i = 8\n"),
                         p.ast, p.diagnostics);
  std::string lines;
  for (const Diagnostic& d : p.diagnostics.all())
    lines += std::to_string(p.sources.position(d.span.file, d.span.begin).line) + " ";
  CHECK(lines == "1 3 3 5 8 9 11 12 ");
  std::string shapes;
  for (const auto* declaration : file.declarations)
    shapes += syntax::test::shape(*declaration) + "\n";
  CHECK(shapes == "<error>\n"
                  "(def b = 2)\n"
                  "(def c = (apply f <error> (array 2) <error>))\n"
                  "(module m = { <error> (def e = 5) })\n"
                  "<error>\n"
                  "(let f = 6)\n"
                  "<error>\n"
                  "#x (let g = 7)\n"
                  "(type t = <error>)\n"
                  "<error>\n"
                  "(def i = 8)\n");
}

TEST_CASE("nesting has a limit, wherever it comes from") {
  auto repeat = [](std::string_view part, int n) {
    std::string text;
    for (int i = 0; i < n; ++i)
      text += part;
    return text;
  };
  for (const std::string& text : {
           "def x = " + repeat("(", 100000),
           "def x = " + repeat("(", 100000) + "1" + repeat(")", 100000),
           "def x = " + repeat("[", 100000),
           "def x = " + repeat("- ", 100000) + "1",
           "def x = " + repeat("if a then b else ", 100000) + "1",
           "def x = " + repeat("let y = 1 ", 100000) + "in 1",
           "def x = " + repeat("f <| ", 100000) + "1",
           "def x = " + repeat("\\y -> ", 100000) + "1",
           "def x = " + repeat("1 + ", 100000) + "1",
           "def x = y" + repeat("[0]", 100000),
           "def x = y.0" + repeat(".z", 100000),
           "def x = y" + repeat(" with a = 1", 100000),
           "def x = y" + repeat(" : t", 100000),
           "def x = #[a" + repeat("(a", 100000) + repeat(")", 100000) + "] 1",
           "def x = match a" + repeat(" case 1 -> match a", 100000),
           "def f " + repeat("(", 100000) + " = 1",
           "type t = " + repeat("[n]", 100000) + "i32",
           "type t = " + repeat("* ", 100000) + "i32",
           "type t = " + repeat("a -> ", 100000) + "i32",
           "type t = " + repeat("{a: ", 100000) + "i32",
           repeat("local ", 100000) + "def x = 1",
           repeat("module m = {", 100000),
           "module m = " + repeat("f (", 100000),
           "module m = f" + repeat(" x", 100000),
           "module m = f" + repeat(" : S", 100000),
           "module type S = " + repeat("A -> ", 100000) + "B",
           "module type S = " + repeat("(", 100000) + "B",
           "module type S = " + repeat("{module m : ", 100000) + "B",
           "module type S = A" + repeat(" with t = i32", 100000),
       }) {
    Parsed p;
    parse_file(p.sources, p.add(text), p.ast, p.diagnostics);
    CAPTURE(text.substr(0, 40));
    REQUIRE(p.diagnostics.has_errors());
    CHECK(p.diagnostics.all()[0].id == "nesting-too-deep");
    CHECK(p.diagnostics.error_count() < 5);
  }
  // Wide is not deep.
  CHECK(errors("def x = [" + repeat("1, ", 100000) + "]").empty());
  CHECK(errors("def x = f" + repeat(" 1", 100000)).empty());
  CHECK(errors(repeat("def x = 1 + 2 ", 10000)).empty());
  CHECK(errors("def x = " + repeat("1 + ", 1500) + "1").empty());
}
