// Entry points of every form, and what the outside is told about them.
#include "tests/unit/core/program.h"

#include <doctest/doctest.h>

#include <stdexcept>

using sinter::core::EntryPoint;
using sinter::core::EntryType;
using sinter::tests::resolved;
using sinter::tests::Specialised;

namespace {

std::string described(const EntryPoint& entry) {
  auto text = [](const EntryType& type) {
    return (type.name.empty() ? "" : type.name + ": ") + (type.unique ? "*" : "") + type.text +
           (type.is_transparent ? "" : " (opaque)");
  };
  std::string result;
  for (const EntryType& parameter : entry.parameters)
    result += text(parameter) + " -> ";
  for (std::size_t i = 0; i < entry.results.size(); ++i)
    result += (i > 0 ? ", " : "") + text(entry.results[i]);
  return result;
}

} // namespace

TEST_CASE("entries and main are found, other definitions are not") {
  Specialised program("def f = 1i32\nentry g = 2i32\ndef main = f");
  CHECK(program.specialiser.entry_points(*program.file) == std::vector<std::string>{"g", "main"});
  CHECK_THROWS_AS(program.entry("f"), std::out_of_range);
}

TEST_CASE("parameters and results are described") {
  Specialised program("type pair = {a: i32, b: bool}\n"
                      "entry f [n] (xs: *[n]i32) (p: pair) (k: i64): (*[n]i32, bool, pair) =\n"
                      "  (xs, p.b && k > 0, p)");
  CHECK(described(program.entry("f")) ==
        "xs: *[n]i32 -> p: pair (opaque) -> k: i64 -> *[n]i32, bool, pair (opaque)");
}

TEST_CASE("a constant is a function without parameters") {
  CHECK(resolved("def main = 1i32 + 2") == "main = @main\n"
                                           "@main = (i32.add 1i32 2i32)\n");
}

TEST_CASE("a point-free entry gets its parameters") {
  CHECK(resolved("def main = map2 (f16.+)") ==
        "main %0 {%1 = [0]} %2 = (check #1 {[0] == %1}) (((closure lambda %1!) add) %0! %2!)\n"
        "lambda %0 %1 %2 = (array.map2 %0! %1! %2! : []f16 ^0)\n");
}

TEST_CASE("arguments are checked against their annotations") {
  CHECK(resolved("def main [n] (xs: [n]i32) (ys: [n * 2]i32) (zs: [n]i32) (w: [3]i32) = n") ==
        "main _ {%0 = [0]} _ _ _ = (check #1 {[0] == (i64.mul %0 2i64)}) (check #2 {[0] == %0}) "
        "(check #3 {[0] == 3i64}) %0!\n");
}

TEST_CASE("an expression at a prompt sees what was opened and declared") {
  Specialised program("def f (x: i32) = x * 2");
  auto scope = program.checker.new_prompt_scope();
  program.checker.open_file(*scope, *program.file);
  auto declare = [&](const char* text) {
    auto input =
        sinter::syntax::parse_prompt(program.sources, program.sources.add("<prompt>", text),
                                     program.checker.ast(), program.diagnostics);
    REQUIRE(program.checker.check_declarations(*scope, input.declarations, program.diagnostics));
  };
  auto evaluated = [&](const char* text) {
    auto* expr =
        sinter::syntax::parse_expression(program.sources, program.sources.add("<prompt>", text),
                                         program.checker.ast(), program.diagnostics);
    REQUIRE(program.checker.check_expression(*scope, *expr, program.diagnostics));
    return sinter::core::print(program.specialiser.expression(*scope, *expr));
  };
  declare("def g = f 3");
  CHECK(evaluated("g + 1") == "(i32.add @g 1i32)\n"
                              "@g = (f 3i32)\n"
                              "f %0 = (i32.mul %0! 2i32)\n");
  declare("def f (x: i32) = x * 5");
  CHECK(evaluated("f g") == "(f @g)\n"
                            "f %0 = (i32.mul %0! 5i32)\n"
                            "@g = (f'2 3i32)\n"
                            "f'2 %0 = (i32.mul %0! 2i32)\n");
}
