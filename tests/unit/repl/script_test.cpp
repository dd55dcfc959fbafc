#include "repl/script.h"

#include "repl/futhark_script.h"

#include <doctest/doctest.h>

using sinter::repl::Directive;
using sinter::repl::find_directives;
using sinter::repl::uses_builtins;

TEST_CASE("directives are comment lines that begin with `-- >`") {
  auto found =
      find_directives("def x = 1\n\n-- > x + 1\n\n-- prose > not\n--> neither\n-- > :img e\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "x + 1");
  CHECK(found[0].line == 3);
  CHECK(found[0].column == 6);
  CHECK(found[0].command.empty());
  CHECK(found[1].command == "img");
  CHECK(found[1].text == "e");
}

TEST_CASE("comment lines behind a directive belong to it until the comment ends") {
  auto found = find_directives("-- > f\n--   (1 + 2)\n\n-- text\n-- > g\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].following == std::vector<std::string>{"   (1 + 2)"});
  CHECK(found[1].following.empty());
}

TEST_CASE("an empty directive is no error to find") {
  auto found = find_directives("-- >\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.empty());
}

TEST_CASE("built-ins are told by a dollar sign outside of strings") {
  CHECK(uses_builtins("f ($loaddata \"x\")"));
  CHECK_FALSE(uses_builtins("f \"$loaddata\""));
  CHECK_FALSE(uses_builtins("a $ b"));
}
