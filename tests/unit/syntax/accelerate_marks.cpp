// `#[accelerate]`, its options, and what it may stand before; `#[parallel]`.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::syntax;
using sinter::syntax::test::declarations;
using sinter::syntax::test::errors;
using sinter::syntax::test::Parsed;

namespace {

/// The mark of `#[…] x`, as text.
std::string mark_of(const std::string& attribute) {
  Parsed parsed;
  const Expr* expr = parse_expression(parsed.sources, parsed.add("#[" + attribute + "] x"),
                                      parsed.ast, parsed.diagnostics);
  CHECK(parsed.errors() == "");
  REQUIRE(expr);
  return text(std::get<AttributedExpr>(expr->node).mark);
}

} // namespace

TEST_CASE("a mark has a device, a preference, or both") {
  CHECK(mark_of("accelerate") == "#[accelerate]");
  CHECK(mark_of("accelerate(any)") == "#[accelerate]");
  CHECK(mark_of("accelerate(cpu)") == "#[accelerate(cpu)]");
  CHECK(mark_of("accelerate(gpu)") == "#[accelerate(gpu)]");
  CHECK(mark_of("accelerate(prefer)") == "#[accelerate(prefer)]");
  CHECK(mark_of("accelerate(any, prefer)") == "#[accelerate(prefer)]");
  CHECK(mark_of("accelerate(gpu, prefer)") == "#[accelerate(gpu, prefer)]");
  CHECK(mark_of("accelerate(prefer, cpu)") == "#[accelerate(cpu, prefer)]");
}

TEST_CASE("anything else in a mark is an error, with its place and what may stand there") {
  CHECK(errors("def f x = #[accelerate(gpu, fast)] x") ==
        "test.fut:1:29: error: `fast` is no option of `#[accelerate]` [accelerate-option]\n"
        " 1 | def f x = #[accelerate(gpu, fast)] x\n"
        "   |                             ^^^^\n"
        "hint: a mark takes a device (`cpu`, `gpu` or `any`), `prefer`, or both: "
        "`#[accelerate(gpu, prefer)]`\n");
  for (const char* options : {"()", "(1)", "(\"gpu\")", "(gpu(0))", "(prefer())", "(cpu, gpu)",
                              "(gpu, gpu)", "(prefer, prefer)", "(GPU)"}) {
    CAPTURE(options);
    const std::string said = errors("def f x = #[accelerate" + std::string(options) + "] x");
    CHECK(said.find("[accelerate-option]") != std::string::npos);
  }
  CHECK(errors("def f x = #[other(nonsense)] x") == "");
}

TEST_CASE("a definition that is marked marks its body, and so each call") {
  CHECK(declarations("#[accelerate(cpu)] def f x = x") == "(def f x = (#accelerate( cpu ) x))");
  CHECK(declarations("#[accelerate] entry f x = x") == "(entry f x = (#accelerate x))");
  CHECK(declarations("#[inline] #[accelerate] local def f x = x") ==
        "#inline (local (def f x = (#accelerate x)))");
  CHECK(declarations("#[accelerate] def f = (\\x -> \\y -> x)") ==
        "(def f = (paren (lambda x (lambda y (#accelerate x)))))");
  for (const char* text :
       {"#[accelerate] type t = i32", "#[accelerate] module m = {}", "#[accelerate] open {}"}) {
    CAPTURE(text);
    CHECK(errors(text).find("nothing that can be marked") != std::string::npos);
  }
}

TEST_CASE("a file knows its marks") {
  Parsed parsed;
  const FileId id =
      parsed.add("#[accelerate] def f x = x\n"
                 "module m = { def g x = 1 + #[accelerate(cpu)] (x + #[unsafe] 1) }\n");
  const File file = parse_file(parsed.sources, id, parsed.ast, parsed.diagnostics);
  REQUIRE(file.marks.size() == 2);
  CHECK(parsed.sources.text(file.marks[0]) == "#[accelerate]");
  CHECK(parsed.sources.text(file.marks[1]) == "#[accelerate(cpu)]");
}

TEST_CASE("#[parallel] marks counted loops, through brackets and other attributes, and no more") {
  for (const char* text : {"def f n = #[parallel] loop x = 0 for i < n do x + i",
                           "def f xs = #[parallel] #[unroll] (loop x = 0 for y in xs do x + y)",
                           "def f n = #[parallel] #[accelerate] (loop x = 0 for i < n do x + i)"}) {
    CAPTURE(text);
    CHECK(errors(text) == "");
  }
  for (const char* text : {"def f n = #[parallel] loop x = n while x > 0 do x - 1",
                           "def f n = #[parallel] (1 + loop x = 0 for i < n do x + i)",
                           "def f n = #[parallel] let m = n in loop x = 0 for i < m do x + i",
                           "def f n = #[parallel(fast)] loop x = 0 for i < n do x + i",
                           "def f n = #[parallel()] loop x = 0 for i < n do x + i",
                           "#[parallel] def f n = loop x = 0 for i < n do x + i"}) {
    CAPTURE(text);
    CHECK(errors(text).find("[parallel-mark]") != std::string::npos);
  }
  Parsed parsed;
  const FileId id = parsed.add("def f n = 1 + (#[parallel] loop x = 0 for i < n do x + i)\n");
  const File file = parse_file(parsed.sources, id, parsed.ast, parsed.diagnostics);
  REQUIRE(file.marks.size() == 1);
  CHECK(parsed.sources.text(file.marks[0]) == "#[parallel]");
}
