// A session that lets go what nothing needs any more goes on as if nothing had happened.
#include "repl/session/session.h"
#include "tests/unit/repl/outcome_values.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

using namespace sinter;
using repl::Outcome;
using repl::Session;
using repl::SessionOptions;
using tests::integer;

namespace {

/// Every input begins a new program state.
SessionOptions forgetful() {
  SessionOptions options;
  options.renewal_interval = 0;
  return options;
}

/// The seconds of this thread's processor that an input takes: the least that ten out of a hundred
/// take, each.
double seconds_of(Session& session, const std::function<std::string(int)>& input) {
  double least = 1;
  for (int batch = 0; batch < 10; ++batch) {
    auto now = [] {
      timespec time{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double begin = now();
    for (int i = 0; i < 10; ++i)
      REQUIRE(session.submit(input(10 * batch + i)).ok());
    least = std::min(least, (now() - begin) / 10);
  }
  return least;
}

} // namespace

TEST_CASE("fields are seen in the order of their source, in later program states too") {
  Session session(forgetful());
  REQUIRE(session.submit("let point = {y = 1i32, x = 2i32, inner = ({q = 1i32, p = 2i32}, 3i32)}")
              .ok());
  for (int i = 0; i < 3; ++i)
    REQUIRE(session.submit(std::to_string(i)).ok());
  const Outcome outcome = session.submit("point");
  CHECK(outcome.type_text == "{y: i32, x: i32, inner: ({q: i32, p: i32}, i32)}");
  CHECK(print_value(outcome.value, outcome.representation, SIZE_MAX, outcome.order) ==
        "{y = 1i32, x = 2i32, inner = ({q = 1i32, p = 2i32}, 3i32)}");
  // It is no part of the type.
  CHECK(session.submit("[point, {inner = ({p = 0, q = 1}, 2), x = 3, y = 4}]").ok());
}

TEST_CASE("an input takes as long as the first ones did, however much is defined") {
  Session session;
  auto numbered = [](const std::string& name, int i, const std::string& rest) {
    return "def " + name + std::to_string(i) + rest;
  };
  const auto fresh = [&](int i) { return numbered("fresh", i, " = " + std::to_string(i)); };
  const auto redefined = [&](int i) { return numbered("f", i % 5, " (x: i64) = x + 1i64"); };
  const auto used = [&](int i) { return numbered("g", i % 5, " = f0 1 + " + std::to_string(i)); };
  const auto expression = [](int i) { return std::to_string(i) + " + 1i64"; };
  const std::array<std::function<std::string(int)>, 4> kinds = {fresh, redefined, used, expression};
  const auto times = [&] {
    std::array<double, 4> each{};
    for (int again = 0; again < 2; ++again) // now each of them has dependants
      for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        each[kind] = seconds_of(session, kinds[kind]);
    return each;
  };
  int defined = 0;
  const auto define_until = [&](int count) {
    for (; defined < count; ++defined) {
      // Each uses the one before; some mean nothing any more.
      const std::string before = defined == 0 ? "0i64" : "v" + std::to_string(defined - 1);
      REQUIRE(session.submit(numbered("v", defined, " = " + before + " + 1")).ok());
      if (defined % 3 == 0) REQUIRE(session.submit(redefined(defined)).ok());
      if (defined % 3 == 1) REQUIRE(session.submit(expression(defined)).ok());
    }
  };
  // Not from nothing on: what the first few inputs touch lies in the nearest cache, what a thousand
  // have left does not, which alone made up to four times of it.
  define_until(1000);
  const std::array<double, 4> first = times();
  define_until(6000);
  const std::array<double, 4> later = times();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    CAPTURE(kind);
    CHECK(later[kind] < 3 * first[kind]);
  }
  CHECK(integer(session.submit("v5999")) == 6000);
}

TEST_CASE("definitions and results outlive a program state") {
  Session session(forgetful());
  for (const char* input : {"type pair = {x: i64, y: i64}", "def f (p: pair) = p.x + p.y",
                            "module m = {def k = 3i64 def scale (v: i64) = v * k}", "open m",
                            "def polymorphic 'a (x: a) = x", "def xs = map (+ k) [1, 2]",
                            "def (+++) (a: i64) b = a - b"})
    REQUIRE(session.submit(input).messages == "");
  CHECK(integer(session.submit("f {x = 40, y = 2}")) == 42);
  CHECK(integer(session.submit("it + 1")) == 43);
  CHECK(integer(session.submit("it1 + scale 2")) == 48);
  CHECK(integer(session.submit("polymorphic (xs[1])")) == 5);
  CHECK(integer(session.submit("9 +++ it1 : i64")) == -33);
  CHECK(session.submit("\\x -> x + it1").ok());
  CHECK(integer(session.submit("it 1")) == 43);
  CHECK(integer(session.submit("it6 2")) == 44);
  CHECK(session.submit("#some it1 : #some i64 | #none").type_text == "#none | #some i64");
  CHECK(integer(session.submit("match it case #some x -> x case #none -> 0")) == 42);
}

TEST_CASE("dependants of definitions from a former program state follow") {
  Session session(forgetful());
  REQUIRE(session.submit("def f (x: i64) = x + 1").ok());
  REQUIRE(session.submit("def g (x: i64) = f x * 10").ok());
  REQUIRE(session.submit("def kept = g 1").ok());
  CHECK(integer(session.submit("kept")) == 20);
  CHECK(session.submit("def f (x: i64) = x + 2").messages ==
        "remark: `g` and `kept` use the new `f`\n");
  CHECK(integer(session.submit("it")) == 20);
  CHECK(integer(session.submit("kept")) == 30);
  CHECK(session.submit("def f (x: bool) = x").ok()); // `g` stays as it was
  CHECK(integer(session.submit("g 2")) == 40);
  CHECK(session.dependencies().meaning({repl::NameSpace::Values, "f"})->name == "f");
}

TEST_CASE("changes before a new program state can be taken back") {
  Session session(forgetful());
  REQUIRE(session.submit("def a = 1i64").ok());
  REQUIRE(session.submit("def b = a + 1").ok());
  CHECK(integer(session.submit("b")) == 2);
  REQUIRE(session.submit("def a = 10i64").ok());
  CHECK(integer(session.submit("b")) == 11);
  CHECK(session.undo().messages == "undone: b\n");
  CHECK(session.undo().messages == "undone: def a = 10i64\n");
  CHECK(integer(session.submit("b")) == 2);
  session.clear();
  CHECK(!session.submit("b").ok());
  CHECK(session.undo().ok());
  CHECK(integer(session.submit("b + it1")) == 4);
}

TEST_CASE("each definition keeps the version of a file that it was made with") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("a.fut", "import \"lib\"\ndef two = one + 1\n");
  folder.write("lib.fut", "def one = 1i64\n");
  Session session(forgetful());
  REQUIRE(session.load(file).ok());
  REQUIRE(session.submit("def three = two + one").ok());
  CHECK(integer(session.submit("three")) == 3);
  // What is on disk counts when it is loaded.
  folder.write("lib.fut", "def one = 100i64\n");
  CHECK(integer(session.submit("two")) == 2);
  CHECK(integer(session.submit("three")) == 3);
  REQUIRE(session.load(file).messages == "");
  CHECK(integer(session.submit("two")) == 101);
  CHECK(integer(session.submit("three")) == 201);
  std::filesystem::remove(folder.path() / "lib.fut");
  CHECK(integer(session.submit("three + one")) == 301);
  for (int i = 0; i < 3; ++i)
    CHECK(session.undo().ok());
  CHECK(session.undo().messages == "undone: loading " + file + "\n");
  CHECK(integer(session.submit("two")) == 2);
}

