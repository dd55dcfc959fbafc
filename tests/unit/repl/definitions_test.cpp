// What new definitions do to old ones, results, and taking back.
#include "repl/session/session.h"
#include "tests/unit/repl/outcome_values.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace sinter;
using repl::Outcome;
using repl::Session;
using tests::integer;

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A program file for as long as it lives.
struct Program {
  tests::TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "program.fut";
  explicit Program(const std::string& text) { write(text); }
  void write(const std::string& text) const { std::ofstream(path) << text; }
};

} // namespace

TEST_CASE("dependants follow, through others too") {
  Session session;
  for (const char* input : {"def f (x: i64) = x + 1", "def g (x: i64) = f x * 10",
                            "def h (x: i64) = g x + 1", "def other (x: i64) = x"})
    REQUIRE(session.submit(input).ok());
  Outcome outcome = session.submit("def f (x: i64) = x + 2");
  CHECK(outcome.messages == "remark: `g` and `h` use the new `f`\n");
  CHECK(integer(session.submit("h 1")) == 31);
}

TEST_CASE("a dependant that does not fit the new definition stays as it was") {
  Session session;
  REQUIRE(session.submit("def f (x: i64) = x + 1").ok());
  REQUIRE(session.submit("def g (x: i64) = f x").ok());
  Outcome outcome = session.submit("def f (x: bool) = x");
  CHECK(outcome.ok());
  CHECK(contains(outcome.messages, "warning: `g` does not fit the new `f`, and stays as it was:"));
  CHECK(contains(outcome.messages, "expected \"bool\""));
  CHECK(integer(session.submit("g 1")) == 2);
  // It follows when it fits again.
  CHECK(contains(session.submit("def f (x: i64) = x + 5").messages, "`g` uses the new `f`"));
  CHECK(integer(session.submit("g 1")) == 6);
}

TEST_CASE("a definition made from an older one of its name does not follow itself") {
  Session session;
  REQUIRE(session.submit("def x = 1i64").ok());
  REQUIRE(session.submit("def y = x").ok());
  Outcome outcome = session.submit("def x = y + 1");
  CHECK(contains(outcome.messages, "`y` still means the old `x`"));
  CHECK(integer(session.submit("x")) == 2);
  CHECK(integer(session.submit("y")) == 1);
}

TEST_CASE("recursive functions are defined anew like others") {
  Session session;
  REQUIRE(session.submit("def f (n: i64) : i64 = if n == 0 then 1 else n * f (n - 1)").ok());
  CHECK(integer(session.submit("f 5")) == 120);
  CHECK(session.submit("def f (n: i64) : i64 = if n == 0 then 0 else n + f (n - 1)").messages ==
        "");
  CHECK(integer(session.submit("f 5")) == 15);
}

TEST_CASE("types and modules are followed too") {
  Session session;
  REQUIRE(session.submit("type t = i32").ok());
  REQUIRE(session.submit("module m = { def k = 2i64 }").ok());
  REQUIRE(session.submit("def f (x: t) = x").ok());
  REQUIRE(session.submit("def g = m.k").ok());
  CHECK(contains(session.submit("type t = bool").messages, "`f` uses the new `t`"));
  CHECK(session.submit("f true").ok());
  CHECK(contains(session.submit("module m = { def k = 3i64 }").messages, "`g` uses the new `m`"));
  CHECK(integer(session.submit("g")) == 3);
}

TEST_CASE("results have numbers, and stay when definitions change") {
  Session session;
  REQUIRE(session.submit("def f (x: i64) = x + 1").ok());
  CHECK(session.submit("f 1").name == "it1");
  CHECK(session.submit("f 2").name == "it2");
  REQUIRE(session.submit("def f (x: i64) = 0i64").ok());
  CHECK(integer(session.submit("it1 * 100 + it2")) == 203);
  CHECK(integer(session.submit("it")) == 203);
}

TEST_CASE("a name that somebody gave is not taken for a result") {
  Session session;
  REQUIRE(session.submit("def it1 = true").ok());
  CHECK(session.submit("5").name == "it");
  CHECK(session.submit("it1").type_text == "bool");
  CHECK(session.submit("it1").name == "it3");
}

TEST_CASE("old results are let go, but not those that a definition uses") {
  repl::SessionOptions options;
  options.result_limit = 3;
  Session session(options);
  REQUIRE(session.submit("replicate 1000 1i64").ok()); // it1
  REQUIRE(session.submit("def kept = i64.sum it1").ok());
  const std::size_t before = session.memory().in_use();
  for (int i = 0; i < 10; ++i)
    REQUIRE(session.submit("replicate 1000 " + std::to_string(i) + "i64").ok());
  CHECK(session.memory().in_use() <= before + 4 * 8192);
  CHECK(integer(session.submit("kept")) == 1000);
  CHECK_FALSE(session.submit("it2").ok());
  CHECK(session.submit("it1[0]").ok());
}

TEST_CASE("large results are let go before the memory is full") {
  repl::SessionOptions options;
  options.max_memory_bytes = 64 << 20;
  Session session(options);
  for (int i = 0; i < 20; ++i) // 10 MB each
    CHECK(session.submit("replicate 1250000 " + std::to_string(i) + "i64").messages == "");
}

