// `#[accelerate]` and `#[interpret]`, and work that fails after it was taken over.
#include "tests/unit/jit_swap/world.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace sinter;
using namespace sinter::test;
using State = jit::RegionReport::State;

namespace {

/// The error of a call that must fail, and the text that it points at.
struct Failure {
  RuntimeError error{FailureKind::Program, "no error"};
  std::string text;
};
Failure failure(World& world, std::vector<Value> arguments) {
  Failure failure;
  try {
    world.call("main", std::move(arguments));
  } catch (const RuntimeError& error) {
    failure.error = error;
    failure.text = world.sources.text(error.span);
  }
  return failure;
}

void check_same(const Failure& got, const Failure& wanted) {
  CHECK(got.error.message == wanted.error.message);
  CHECK(got.text == wanted.text);
  REQUIRE(got.error.frames.size() == wanted.error.frames.size());
  for (std::size_t i = 0; i < got.error.frames.size(); ++i)
    CHECK(got.error.frames[i].function == wanted.error.frames[i].function);
}

} // namespace

TEST_CASE("#[accelerate] compiles in mode auto, at the first evaluation") {
  World world("entry main [n] (xs: [n]i64) : i64 = 1 + #[accelerate] (reduce (+) 0 xs)\n",
              in_mode(jit::Mode::Auto));
  CHECK(world.call("main", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 7);
  const jit::RegionReport taken = region(world.swapper->report(), "expression");
  CHECK(taken.state == State::Compiled);
  CHECK(taken.why == "`#[accelerate]` asks for it");
  CHECK(taken.compiled_runs == 1);
}

TEST_CASE("#[accelerate] that cannot be: which sub-expression, and why") {
  World traced("entry main [n] (xs: [n]i64) : i64 =\n"
               "  #[accelerate] (reduce (+) 0 (map (\\x -> #[trace] (x + 1)) xs))\n",
               in_mode(jit::Mode::Auto));
  Failure error = failure(traced, {traced.i64s({1, 2, 3})});
  CHECK(error.error.kind == FailureKind::Unsupported);
  CHECK(error.error.message == "this cannot be accelerated: `#[trace]` is for the interpreter");

  World recursive("def fact (n: i64) : i64 = if n <= 1 then 1 else n * fact (n - 1)\n"
                  "entry main [n] (xs: [n]i64) : [n]i64 = #[accelerate] (map fact xs)\n",
                  in_mode(jit::Mode::Auto));
  error = failure(recursive, {recursive.i64s({1, 2, 3})});
  CHECK(error.error.message.starts_with("this cannot be accelerated: recursion"));
  CHECK(error.error.message.find("`fact`") != std::string::npos);
}

TEST_CASE("what fails inside #[accelerate] is the program's own error") {
  const std::string text = "entry main [n] (xs: [n]i64) : i64 =\n"
                           "  #[accelerate] (reduce (+) 0 (map (\\x -> 10 / x) xs))\n";
  World interpreted(text, in_mode(jit::Mode::Interpret)), automatic(text, in_mode(jit::Mode::Auto));
  const Failure wanted = failure(interpreted, {interpreted.i64s({1, 0})});
  CHECK(wanted.error.message == "division by zero");
  check_same(failure(automatic, {automatic.i64s({1, 0})}), wanted);
}

TEST_CASE("#[interpret] keeps its expression interpreted, and nothing else") {
  World world("entry main [n] (xs: [n]i64) : i64 =\n"
              "  reduce (+) 0 (#[interpret] (map (\\x -> x + 1) xs))\n",
              in_mode(jit::Mode::Jit));
  CHECK(world.call("main", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 9);
  const jit::Report report = world.swapper->report();
  CHECK(region(report, "function main").reason == "`#[interpret]` is for the interpreter");
  CHECK(region(report, "reduce").state == State::Compiled);
  for (const jit::RegionReport& region : report.regions)
    CHECK(region.name != "map");
}

TEST_CASE("the attributes of an expression that fails are left") {
  World world("entry main [n] (xs: [n]i64) : i64 = #[interpret] (10 / xs[0])\n"
              "entry sum [n] (xs: [n]i64) : i64 = reduce (+) 0 xs\n",
              in_mode(jit::Mode::Jit));
  CHECK(failure(world, {world.i64s({0})}).error.message == "division by zero");
  world.call("sum", {world.i64s({1, 2})});
  CHECK(region(world.swapper->report(), "function sum").state == State::Compiled);
}

TEST_CASE("an operation that fails after it was taken over in its middle") {
  const std::string text =
      "entry main (n: i64) : i64 =\n"
      "  let late i = (loop (x, j) = (i, 0) while j < 1000 do (x, j + 1)).0\n"
      "  in reduce (\\a b -> a ^ b) (#[trace] 0) (map (\\i -> 7 / (1999 - late i)) (iota n))\n";
  World interpreted(text, in_mode(jit::Mode::Interpret)), automatic(text, in_mode(jit::Mode::Auto));
  const Failure wanted = failure(interpreted, {number(2000)});
  CHECK(wanted.error.message == "division by zero");
  check_same(failure(automatic, {number(2000)}), wanted);
  CHECK(region(automatic.swapper->report(), "map").failed_runs == 1);
}

TEST_CASE("a call that fails after it was begun again") {
  const std::string text =
      "entry main (n: i64) : i64 =\n"
      "  reduce (\\a b -> a ^ b) 0 (map (\\i -> 7 / (n - 1000 - i)) (iota n))\n";
  World interpreted(text, in_mode(jit::Mode::Interpret)), automatic(text, in_mode(jit::Mode::Auto));
  const std::int64_t count = is_sanitized ? 400'000 : 2'000'000; // enough for compiling meanwhile
  const Failure wanted = failure(interpreted, {number(count)});
  CHECK(wanted.error.message == "division by zero");
  check_same(failure(automatic, {number(count)}), wanted);
  CHECK(region(automatic.swapper->report(), "function main").failed_runs == 1);
}

TEST_CASE("a loop that fails after it was taken over in its middle") {
  const std::string text = "entry main (n: i64) : i64 =\n"
                           "  loop s = 1 for i < n do s ^ (i / (899_999 - i))\n";
  World interpreted(text, in_mode(jit::Mode::Interpret)), automatic(text, in_mode(jit::Mode::Auto));
  const Failure wanted = failure(interpreted, {number(900'000)});
  CHECK(wanted.error.message == "division by zero");
  check_same(failure(automatic, {number(900'000)}), wanted);
}

TEST_CASE("mode mixed words errors as the interpreter does, whatever chance decides") {
  const std::string text =
      "def at [n] (xs: [n]i64) (i: i64) : i64 = xs[i]\n"
      "entry main [n] (xs: [n]i64) : (i64, i64) =\n"
      "  let ys = map (\\x -> loop s = x for i < 5 do s + at xs ((x + i) % 13)) xs\n"
      "  let t = loop t = 0 for y in ys do t * 3 + 100 / (y + 1)\n"
      "  in (reduce (+) 0 ys, t)\n";
  World interpreted(text, in_mode(jit::Mode::Interpret));
  const Failure wanted = failure(interpreted, {interpreted.i64s(up_to(9))});
  CHECK(wanted.error.message.find("out of bounds") != std::string::npos);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World mixed(text, in_mode(jit::Mode::Mixed, seed));
    check_same(failure(mixed, {mixed.i64s(up_to(9))}), wanted);
  }
}
