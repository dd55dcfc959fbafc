#include "repl/text/entries.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

using namespace sinter::repl;

namespace {

std::vector<std::string> texts(std::string_view cell) {
  std::vector<std::string> found;
  for (const Entry& entry : entries_of(cell))
    found.push_back(entry.text);
  return found;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a text is cut where lines are not indented") {
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
  CHECK(texts(":plot map f\n  xs\n\n1\n2") == Texts{":plot map f\n  xs", "1", "2"});
  CHECK(texts("(1,\n:type 1") == Texts{"(1,", ":type 1"});
}

TEST_CASE("an entry knows its line") {
  const std::vector<Entry> entries = entries_of("1\n\n\n2\n:type 3\n4");
  REQUIRE(entries.size() == 4);
  CHECK(entries[1].line == 3);
  CHECK(entries[2].line == 4);
  CHECK(entries[3].line == 5);
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

TEST_CASE("an entry ends where a line cannot go on with it") {
  CHECK(texts("def h (n: i32) =\n  let k = n\n  in (k, k)\n\nh 10") ==
        Texts{"def h (n: i32) =\n  let k = n\n  in (k, k)", "h 10"});
  CHECK(texts("let f (x: i32) =\n  x + 1\nin f 41").size() == 1);
  CHECK(texts("type shape\n= #a\n| #b\n#a : shape").size() == 2);
  CHECK(texts("    1\n    2") == Texts{"    1", "    2"}); // pasted from an indented place
  CHECK(texts("f 1\n\n  2") == Texts{"f 1", "  2"});
}

TEST_CASE("empty lines inside of what is open") {
  CHECK(texts("module m = {\n  def a = 1\n\n\n  def b = 2\n}\nm.b").size() == 2);
  CHECK(texts("(1 +\n\n2)") == Texts{"(1 +\n\n2)"});
  CHECK(texts("(1 +\n\n\n2") == Texts{"(1 +", "2"}); // two give up
  CHECK(texts("def r = (1 +\ndef s = 2") == Texts{"def r = (1 +", "def s = 2"});
}

TEST_CASE("directives are entries") {
  const std::vector<Entry> entries =
      entries_of("def f =\n-- > inside\n  1\n-- > f\n--   + 1\n\n-- prose\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].text == "def f =\n-- > inside\n  1");
  CHECK(entries[1].kind == Entry::Kind::Directive);
  CHECK(entries[1].text == "-- > f\n--   + 1");
  CHECK(entries[1].line == 3);
}

TEST_CASE("line by line, more lines are wanted until an entry has ended") {
  const auto wants_more = [](std::initializer_list<const char*> lines) {
    EntrySplitter splitter;
    for (const char* line : lines)
      splitter.add(line);
    return splitter.wants_more();
  };
  CHECK(wants_more({"(1 +"}));
  CHECK(wants_more({"(1 +", ""}));
  CHECK_FALSE(wants_more({"(1 +", "", ""}));
  CHECK(wants_more({"match x", "case 1 -> 2"}));
  CHECK_FALSE(wants_more({"match x", "case 1 -> 2", ""}));
  CHECK_FALSE(wants_more({"-- a remark"}));
  CHECK(wants_more({"-- | About f."}));
  CHECK_FALSE(wants_more({":type (1"}));
  CHECK(wants_more({"-- > 1"}));
  CHECK_FALSE(wants_more({"-- > 1", ""}));
}

TEST_CASE("long literals are taken apart in one go") {
  std::string text = "def table = [\n";
  // (Otherwise they would be read as many times, each time more of them.)
  constexpr std::size_t rows = is_sanitized ? 5000 : 20'000;
  for (std::size_t i = 0; i < rows; ++i)
    text += "[" + std::to_string(i) + ", 2],\n";
  text += "[0, 0]]\ntable[1]";
  const std::vector<Entry> entries = entries_of(text);
  REQUIRE(entries.size() == 2);
  CHECK(entries[1].text == "table[1]");
  CHECK(entries[1].line == rows + 2);
}