TEST_CASE("undo takes back definitions, results and files") {
  Session session;
  REQUIRE(session.submit("def x = 1i64").ok());
  REQUIRE(session.submit("def y = x + 1").ok());
  REQUIRE(session.submit("def x = 10i64").ok());
  CHECK(integer(session.submit("y")) == 11);
  CHECK(session.undo().messages == "undone: y\n");
  CHECK(session.undo().messages == "undone: def x = 10i64\n");
  CHECK(integer(session.submit("y")) == 2);
  CHECK(session.undo().ok());
  CHECK(session.undo().ok());
  CHECK_FALSE(session.submit("y").ok());
  CHECK(session.undo().ok());
  CHECK(session.undo().messages == "error: there is nothing to undo\n");
}

TEST_CASE("values are not computed again after undo") {
  Session session;
  std::size_t traces = 0;
  repl::SessionOptions options;
  options.trace = [&](const std::string&) { ++traces; };
  Session counting(options);
  REQUIRE(counting.submit("#[trace] (1i64 + 1)").ok());
  REQUIRE(counting.submit("def y = 5i64").ok());
  REQUIRE(counting.undo().ok());
  CHECK(integer(counting.submit("it1")) == 2);
  CHECK(traces == 1);
}

TEST_CASE("abstract types survive that the scope is put together anew") {
  Session session;
  REQUIRE(session
              .submit("module m : { type t val make : i64 -> t val get : t -> i64 } = "
                      "{ type t = i64 def make (x: i64) : t = x + 1 def get (x: t) : i64 = x }")
              .ok());
  REQUIRE(session.submit("def v = m.make 1").ok());
  REQUIRE(session.submit("def other = 1").ok());
  REQUIRE(session.undo().ok());
  CHECK(integer(session.submit("m.get v")) == 2);
  CHECK(integer(session.submit("m.get (m.make 5)")) == 6);
}

TEST_CASE("loading keeps the prompt's definitions that fit") {
  Program program("def base = 1i64\ndef only = 7i64\n");
  Session session;
  REQUIRE(session.load(program.path).ok());
  for (const char* input : {"def own = 5i64", "def both = base + own", "def lost = only",
                            "base + 1", "def base = 100i64"})
    REQUIRE(session.submit(input).ok());
  program.write("def base = 2i64\n");
  Outcome outcome = session.load(program.path);
  CHECK(outcome.ok());
  CHECK(contains(outcome.messages, "warning: `lost` does not fit the file, and is dropped:"));
  CHECK(contains(outcome.messages, "remark: `base` means what the file defines\n"));
  CHECK(integer(session.submit("both")) == 7);
  CHECK(integer(session.submit("it1")) == 2); // a result is a value
  CHECK_FALSE(session.submit("lost").ok());
  CHECK_FALSE(session.submit("only").ok());
}

TEST_CASE("a file with errors changes nothing") {
  Program program("def base = 1i64\n");
  Session session;
  REQUIRE(session.load(program.path).ok());
  program.write("def base = true + 1\n");
  CHECK_FALSE(session.load(program.path).ok());
  CHECK(integer(session.submit("base")) == 1);
}

TEST_CASE("values from outside have names; dependants follow them") {
  Session session;
  REQUIRE(session.define("x", "i64", Value(Scalar::of(std::int64_t{5}))).ok());
  REQUIRE(session.submit("def y = x + 1").ok());
  CHECK(integer(session.submit("y")) == 6);
  CHECK(session.define("x", "i64", Value(Scalar::of(std::int64_t{7}))).messages ==
        "remark: `y` uses the new `x`\n");
  CHECK(integer(session.submit("y")) == 8);
  CHECK_FALSE(session.define("z", "nonsense", Value(Scalar::of(std::int64_t{7}))).ok());
  CHECK_FALSE(session.submit("z").ok());
}

TEST_CASE("variables are listed with types, bytes and places") {
  Session session;
  REQUIRE(session.submit("def xs = replicate 1000 1i64").ok());
  REQUIRE(session.submit("def f (x: i64) = x").ok());
  REQUIRE(session.variables().size() == 1);
  CHECK(session.variables()[0].name == "xs");
  CHECK(session.variables()[0].type == "[1000]i64");
  CHECK(session.variables()[0].bytes.value_or(0) >= 8000);
  REQUIRE(session.submit("xs[0]").ok());
  REQUIRE(session.variables().size() == 2);
  CHECK(session.variables()[0].place.starts_with("<prompt>:1:5"));
  CHECK(session.variables()[1].name == "it1");
  CHECK(session.variables()[1].is_result);
}

TEST_CASE("constants are computed when they are defined; one that fails changes nothing") {
  Session session;
  REQUIRE(session.submit("def x = 1i64").ok());
  const Outcome failed = session.submit("def f (y: i64) = y + x\ndef x = [1i64, 2][5]");
  CHECK(failed.kind == Outcome::Kind::RunFailed);
  CHECK(contains(failed.messages, "out of bounds"));
  CHECK_FALSE(session.submit("f 1").ok());
  CHECK(integer(session.submit("x")) == 1);
  // What is not one value is left: functions, and what a type must still be chosen for.
  CHECK(session.submit("def g = \\(i: i64) -> [1i64, 2][i]").ok());
  CHECK(session.submit("def none 't : []t = []").ok());
  CHECK_FALSE(session.submit("g 5").ok());
}

TEST_CASE("forgetting gives memory back, but not from under a definition") {
  Session session;
  REQUIRE(session.submit("replicate 1000000 1i64").ok());
  REQUIRE(session.submit("def n = length it1").ok());
  CHECK(contains(session.forget("it1").messages, "still used"));
  CHECK(session.forget("n").ok());
  CHECK(session.forget("it1").ok());
  CHECK(session.memory().in_use() < 8000000);
  CHECK_FALSE(session.submit("it1").ok());
  CHECK_FALSE(session.forget("nothing").ok());
}
