#include "repl/session/completion.h"

#include "repl/session/session.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>

using namespace sinter;
using repl::complete_names;
using repl::Completions;
using repl::last_word;

namespace {

using Texts = std::vector<std::string>;

Texts texts(const Completions& completions) {
  Texts found;
  for (const repl::Completion& item : completions.items)
    found.push_back(item.text);
  return found;
}

Texts complete(const repl::Session& session, std::string_view text) {
  return texts(session.complete(text));
}

} // namespace

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
  CHECK(texts(complete_names(inner, outer, "1 + me")) == Texts{"mean"});
  CHECK(texts(complete_names(inner, outer, "ma")) == Texts{"map", "match"});
  CHECK(texts(complete_names(inner, outer, "it")).empty());
  CHECK(texts(complete_names(inner, outer, "")).empty());
}

TEST_CASE("after a module's name and a dot come its members, qualified") {
  types::Variable variable;
  check::Environment members;
  members.values["sqrt"] = &variable;
  members.values["sin"] = &variable;
  check::Module module(members, 0);
  check::Environment outer, inner;
  outer.modules["f32"] = &module;
  Completions found = complete_names(inner, outer, "map f32.s");
  CHECK(found.begin == 4);
  CHECK(texts(found) == Texts{"f32.sin", "f32.sqrt"});
  CHECK(texts(complete_names(inner, outer, "f3")) == Texts{"f32"});
  CHECK(complete_names(inner, outer, "nothing.s").items.empty());
}

TEST_CASE("types stand beside names") {
  repl::Session session;
  REQUIRE(session.submit("def squared (x: f64) = x * x").ok());
  Completions found = session.complete("2 * squa");
  REQUIRE(found.items.size() == 1);
  CHECK(found.items[0].detail == "f64 -> f64");
  CHECK(found.begin == 4);
}

TEST_CASE("after a record's name and a dot come its fields, at any depth") {
  repl::Session session;
  REQUIRE(session.submit("let r = {name = 1u8, near = {x = 1f32, y = 2i64}}").ok());
  CHECK(complete(session, "r.n") == Texts{"r.name", "r.near"});
  CHECK(complete(session, "1 + r.near.") == Texts{"r.near.x", "r.near.y"});
  CHECK(session.complete("r.near.y").items.front().detail == "i64");
  CHECK(complete(session, "r.name.").empty());
  CHECK(complete(session, "r.near.x.y.").empty());
}

TEST_CASE("after # come constructors with their payloads") {
  repl::Session session;
  REQUIRE(session.submit("type shape = #circle f64 | #corner f64 f64 | #point").ok());
  REQUIRE(session.submit("def f (x: #cube i32) = 1").ok());
  Completions found = session.complete("match s case #c");
  CHECK(texts(found) == Texts{"#circle", "#corner", "#cube"});
  CHECK(found.begin == 13);
  CHECK(found.items[1].detail == "f64 f64");
  CHECK(complete(session, "#p") == Texts{"#point"});
}

TEST_CASE("words of the input itself may be names that it binds") {
  repl::Session session;
  CHECK(complete(session, "def f (velocity: f64) = velo") == Texts{"velocity"});
  CHECK(complete(session, "velo").empty());
}

TEST_CASE("there are no names in comments; strings name files") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "inner");
  folder.write("imported.fut", "def x = 1");
  folder.write("image.png", "");
  folder.write(".hidden", "");
  repl::Session session;
  CHECK(complete(session, "1 -- ma").empty());
  CHECK_FALSE(complete(session, "1 -- x\n + ma").empty());
  std::string start = folder.path().string() + "/";
  CHECK(complete(session, "x \"" + start + "i") ==
        Texts{start + "image.png", start + "imported.fut", start + "inner/"});
  CHECK(complete(session, "import \"" + start + "im") == Texts{start + "imported"});
  CHECK(complete(session, "import \"sinter/s") == Texts{"sinter/sequence", "sinter/sort",
                                                        "sinter/statistics", "sinter/stencil",
                                                        "sinter/stream"});
  CHECK(complete(session, "x \"" + start).size() == 3);
}
