// Constants of a program that compiled code needs and that nothing has computed yet.
#include "tests/unit/jit_swap/world.h"

#include "lang/base/runtime_error.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <thread>

using namespace sinter;
using namespace sinter::test;
using jit::Mode;
using State = jit::RegionReport::State;

namespace {

jit::SwapOptions keeping_ir(Mode mode, std::uint64_t seed = 1) {
  jit::SwapOptions options = in_mode(mode, seed);
  options.keep_ir = true;
  return options;
}

std::int64_t result(World& world, std::int64_t n) {
  return world.call("main", {number(n)}).scalar().as<std::int64_t>();
}
jit::RegionReport main_region(const World& world) {
  return region(world.swapper->report(), "function main");
}
/// How often the definition of a constant was run as compiled code: each is an expression.
std::uint64_t runs_of_constants(const World& world) {
  std::uint64_t runs = 0;
  for (const jit::RegionReport& region : world.swapper->report().regions)
    if (region.name == "expression") runs += region.compiled_runs;
  return runs;
}
std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

const char* const sum_of_table =
    "def table = map (\\i -> i * i) (iota 100)\n"
    "entry main (n: i64) : i64 = i64.sum (map (\\i -> table[i]) (iota n))\n";
/// A constant without an end, on a path that numbers above 10 take.
const char* const endless_on_a_path =
    "def endless = #[interpret] (loop x = 1i64 while x > 0 do 1)\n"
    "entry main (n: i64) : i64 = if n > 10 then endless + n else i64.sum (iota n)\n"
    "entry each (n: i64) : []i64 = map (\\i -> if i > 10 then endless else i) (iota n)\n";

} // namespace

TEST_CASE("a launch reads a constant, which is computed once") {
  World world(sum_of_table, keeping_ir(Mode::Jit));
  CHECK(result(world, 4) == 14);
  CHECK(result(world, 5) == 30);
  CHECK(runs_of_constants(world) == 1);
  const jit::RegionReport main = main_region(world);
  CHECK(main.state == State::Compiled);
  CHECK(main.compiled_runs == 2);
  CHECK(occurrences(main.optimised_ir, "soac") == 1);
}

TEST_CASE("a constant that depends on others") {
  World world(
      "def first = map (\\i -> i + 1) (iota 10)\n"
      "def second = map (\\i -> first[i] * 2) (iota 10)\n"
      "def third = i64.sum second\n"
      "entry main (n: i64) : i64 = third + i64.sum (map (\\i -> second[i] + first[0]) (iota n))\n",
      keeping_ir(Mode::Jit));
  CHECK(result(world, 2) == 110 + 2 + 4 + 2);
  CHECK(result(world, 1) == 110 + 3);
  CHECK(runs_of_constants(world) == 3);
  CHECK(main_region(world).compiled_runs == 2);
}

TEST_CASE("a constant that only one path needs is computed when that is taken") {
  World world("def table = map (\\i -> i * i) (iota 100)\n"
              "entry main (n: i64) : i64 = if n > 10 then i64.sum (map (\\i -> table[i]) (iota n)) "
              "else n\n",
              keeping_ir(Mode::Jit));
  CHECK(result(world, 3) == 3);
  CHECK(runs_of_constants(world) == 0);
  CHECK(main_region(world).compiled_runs == 1);
  CHECK(result(world, 11) == 385);
  CHECK(result(world, 4) == 4);
  CHECK(runs_of_constants(world) == 1);
  const jit::RegionReport main = main_region(world);
  CHECK(main.why.starts_with("again, since a constant has been computed"));
  CHECK(main.interpreted_runs == 0);
  CHECK(main.failed_runs == 0); // of the new code
  CHECK(main.compiled_runs == 2);
}

TEST_CASE("elements, of which some need one constant and some another") {
  World world("def small = map (\\i -> i * 2) (iota 10)\n"
              "def large = map (\\i -> i * 3) (iota 100)\n"
              "entry main (n: i64) : i64 =\n"
              "  i64.sum (map (\\i -> if i < 5 then small[i] else large[i]) (iota n))\n",
              keeping_ir(Mode::Jit));
  CHECK(result(world, 3) == 6);
  CHECK(result(world, 7) == 20 + 33);
  CHECK(result(world, 7) == 20 + 33);
  CHECK(main_region(world).interpreted_runs == 0);
  CHECK(main_region(world).state == State::Compiled);
}

