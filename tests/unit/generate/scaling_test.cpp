// Programs whose checking must not take longer than reading them suggests: no stack overflow, no
// exponential types.  The limit is generous: a slow machine stays below it, a quadratic or
// exponential algorithm does not.
#include "checking.h"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>

using namespace sinter;
using namespace sinter::tests;

namespace {

std::string times(std::size_t count, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += part(i);
  return text;
}

/// Sanitizers make everything several times as slow; what is exponential they can't hide.
#ifdef __SANITIZE_ADDRESS__
constexpr double most_seconds = 20;
#else
constexpr double most_seconds = 2;
#endif

/// Checks the program, which must not take long; the ids of its errors.
std::set<std::string> errors_of(const std::string& text) {
  Bench bench;
  auto start = std::chrono::steady_clock::now();
  Bench::Checked checked = bench.check(text);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(seconds < most_seconds);
  CAPTURE(checked.messages.substr(0, 1000));
  CHECK(checked.messages.size() < 200000);
  MESSAGE(seconds << " s");
  return checked.errors;
}

using Ids = std::set<std::string>;

std::string number(std::size_t i) {
  return std::to_string(i);
}

} // namespace

TEST_CASE("1,900 bindings in a row") {
  CHECK(errors_of("def f (v0: i32) =\n" +
                  times(1900,
                        [](std::size_t i) {
                          return "  let v" + number(i + 1) + " = v" + number(i) + " + 1i32\n";
                        }) +
                  "  in v1900\n") == Ids{});
}

TEST_CASE("nesting up to the parser's limit and beyond") {
  for (std::size_t depth : {100, 400, 5000}) {
    CAPTURE(depth);
    auto repeat = [&](const char* text) { return times(depth, [&](std::size_t) { return text; }); };
    Ids allowed{"nesting-too-deep"};
    for (const std::string& program :
         {"def f (x: i32) = " + repeat("(1 + ") + "x" + repeat(")"),
          "def f (x: i32) = " + repeat("[") + "x" + repeat("]"),
          "def f (x: i32) = " + repeat("if true then ") + "x" + repeat(" else x"),
          "def f (x: i32) = " + repeat("(\\y -> y) (") + "x" + repeat(")"),
          "def f (x: i32) = " + repeat("(x, ") + "x" + repeat(")"),
          "def f (x: " + repeat("[1]") + "i32) = x"}) {
      Ids found = errors_of(program + "\n");
      found.erase("nesting-too-deep");
      CHECK(found == Ids{});
    }
  }
}

TEST_CASE("a type that doubles with each binding") {
  auto doubling = [](std::size_t count, const std::string& end) {
    return "def f (x0: i32) =\n" +
           times(count,
                 [](std::size_t i) {
                   return "  let x" + number(i + 1) + " = (x" + number(i) + ", x" + number(i) +
                          ")\n";
                 }) +
           "  in " + end + "\n";
  };
  CHECK(errors_of(doubling(40, "0i32")) == Ids{});
  CHECK(errors_of(doubling(40, "x40")) == Ids{});
  CHECK(errors_of(doubling(40, "x40 + 1i32")) == Ids{"type-mismatch"});
  CHECK(errors_of(doubling(40, "if true then x40 else x40")) == Ids{});
}

TEST_CASE("a record of 1,000 fields") {
  CHECK(errors_of("def r = {" +
                  times(1000,
                        [](std::size_t i) {
                          return (i ? ", a" : "a") + number(i) + " = " + number(i) + "i32";
                        }) +
                  "}\n" + times(200, [](std::size_t i) {
                    return "def x" + number(i) + " = r.a" + number(i) + "\n";
                  })) == Ids{});
}

TEST_CASE("a match with 2,000 cases") {
  CHECK(errors_of("def f (x: i32) : i32 = match x\n" +
                  times(2000,
                        [](std::size_t i) {
                          return "  case " + number(i) + " -> " + number(i + 1) + "\n";
                        }) +
                  "  case _ -> 0\n") == Ids{});
  CHECK(errors_of("def f (x: i32) : i32 = match x\n" + times(2000, [](std::size_t i) {
                    return "  case " + number(i) + " -> " + number(i + 1) + "\n";
                  })) == Ids{"unmatched-cases"});
}

TEST_CASE("a match on a tuple of many truth values") {
  CHECK(errors_of("def f (x: (" +
                  times(16, [](std::size_t i) { return std::string(i ? ", bool" : "bool"); }) +
                  ")) : i32 = match x\n" +
                  times(16,
                        [](std::size_t row) {
                          return "  case (" +
                                 times(16,
                                       [&](std::size_t i) {
                                         return std::string(i ? ", " : "") +
                                                (i == row ? "true" : "_");
                                       }) +
                                 ") -> " + number(row) + "\n";
                        }) +
                  "  case _ -> 99\n") == Ids{});
}

TEST_CASE("5,000 declarations") {
  CHECK(errors_of("def f0 (x: i32) = x\n" + times(5000, [](std::size_t i) {
                    return "def f" + number(i + 1) + " (x: i32) = f" + number(i) + " x + 1\n";
                  })) == Ids{});
}

TEST_CASE("an array of 20,000 elements and a chain of 2,000 operators") {
  CHECK(errors_of("def xs : []i32 = [" +
                  times(20000, [](std::size_t i) { return (i ? ", " : "") + number(i); }) +
                  "]\n") == Ids{});
  Ids found = errors_of("def f (x: i32) = x" +
                        times(2000, [](std::size_t i) { return " + " + number(i); }) + "\n");
  found.erase("nesting-too-deep");
  CHECK(found == Ids{});
}

TEST_CASE("20,000 cases of a match") {
  CHECK(errors_of("def f (x: i64): i64 = match x\n" +
                  times(20'000, [](std::size_t i) { return "  case " + number(i) + " -> 1\n"; }) +
                  "  case _ -> 0\n") == Ids{});
  CHECK(errors_of("def f (x: i64): i64 = match x\n" + times(20'000, [](std::size_t i) {
                    return "  case " + number(i) + " -> 1\n";
                  })) == Ids{"unmatched-cases"});
  // Each case leaves the other column open.
  CHECK(errors_of("def f (x: i64) (y: i64): i64 = match (x, y)\n" +
                  times(5'000,
                        [](std::size_t i) {
                          return "  case (" + number(i) + ", _) -> 1\n  case (_, " + number(i) +
                                 ") -> 2\n";
                        }) +
                  "  case _ -> 0\n") == Ids{});
}

TEST_CASE("a type of 9,000 fields") {
  CHECK(errors_of("type t = {" +
                  times(9'000,
                        [](std::size_t i) { return (i > 0 ? ", f" : "f") + number(i) + ": i64"; }) +
                  "}\n") == Ids{});
}
