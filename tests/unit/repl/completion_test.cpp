#include "repl/completion.h"

#include <doctest/doctest.h>

#include <memory>

using namespace sinter;
using repl::last_word;
using repl::names_starting_with;

TEST_CASE("the last word takes qualifiers and primes, and stops at operators") {
  CHECK(last_word("map (f32.sq") == "f32.sq");
  CHECK(last_word("x+y'") == "y'");
  CHECK(last_word("(") == "");
  CHECK(last_word("m.") == "m.");
}

TEST_CASE("names of both scopes are found once and sorted; hidden and symbolic ones are not") {
  check::Environment outer, inner;
  types::Variable variable;
  outer.values["map"] = &variable;
  outer.values["+"] = &variable;
  inner.values["mean"] = &variable;
  inner.values["map"] = &variable;
  inner.values["it#1"] = &variable;
  CHECK(names_starting_with(inner, outer, "m") == std::vector<std::string>{"map", "mean"});
  CHECK(names_starting_with(inner, outer, "it").empty());
  CHECK(names_starting_with(inner, outer, "") == std::vector<std::string>{"map", "mean"});
}

TEST_CASE("after a module's name and a dot come its members, qualified") {
  types::Variable variable;
  check::Environment members;
  members.values["sqrt"] = &variable;
  members.values["sin"] = &variable;
  check::Module module(members, 0);
  check::Environment outer, inner;
  outer.modules["f32"] = &module;
  CHECK(names_starting_with(inner, outer, "f32.s") ==
        std::vector<std::string>{"f32.sin", "f32.sqrt"});
  CHECK(names_starting_with(inner, outer, "f").front() == "f32");
  CHECK(names_starting_with(inner, outer, "nothing.s").empty());
}
