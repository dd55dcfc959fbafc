#include "tests/unit/jit_swap/world.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>
#include <numeric>
#include <thread>

using namespace sinter;
using namespace sinter::test;
using State = jit::RegionReport::State;

namespace {

const char* const sum_of_squares = "entry main [n] (xs: [n]i64) : i64 =\n"
                                   "  reduce (+) 0 (map (\\x -> x * x) xs)\n";

} // namespace

TEST_CASE("mode jit compiles a whole entry point at its first call") {
  World world(sum_of_squares, in_mode(jit::Mode::Jit));
  CHECK(world.call("main", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 14);
  const jit::RegionReport main = region(world.swapper->report(), "function main");
  CHECK(main.state == State::Compiled);
  CHECK(main.compiled_runs == 1);
  CHECK(main.interpreted_runs == 0);
}

TEST_CASE("a size is no reason to compile again") {
  World world(sum_of_squares, in_mode(jit::Mode::Jit));
  for (std::int64_t n : {0, 1, 5, 100})
    world.call("main", {world.i64s(up_to(n))});
  CHECK(world.swapper->report().regions.size() == 1);
  CHECK(region(world.swapper->report(), "function main").compiled_runs == 4);
}

TEST_CASE("mode auto interprets what is cold, and compiles in the background what is hot") {
  World world(sum_of_squares, in_mode(jit::Mode::Auto));
  world.call("main", {world.i64s({1, 2, 3})});
  CHECK(region(world.swapper->report(), "function main").state == State::Interpreted);
  Value xs = world.i64s(up_to(100'000));
  for (int i = 0; i < 5; ++i)
    world.call("main", {xs});
  world.swapper->wait();
  world.call("main", {xs});
  CHECK(region(world.swapper->report(), "function main").state == State::Compiled);
}

TEST_CASE("an error is worded by the interpreter") {
  const std::string text = "entry main [n] (xs: [n]i64) : i64 =\n"
                           "  reduce (+) 0 (map (\\x -> 100 / x) xs)\n";
  auto error_of = [&](jit::Mode mode) {
    World world(text, in_mode(mode));
    try {
      world.call("main", {world.i64s({1, 2, 0, 3})});
    } catch (const RuntimeError& error) {
      return error;
    }
    return RuntimeError(FailureKind::Program, "no error");
  };
  const RuntimeError wanted = error_of(jit::Mode::Interpret), got = error_of(jit::Mode::Jit);
  CHECK(wanted.message == "division by zero");
  CHECK(got.message == wanted.message);
  CHECK(got.span == wanted.span);
  CHECK(got.frames.size() == wanted.frames.size());
}

namespace {

/// As if it wrote into its array in place, which takes no time; an index that is too large fails.
class InPlace final : public jit::Executable {
public:
  explicit InPlace(const ir::Function& function) : function_(function) {}
  jit::Outcome run(std::vector<jit::Datum> arguments, const jit::RunContext&) override {
    const auto is_scalar = [](const jit::Datum& datum) {
      return std::holds_alternative<Scalar>(datum);
    };
    const auto array = std::ranges::find_if_not(arguments, is_scalar);
    const auto index = std::ranges::find_if(arguments.rbegin(), arguments.rend(), is_scalar);
    REQUIRE(array != arguments.end());
    REQUIRE(index != arguments.rend());
    const Leaf leaf = std::move(std::get<Leaf>(*array));
    is_given_away = leaf.buffer.unique();
    if (std::get<Scalar>(*index).as<std::int64_t>() < leaf.extents[0])
      return std::vector<jit::Datum>{Scalar::of(leaf.extents[0]), leaf};
    const auto site = std::ranges::find_if(function_.failures, [](const ir::FailureSite& failure) {
      return failure.message.starts_with("Index");
    });
    REQUIRE(site != function_.failures.end());
    return jit::Stopped{jit::Stopped::Why::Failed,
                        static_cast<std::uint32_t>(site - function_.failures.begin()),
                        std::nullopt};
  }
  void compile_all() override {}
  void promote() override {}
  const ir::Function& function() const override { return function_; }
  jit::ExecutableStatistics statistics() const override { return {}; }
  std::vector<KernelDescription> kernels(bool) const override { return {}; }

  bool is_given_away = false;

private:
  ir::Function function_;
};

} // namespace

TEST_CASE("an error of a region that was given its inputs is worded by evaluating all again") {
  const std::string text =
      "def step [n] (a: *[n]i64) (i: i64) : *[n]i64 = loop a for j < 1 do a with [i + j] = j\n"
      "entry main (n: i64) (m: i64) : i64 =\n"
      "  (loop a = replicate n 0 for i < m do step a (#[trace] (i * 100000)))[0]\n";
  const auto arguments = [&] { return std::vector<Value>{number(300'000), number(5)}; };
  std::vector<std::unique_ptr<World>> worlds; // errors have names of them
  auto error_of = [&](jit::Mode mode, const Evaluator::Arguments& again, bool is_given_away) {
    World& world = *worlds.emplace_back(std::make_unique<World>(text, in_mode(mode)));
    std::shared_ptr<InPlace> steps;
    world.instead = [&](const ir::Function& function) {
      if (function.name == "step") steps = std::make_shared<InPlace>(function);
      return function.name == "step" ? steps : nullptr;
    };
    RuntimeError result(FailureKind::Program, "no error");
    try {
      world.call("main", arguments(), again);
    } catch (const RuntimeError& error) {
      result = error;
    }
    CHECK(world.traced.size() == 4); // however often it is evaluated
    if (mode == jit::Mode::Jit) REQUIRE(steps);
    if (steps) CHECK(steps->is_given_away == is_given_away);
    return result;
  };
  const RuntimeError wanted = error_of(jit::Mode::Interpret, {}, false);
  CHECK(wanted.message == "Index [300000] out of bounds for array of shape [300000].");
  REQUIRE(wanted.frames.size() == 2);
  auto is_at_the_same_place = [&](const RuntimeError& got) {
    CHECK(got.id == wanted.id);
    CHECK(got.span == wanted.span);
    REQUIRE(got.frames.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(got.frames[i].function == wanted.frames[i].function);
      CHECK(got.frames[i].span == wanted.frames[i].span);
    }
  };
  // The last time its inputs are kept.
  const RuntimeError repeated = error_of(jit::Mode::Jit, arguments, false);
  CHECK(repeated.message == wanted.message);
  is_at_the_same_place(repeated);
  // The same if it has no more time to keep what every region overwrites.
  const RuntimeError late = error_of(
      jit::Mode::Jit,
      [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        return arguments();
      },
      false);
  CHECK(late.message == wanted.message);
  is_at_the_same_place(late);
  // Without arguments for another time only the message lacks anything.
  const RuntimeError poorer = error_of(jit::Mode::Jit, {}, true);
  CHECK(poorer.message == "Index [?] out of bounds for array of shape [?].");
  is_at_the_same_place(poorer);
}

namespace {

/// As if there were no memory for what it makes.
class WithoutMemory final : public jit::Executable {
public:
  explicit WithoutMemory(ir::Function function) : function_(std::move(function)) {}
  jit::Outcome run(std::vector<jit::Datum>, const jit::RunContext&) override {
    return jit::Stopped::by(RuntimeError(FailureKind::OutOfMemory,
                                         "out of memory: an array needs 8 EiB",
                                         function_.body.statements.back().span));
  }
  void compile_all() override {}
  void promote() override {}
  const ir::Function& function() const override { return function_; }
  jit::ExecutableStatistics statistics() const override { return {}; }
  std::vector<KernelDescription> kernels(bool) const override { return {}; }

private:
  ir::Function function_;
};

} // namespace

TEST_CASE("compiled code that has no memory says how much it wanted, and where") {
  const std::string text = "entry main [n] (xs: [n]i64) : [n]i64 = map (+ 1) xs\n";
  World world(text, in_mode(jit::Mode::Jit));
  world.instead = [](const ir::Function& function) {
    return std::make_shared<WithoutMemory>(function);
  };
  try {
    world.call("main", {world.i64s({1, 2, 3})});
    FAIL("no error");
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::OutOfMemory);
    CHECK(error.message == "out of memory: an array needs 8 EiB");
    REQUIRE(error.span.is_known());
    CHECK(error.span.begin == text.find("map"));
    CHECK(!error.frames.empty());
  }
}

TEST_CASE("an input that somebody else owns survives a region that consumes it") {
  const std::string text = "entry main [n] (xs: *[n]i64) : [n]i64 = xs with [0] = 42\n";
  World world(text, in_mode(jit::Mode::Jit));
  Value xs = world.i64s({1, 2, 3});
  CHECK(world.numbers(world.call("main", {xs})) == std::vector<std::int64_t>{42, 2, 3});
  CHECK(world.numbers(xs) == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("what cannot be traced says why, and what is inside is compiled") {
  const std::string text = "entry main [n] (xs: [n]i64) : i64 =\n"
                           "  let ys = map (\\x -> x + 1) xs\n"
                           "  in #[trace] (reduce (+) 0 ys)\n";
  World world(text, in_mode(jit::Mode::Jit));
  CHECK(world.call("main", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 9);
  const jit::Report report = world.swapper->report();
  CHECK(region(report, "function main").state == State::Rejected);
  CHECK_FALSE(region(report, "function main").reason.empty());
  CHECK(region(report, "map").state == State::Compiled);
  CHECK(region(report, "reduce").state == State::Compiled);
}

TEST_CASE("mode mixed gives the interpreter's results whatever chance decides") {
  const std::string text = "def collatz (n: i64) : i64 =\n"
                           "  (loop (k, steps) = (n, 0) while k != 1 do\n"
                           "     (if k % 2 == 0 then k / 2 else 3 * k + 1, steps + 1)).1\n"
                           "entry main [n] (xs: [n]i64) : ([]i64, []i64, []i64, i64) =\n"
                           "  let ys = map (\\x -> collatz (x + 1)) xs\n"
                           "  let zs = scan (\\a b -> a + b) 0 ys\n"
                           "  let kept = filter (\\z -> z % 3 != 0) zs\n"
                           "  let bins = hist (+) 0 10 (map (% 10) ys) (map (const 1) ys)\n"
                           "  let s = loop s = 0 for z in zs do s * 31 + z\n"
                           "  in (zs, kept, bins, s + reduce (\\a b -> a + b) 0 ys)\n";
  auto run = [&](jit::Mode mode, std::uint64_t seed) {
    World world(text, in_mode(mode, seed));
    Value result = world.call("main", {world.i64s(up_to(20))});
    std::vector<std::vector<std::int64_t>> numbers;
    for (std::size_t i = 0; i < 3; ++i)
      numbers.push_back(world.numbers(result.fields()[i]));
    numbers.push_back({result.fields()[3].scalar().as<std::int64_t>()});
    return numbers;
  };
  const auto wanted = run(jit::Mode::Interpret, 0);
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    CHECK(run(jit::Mode::Mixed, seed) == wanted);
}

TEST_CASE("a sum that is taken over in its middle has all bits of one that is not") {
  const std::string text = "entry main (n: i64) : u64 =\n"
                           "  let xs = map (\\i -> 1 / f64.i64 (i + 1)) (iota n)\n"
                           "  in f64.to_bits (f64.sum xs) + f64.to_bits (last (scan (+) 0 xs))\n"
                           "     + f64.to_bits (reduce (\\a b -> a + b) 0 xs)\n";
  auto run = [&](jit::Mode mode, std::uint64_t seed) {
    World world(text, in_mode(mode, seed));
    return world.call("main", {Value(Scalar::of(std::int64_t{200}))}).scalar().as<std::int64_t>();
  };
  const std::int64_t wanted = run(jit::Mode::Interpret, 0);
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    CHECK(run(jit::Mode::Mixed, seed) == wanted);
}

namespace {

/// Its elements take longer than can be foreseen, and it cannot be compiled as a whole.
const char* const unforeseen =
    "entry main (n: i64) (k: i64) : i64 =\n"
    "  let steps i = (loop (x, j) = (i, 0) while j < k do (x * 5 + 1, j + 1)).0\n"
    "  in reduce (\\a b -> a ^ b) (#[trace] 0) (map steps (iota n))\n";

} // namespace

TEST_CASE("one long operation is taken over in its middle") {
  World world(unforeseen, in_mode(jit::Mode::Auto));
  const std::int64_t n = 2000, k = 1000;
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t x = static_cast<std::uint64_t>(i);
    for (std::int64_t j = 0; j < k; ++j)
      x = x * 5 + 1;
    wanted ^= static_cast<std::int64_t>(x);
  }
  CHECK(world.call("main", {number(n), number(k)}).scalar().as<std::int64_t>() == wanted);
  CHECK(region(world.swapper->report(), "function main").state == State::Rejected);
  const jit::RegionReport map = region(world.swapper->report(), "map");
  CHECK(map.compiled_runs == 1);
  CHECK(map.why == "what was left of a long run was worth it");
}

TEST_CASE("mode auto: what will take long begins again as a whole, before anything is filled") {
  World world("entry main (n: i64) : i64 =\n"
              "  let xs = iota n\n"
              "  in reduce (\\a b -> a ^ b) 0 (map (\\i -> i * i + 7) xs)\n",
              in_mode(jit::Mode::Auto));
  const std::int64_t n = 2'000'000;
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < n; ++i)
    wanted ^= i * i + 7;
  CHECK(world.call("main", {number(n)}).scalar().as<std::int64_t>() == wanted);
  const jit::Report report = world.swapper->report();
  CHECK(region(report, "function main").compiled_runs == 1);
  CHECK(region(report, "function main").why.ends_with("lay ahead in it"));
  for (const jit::RegionReport& other : report.regions)
    CHECK_FALSE(other.is_operation); // none was even begun
}

TEST_CASE("mode auto: many small operations begin again together") {
  World world("entry main (n: i64) (k: i64) : i64 =\n"
              "  i64.sum (loop (xs, i) = (iota n, 0) while i < k do\n"
              "             (map (\\x -> (x * 3 + i) % 1001) xs, i + 1)).0\n",
              in_mode(jit::Mode::Auto));
  World interpreted("entry main (n: i64) (k: i64) : i64 =\n"
                    "  i64.sum (loop (xs, i) = (iota n, 0) while i < k do\n"
                    "             (map (\\x -> (x * 3 + i) % 1001) xs, i + 1)).0\n",
                    in_mode(jit::Mode::Interpret));
  const std::int64_t operations = is_sanitized ? 20'000 : 100'000;
  const std::vector<Value> arguments = {number(50), number(operations)};
  CHECK(world.call("main", arguments).scalar() == interpreted.call("main", arguments).scalar());
  // (The call, once, unless the machine was so busy that it had run for too long when it was looked
  // at; then some of the operations, until the loop goes on as a whole.  There is enough to do for
  // code that is made in the background to come, or to be waited for.)
  std::uint64_t runs = 0;
  for (const jit::RegionReport& taken : world.swapper->report().regions)
    runs += taken.compiled_runs;
  CHECK(runs >= 1);
  CHECK(runs < 1'000); // of all those operations
}

TEST_CASE("mode auto: a constant begins again by itself, and once") {
  World world("def squares = map (\\i -> i * i) (iota 2_000_000)\n"
              "entry main (i: i64) : i64 = squares[i] + #[trace] i\n",
              in_mode(jit::Mode::Auto));
  CHECK(world.call("main", {number(3)}).scalar().as<std::int64_t>() == 12);
  CHECK(world.call("main", {number(4)}).scalar().as<std::int64_t>() == 20);
  CHECK(region(world.swapper->report(), "expression").compiled_runs == 1);
  CHECK(world.traced.size() == 2);
}

TEST_CASE("mode auto: what has been shown is not shown again, as that is not begun again") {
  World world("def inner (n: i64) (k: i64) : i64 = k + reduce (+) 0 (map (\\i -> i * k) (iota n))\n"
              "entry main (n: i64) : i64 =\n"
              "  let a = #[trace] (n + 1)\n"
              "  let b = inner n a\n"
              "  in #[trace] b\n",
              in_mode(jit::Mode::Auto));
  const std::int64_t n = 2'000'000, wanted = n * (n - 1) / 2 * (n + 1) + n + 1;
  CHECK(world.call("main", {number(n)}).scalar().as<std::int64_t>() == wanted);
  CHECK(world.traced.size() == 2);
  const jit::Report report = world.swapper->report();
  CHECK(region(report, "function main").state == State::Rejected);
  CHECK(region(report, "function inner").compiled_runs == 1);
}

namespace {

/// An argument that nobody else owns.
std::vector<Value> own(World& world, std::int64_t n) {
  std::vector<Value> arguments;
  arguments.push_back(world.i64s(up_to(n)));
  return arguments;
}

/// Takes longer than another one, by `delay`.
class Delayed final : public jit::Executable {
public:
  Delayed(std::shared_ptr<jit::Executable> inner, const std::chrono::nanoseconds& delay)
      : inner_(std::move(inner)), delay_(delay) {}
  jit::Outcome run(std::vector<jit::Datum> arguments, const jit::RunContext& context) override {
    std::this_thread::sleep_for(delay_);
    return inner_->run(std::move(arguments), context);
  }
  void compile_all() override {}
  void promote() override {}
  const ir::Function& function() const override { return inner_->function(); }
  jit::ExecutableStatistics statistics() const override { return {}; }
  std::vector<KernelDescription> kernels(bool) const override { return {}; }

private:
  std::shared_ptr<jit::Executable> inner_;
  const std::chrono::nanoseconds& delay_;
};

} // namespace

TEST_CASE("mode auto: compiled code that loses is kept out, and tells why") {
  // The array is the call's own, and too large to be kept for another time: at first the call is
  // interpreted, with a compiled map inside.  (Another tier would get another chance.)
  jit::SwapOptions options = in_mode(jit::Mode::Auto);
  options.tier = jit::Tier::First;
  std::chrono::nanoseconds delay{};
  World world("entry main [n] (xs: *[n]i64) : i64 =\n"
              "  i64.sum (map (\\x -> x * x) (xs with [0] = 1))\n",
              options);
  world.instead = [&](const ir::Function& function) -> std::shared_ptr<jit::Executable> {
    if (function.name != "main") return nullptr;
    return std::make_shared<Delayed>(evaluating_executable(function, world.memory, 2), delay);
  };
  const auto main = [&] { return region(world.swapper->report(), "function main"); };
  for (int i = 0; i < 10; ++i) {
    const auto began = std::chrono::steady_clock::now();
    world.call("main", own(world, 200'000));
    // (However long interpreting takes here, the compiled code takes longer.)
    if (main().compiled_runs == 0)
      delay =
          std::max<std::chrono::nanoseconds>(delay, 4 * (std::chrono::steady_clock::now() - began));
    world.swapper->wait();
  }
  CHECK(main().compiled_runs == 1);
  CHECK(main().why.find("now it is kept out, since it takes") != std::string::npos);
}

TEST_CASE("mode auto: what is given away is overwritten in place, begun again or not") {
  // The array is the call's own, and too large to be kept for another time.
  World world("def change [n] (a: *[n]i64) : *[n]i64 = map (\\x -> x * x) (a with [0] = 7)\n"
              "entry main [n] (a: *[n]i64) : i64 = i64.sum (change (#[trace] a))\n",
              in_mode(jit::Mode::Auto));
  std::int64_t wanted = 49;
  for (std::int64_t i = 0; i < 300'000; ++i)
    wanted += i * i;
  Value mine = world.i64s(up_to(300'000));
  CHECK(world.call("main", {mine}).scalar().as<std::int64_t>() == wanted);
  CHECK(world.numbers(mine) == up_to(300'000)); // another owner sees nothing
  CHECK(world.call("main", own(world, 300'000)).scalar().as<std::int64_t>() == wanted);
}

TEST_CASE("an accelerator may be taken away between two evaluations") {
  World world("entry turned [n] (xs: [n]i64) : [n]i64 = rotate 1 xs\n"
              "entry next [n] (xs: [n]i64) : [n]i64 = map (\\x -> x + 1) xs\n",
              in_mode(jit::Mode::Auto));
  const Value xs = world.i64s(up_to(40));
  world.call("turned", {xs});
  world.evaluator->set_accelerator(nullptr);
  CHECK(world.numbers(world.call("next", {xs})).back() == 40);
}

TEST_CASE("sites are places of the program: equal operations on equal functions stay apart") {
  const std::string text = "def f (x: i64) : i64 = x + 1\n"
                           "entry main [n] (xs: [n]i64) =\n"
                           "  let ys = map f xs\n"
                           "  let zs = #[trace] (map f ys)\n"
                           "  in (ys, zs)\n";
  World world(text, in_mode(jit::Mode::Jit));
  for (int i = 0; i < 2; ++i)
    world.call("main", {world.i64s({1, 2, 3})});
  const jit::Report report = world.swapper->report();
  std::vector<Span> places;
  for (const jit::RegionReport& region : report.regions) {
    if (region.name != "map") continue;
    CHECK(region.compiled_runs == 2);
    places.push_back(region.span);
  }
  REQUIRE(places.size() == 2);
  CHECK(places[0] != places[1]);
}

TEST_CASE("a region tells what it is compiled for, why, and why again") {
  World world("def f (s: #none | #some i64) (xs: []i64) : i64 =\n"
              "  match s case #none -> reduce (+) 0 xs case #some k -> reduce (+) k xs\n"
              "entry main (b: bool) (xs: []i64) : i64 =\n"
              "  #[trace] (f (if b then #some 7 else #none) xs)\n",
              in_mode(jit::Mode::Jit));
  for (bool b : {true, false, true})
    world.call("main", {Value(Scalar::of(b)), world.i64s({1, 2, 3})});
  std::vector<jit::RegionReport> regions;
  for (const jit::RegionReport& region : world.swapper->report().regions)
    if (region.name == "function f") regions.push_back(region);
  REQUIRE(regions.size() == 2);
  CHECK(regions[0].why == "mode jit compiles all");
  CHECK(regions[0].inputs == std::vector<std::string>{"constructor 1 of a sum, with i64", "[]i64"});
  CHECK(regions[0].compiled_runs == 2);
  CHECK(regions[1].why == "again, since input 1 was constructor 1 of a sum, with i64, and now is "
                          "constructor 0 of a sum; mode jit compiles all");
}

TEST_CASE("what is interpreted tells why it is not compiled") {
  World world(sum_of_squares, in_mode(jit::Mode::Auto));
  world.call("main", {world.i64s({1, 2, 3})});
  const jit::RegionReport main = region(world.swapper->report(), "function main");
  CHECK(main.is_recent);
  CHECK(main.why.find("so far; from 10 ms on compiling is worth it") != std::string::npos);
  world.swapper->begin_evaluation();
  CHECK_FALSE(region(world.swapper->report(), "function main").is_recent);
}

TEST_CASE("checks that are left are told") {
  World world("entry main [n] (xs: [n]i64) (i: i64) : i64 = xs[i]\n"
              "  + reduce (+) 0 (map (\\x -> 10 / x) xs)\n",
              in_mode(jit::Mode::Jit));
  world.call("main", {world.i64s({1, 2}), Value(Scalar::of(std::int64_t{1}))});
  std::vector<std::string> messages;
  for (const jit::CheckReport& check : region(world.swapper->report(), "function main").checks)
    messages.push_back(check.message);
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].find("out of bounds") != std::string::npos);
  CHECK(messages[1] == "division by zero");
}

TEST_CASE("sites that never come back are forgotten") {
  jit::Profile profile;
  std::vector<int> places(10);
  std::vector<jit::Site*> sites;
  for (std::size_t i = 0; i < places.size(); ++i)
    sites.push_back(&profile.site({jit::SiteKey::Kind::Loop, &places[i]}, i));
  profile.site({jit::SiteKey::Kind::Loop, &places[0]}, 10); // met again
  std::size_t gone = 0;
  profile.forget([&](const jit::Site&) { ++gone; });
  CHECK(gone == 5);
  CHECK(profile.size() == 5);
  CHECK(&profile.site({jit::SiteKey::Kind::Loop, &places[0]}, 11) == sites[0]);
  CHECK(&profile.site({jit::SiteKey::Kind::Loop, &places[9]}, 11) == sites[9]);
  profile.site({jit::SiteKey::Kind::Loop, &places[1]}, 11);
  CHECK(profile.size() == 6);
}
