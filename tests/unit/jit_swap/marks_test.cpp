// Marked expressions that are looked at before they run.
#include "tests/unit/jit_swap/world.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinter;
using namespace sinter::test;

namespace {

/// What is told of the marks that some entry points reach.
std::vector<jit::MarkReport> reports(World& world, const std::vector<std::string>& entries) {
  jit::MarkQuestion question;
  for (const std::string& entry : entries) {
    const core::Function& function = world.function(entry);
    question.expressions.push_back({function.body, function.frame_size});
  }
  return world.swapper->examine(question);
}

/// What is found wrong with the only mark: "id: message at text", or "".
std::string found(const std::string& text) {
  World world(text, in_mode(jit::Mode::Auto));
  std::string result;
  for (const jit::MarkReport& report : reports(world, {"main"})) {
    if (!report.not_checked.empty()) result += "not checked: " + report.not_checked + "\n";
    for (const jit::MarkFinding& finding : report.findings) {
      if (finding.severity == Severity::Warning) result += "warning ";
      if (finding.severity == Severity::Remark) result += "remark ";
      result +=
          std::string(finding.id) + " at " + std::string(world.sources.text(finding.span)) + "\n";
    }
  }
  return result;
}

std::vector<std::string> names(const std::vector<jit::MarkReport::Function>& functions) {
  std::vector<std::string> result;
  for (const jit::MarkReport::Function& function : functions)
    if (function.name != "lambda") result.push_back(function.name);
  std::ranges::sort(result);
  return result;
}

} // namespace

TEST_CASE("a mark on what can be compiled has nothing to say") {
  CHECK(found("entry main [n] (xs: [n]i64) = #[accelerate] (map (+ 1) xs)\n") == "");
  CHECK(found("entry main [n] (xs: [n]i64) = map (+ 1) xs\n") == "");
}

TEST_CASE("what cannot be traced is an error, or a remark where it is preferred") {
  CHECK(found("entry main [n] (xs: [n]i64) = #[accelerate] (map (\\x -> #[trace] x) xs)\n") ==
        "accelerate-untraceable at #[trace]\n");
  CHECK(
      found("entry main [n] (xs: [n]i64) = #[accelerate(prefer)] (map (\\x -> #[trace] x) xs)\n") ==
      "remark accelerate-untraceable at #[trace]\n");
}

TEST_CASE("what fails whenever it runs is left to the program's own words") {
  CHECK(found("entry main [n] (xs: [n]i64) = #[accelerate] (map (+ 1 / 0) xs)\n") == "");
}

TEST_CASE("a mark without arrays inside") {
  CHECK(found("entry main (x: i64) = #[accelerate] (x * x)\n") ==
        "warning accelerate-nothing at x * x\n");
  CHECK(found("entry main [n] (xs: [n]i64) = #[accelerate] (xs[0] + n)\n") ==
        "warning accelerate-nothing at xs[0] + n\n");
  CHECK(found("entry main (n: i64) = #[accelerate] (i64.sum (iota n))\n") == "");
}

TEST_CASE("functions among the inputs are followed from where they are bound") {
  // A local function, with what it captures.
  CHECK(found("entry main [n] (a: i64) (xs: [n]i64) =\n"
              "  let f x = #[trace] (x + a)\n"
              "  in #[accelerate] (map f xs)\n") == "accelerate-untraceable at #[trace]\n");
  // In a tuple.
  CHECK(found("entry main [n] (xs: [n]i64) =\n"
              "  let (f, g) = (\\(x: i64) -> x, \\(x: i64) -> #[trace] x)\n"
              "  in #[accelerate] (map (\\x -> f (g x)) xs)\n") ==
        "accelerate-untraceable at #[trace]\n");
  // An argument, through two calls.
  const std::string apply =
      "def apply [n] (f: i64 -> i64) (xs: [n]i64) = #[accelerate] (map f xs)\n"
      "def again [n] (f: i64 -> i64) (xs: [n]i64) = apply f xs\n";
  CHECK(found(apply + "entry main [n] (xs: [n]i64) = again (\\x -> x + 1) xs\n") == "");
  CHECK(found(apply + "entry main [n] (xs: [n]i64) = again (\\x -> #[trace] x) xs\n") ==
        "accelerate-untraceable at #[trace]\n");
  // What a function gives.
  CHECK(found("def adder (a: i64) = \\(x: i64) -> #[trace] (x + a)\n"
              "entry main [n] (xs: [n]i64) =\n"
              "  let f = adder 3\n"
              "  in #[accelerate] (map f xs)\n") == "accelerate-untraceable at #[trace]\n");
}

