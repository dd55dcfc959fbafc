#include "repl/kernel/cell.h"

#include <doctest/doctest.h>

using namespace sinter::repl;

namespace {

std::vector<std::string> texts(std::string_view cell) {
  std::vector<std::string> found;
  for (const CellInput& input : split_cell(cell))
    found.push_back(input.text);
  return found;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a cell is cut where lines are not indented") {
  CHECK(texts("1\n2") == Texts{"1", "2"});
  CHECK(texts("f\n  2\n3") == Texts{"f\n  2", "3"});
  CHECK(texts("def f x =\n  x\n\ndef g = f") == Texts{"def f x =\n  x", "def g = f"});
  CHECK(texts("  1 +\n  2") == Texts{"  1 +\n  2"});
  CHECK(texts("\n\n").empty());
}

TEST_CASE("what is unfinished goes on") {
  CHECK(texts("module m = {\ndef a = 1\ndef b = 2\n}\nm.a") ==
        Texts{"module m = {\ndef a = 1\ndef b = 2\n}", "m.a"});
  CHECK(texts("let x = 1\nin x + 1") == Texts{"let x = 1\nin x + 1"});
  CHECK(texts("if true then 1\nelse 2\n3") == Texts{"if true then 1\nelse 2", "3"});
  CHECK(texts("iota 3\n|> map (+ 1)") == Texts{"iota 3\n|> map (+ 1)"});
  CHECK(texts("match 1\ncase 1 -> 2\ncase _ -> 3") == Texts{"match 1\ncase 1 -> 2\ncase _ -> 3"});
  CHECK(texts("def f =\n\n1") == Texts{"def f =\n\n1"});
  CHECK(texts("-1\n-2") == Texts{"-1", "-2"});
}

TEST_CASE("comments belong to what follows, and alone are nothing") {
  CHECK(texts("-- | Doc.\ndef f = 1\n-- end") == Texts{"-- | Doc.\ndef f = 1"});
  CHECK(texts("1\n-- two\n2").size() == 2);
  CHECK(texts("-- nothing").empty());
}

TEST_CASE("commands take a line, and the indented lines after it") {
  CHECK(texts(":type 1\n:type 2") == Texts{":type 1", ":type 2"});
  CHECK(texts(":plot map f\n  xs\n\n  1\n2") == Texts{":plot map f\n  xs", "  1", "2"});
  CHECK(texts("(1,\n:type 1") == Texts{"(1,", ":type 1"});
}

TEST_CASE("an input knows its line") {
  std::vector<CellInput> inputs = split_cell("1\n\n\n2\n:type 3\n4");
  REQUIRE(inputs.size() == 4);
  CHECK(inputs[1].line == 3);
  CHECK(inputs[2].line == 4);
  CHECK(inputs[3].line == 5);
}

TEST_CASE("Enter gives a line to what is unfinished") {
  CHECK(is_unfinished("def f x ="));
  CHECK(is_unfinished("1\n(2,"));
  CHECK(is_unfinished("-- | What f does."));
  CHECK_FALSE(is_unfinished("1 + 1"));
  CHECK_FALSE(is_unfinished(""));
  CHECK_FALSE(is_unfinished(":load"));
  CHECK_FALSE(is_unfinished("1 +)"));
}