TEST_CASE("a constant that fails raises its error where the interpreter does") {
  const std::string text =
      "def bad = (map (\\i -> 10 / i) (iota 3))[1]\n"
      "entry main (n: i64) : i64 = if n > 10 then bad + n else i64.sum (iota n)\n"
      "entry always (n: i64) : i64 = i64.sum (map (\\i -> bad + i) (iota n))\n";
  auto failure = [&](Mode mode, const std::string& entry) {
    World world(text, keeping_ir(mode));
    CHECK(result(world, 3) == 3);
    try {
      world.call(entry, {number(11)});
    } catch (const RuntimeError& error) {
      CHECK(result(world, 4) == 6);
      const std::string file(world.sources.name(world.file->syntax.id)); // of this world alone
      std::string text = render(world.sources, error);
      for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file))
        text.erase(at, file.size());
      return text;
    }
    FAIL("no error");
    return std::string();
  };
  for (const char* entry : {"main", "always"})
    for (Mode mode : {Mode::Jit, Mode::Auto, Mode::Mixed})
      CHECK(failure(mode, entry) == failure(Mode::Interpret, entry));
}

TEST_CASE("a constant that is not needed may be without an end") {
  for (Mode mode : {Mode::Jit, Mode::Mixed})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      World world(endless_on_a_path, keeping_ir(mode, seed));
      CHECK(result(world, 5) == 10);
      CHECK(world.numbers(world.call("each", {number(3)})) == std::vector<std::int64_t>{0, 1, 2});
    }
}

TEST_CASE("who waits for a constant can be interrupted") {
  World world(endless_on_a_path, keeping_ir(Mode::Jit));
  CHECK(result(world, 5) == 10);
  std::thread interrupter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    world.interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  FailureKind kind{};
  try {
    result(world, 20);
  } catch (const RuntimeError& error) {
    kind = error.kind;
  }
  interrupter.join();
  world.interrupt.clear();
  CHECK(kind == FailureKind::Interrupted);
  CHECK(result(world, 5) == 10);
}

TEST_CASE("mode auto computes a constant of a path that was cold until it is taken") {
  World world("def table = map (\\i -> i * i) (iota 100)\n"
              "entry main (n: i64) : i64 =\n"
              "  i64.sum (map (\\i -> if i >= 100000 then table[i - 100000] else 1) (iota n))\n",
              keeping_ir(Mode::Auto));
  for (int i = 0; i < 5 || main_region(world).state == State::Waiting; ++i) {
    CHECK(result(world, 100'000) == 100'000);
    world.swapper->wait();
  }
  REQUIRE(main_region(world).state == State::Compiled);
  CHECK(runs_of_constants(world) == 0);
  CHECK(result(world, 100'003) == 100'005);
  world.swapper->wait();
  CHECK(result(world, 100'003) == 100'005);
  CHECK(main_region(world).why.starts_with("again, since a constant has been computed"));
}

TEST_CASE("mode auto: a region that stalls in the background goes on with the constant") {
  // The interpreter never needs the table, as there are no elements; the trace does.
  World world(
      "def table = map (\\i -> i * i) (iota 100)\n"
      "entry main (n: i64) : i64 =\n"
      "  i64.sum (map (+ 1) (iota n)) + i64.sum (map (\\i -> table[i]) (iota (n / 10**6)))\n",
      keeping_ir(Mode::Auto));
  const std::int64_t n = is_sanitized ? 20'000 : 100'000;
  for (int i = 0; i < 5 || main_region(world).state == State::Waiting; ++i)
    REQUIRE(result(world, n) == n * (n + 1) / 2); // whatever state compiling it is in
  CHECK(main_region(world).state == State::Compiled);
  CHECK(result(world, 2'000'000) == 2'000'000LL * 2'000'001 / 2 + 1);
}

TEST_CASE("mode mixed has the interpreter's results with constants too") {
  const std::string text =
      "def table = map (\\i -> i * i) (iota 20)\n"
      "def sums = scan (+) 0 table\n"
      "entry main (n: i64) : i64 =\n"
      "  i64.sum (map (\\i -> if i % 3 == 0 then table[i] else sums[i]) (iota n))\n";
  World interpreted(text, keeping_ir(Mode::Interpret));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world(text, keeping_ir(Mode::Mixed, seed));
    for (std::int64_t n : {0, 1, 7, 20})
      CHECK(result(world, n) == result(interpreted, n));
  }
}