TEST_CASE("what was computed is not computed again") {
  std::string traced;
  SessionOptions options = forgetful();
  options.trace = [&](const std::string& text) { traced += text + "\n"; };
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("t.fut", "def slow = #[trace(file)] (1i64 + 1)\n");
  Session session(options);
  REQUIRE(session.load(file).ok());
  REQUIRE(session.submit("def own = #[trace(own)] (2i64 + 1)").ok());
  CHECK(integer(session.submit("slow + own")) == 5);
  const std::string once = traced;
  CHECK(once != "");
  CHECK(integer(session.submit("slow + own")) == 5);
  CHECK(integer(session.submit("slow * own")) == 6);
  CHECK(traced == once);
}

TEST_CASE("values that were given from outside outlive a program state") {
  Session session(forgetful());
  Outcome outcome = session.submit("[[1, 2], [3, 4i64]]");
  REQUIRE(session.define("data", outcome.value, outcome.representation).ok());
  CHECK(integer(session.submit("data[1, 0]")) == 3);
  CHECK(session.forget("data").ok());
  CHECK(!session.submit("data").ok());
}

TEST_CASE("each of these inputs begins a program state") {
  Session session(forgetful());
  for (const char* input : {"def f x = x + 1i64", "f 1", "\\y -> f y", "it 1", "{a = it, b = [1]}",
                            "undefined", "module m = {type t = i64}", "def g (x: m.t) = x"}) {
    // The next one is there before the last one goes.
    const check::Checker* before = &session.checker();
    (void)session.submit(input);
    CHECK(&session.checker() != before);
  }
}

TEST_CASE("texts that nothing needs go") {
  SessionOptions options;
  options.renewal_interval = 50;
  options.result_limit = 5;
  Session session(options);
  std::size_t most = 0;
  for (int i = 0; i < 400; ++i) {
    REQUIRE(session
                .submit(i % 2   ? "def f (x: i64) = x + " + std::to_string(i)
                        : i % 4 ? "it + 1i64"
                                : std::to_string(i) + "i64")
                .ok());
    if (i == 200) most = session.sources().size();
  }
  CHECK(session.sources().size() <= most + 250);
}