TEST_CASE("each constructor of a sum is tried") {
  const std::string type = "type way = #plain | #shown | #twice i64\n";
  CHECK(found(type +
              "entry main [n] (w: way) (xs: [n]i64) =\n"
              "  #[accelerate] (map (\\x -> match w case #plain -> x case #shown -> #[trace] x\n"
              "                            case #twice y -> x + y) xs)\n") ==
        "accelerate-untraceable at #[trace]\n");
  CHECK(found(type + "entry main [n] (w: way) (xs: [n]i64) =\n"
                     "  #[accelerate] (map (\\x -> match w case #plain -> x case #shown -> 2 * x\n"
                     "                            case #twice y -> x + y) xs)\n") == "");
}

TEST_CASE("a constant with work in it is computed before, however it is made") {
  CHECK(found("def fact (n: i64): i64 = if n <= 1 then 1 else n * fact (n - 1)\n"
              "def table: [3]i64 = map fact [1, 2, 3]\n"
              "entry main [n] (xs: [n]i64) = #[accelerate] (map (+ table[1]) xs)\n") == "");
}

TEST_CASE("of marks within marks the outer one counts, and no other device") {
  const std::string inner = "def total [n] (xs: [n]i64) = #[accelerate(gpu)] (i64.sum xs)\n";
  CHECK(found(inner + "entry main [n] (xs: [n]i64) = #[accelerate(cpu)] (1 + total xs)\n") ==
        "accelerate-nested at #[accelerate(gpu)]\n");
  CHECK(
      found(inner + "entry main [n] (xs: [n]i64) = #[accelerate(cpu, prefer)] (1 + total xs)\n") ==
      "remark accelerate-nested at #[accelerate(gpu)]\n");
  CHECK(found("def total [n] (xs: [n]i64) = #[accelerate(gpu, prefer)] (i64.sum xs)\n"
              "entry main [n] (xs: [n]i64) = #[accelerate(cpu)] (1 + total xs)\n") == "");
}

TEST_CASE("what a mark takes out of the program: what its code calls, reads and gives") {
  World world("def helper (x: f64) = x * 2\n"
              "def other (x: f64) = x + 1\n"
              "def unused (x: f64) = x\n"
              "entry main [n] (flag: bool) (a: f64) (xs: [n](f32, f64)) =\n"
              "  let b = other a\n"
              "  in #[accelerate] (map (\\x -> helper x.1 + b) xs)\n",
              in_mode(jit::Mode::Auto));
  const std::vector<jit::MarkReport> told = reports(world, {"main"});
  REQUIRE(told.size() == 1);
  const jit::MarkReport& mark = told.front();
  CHECK(names(mark.functions) == std::vector<std::string>{"helper"});
  const auto input = [&](std::string_view name) {
    for (const jit::MarkedValue& value : mark.inputs)
      if (world.sources.text(value.name) == name) return value;
    FAIL("no such input");
    return jit::MarkedValue();
  };
  CHECK(input("xs").type == "[](f32, f64)");
  CHECK(input("xs").bytes == 12);
  CHECK(input("xs").is_array);
  CHECK(input("b").bytes == 8);
  CHECK_FALSE(input("b").is_array);
  for (const jit::MarkedValue& value : mark.inputs)
    CHECK(world.sources.text(value.name) != "flag");
  REQUIRE(mark.results.size() == 1);
  CHECK(mark.results.front().type == "[]f64");
  CHECK(mark.results.front().bytes == 8);
}

TEST_CASE("an entry point can be taken for marked") {
  World world("entry main [n] (xs: [n]i64) = map (\\x -> #[trace] x) xs\n",
              in_mode(jit::Mode::Auto));
  const std::vector<jit::MarkReport> told =
      world.swapper->examine({.expressions = {}, .entry_points = {&world.function("main")}});
  REQUIRE(told.size() == 1);
  REQUIRE(told.front().findings.size() == 1);
  CHECK(told.front().findings.front().id == "accelerate-untraceable");
}
