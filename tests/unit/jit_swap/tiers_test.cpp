// Which tier code is compiled for, and when it goes on to the next one.
#include "tests/unit/jit_swap/world.h"

#include <doctest/doctest.h>

#include <chrono>
#include <numeric>

using namespace sinter;
using namespace sinter::test;
using jit::Mode, jit::Tier;
using State = jit::RegionReport::State;

namespace {

const char* const tiered_sum = "entry main [n] (xs: [n]i64) : i64 =\n"
                               "  reduce (+) 0 (map (\\x -> x * x) xs)\n";

jit::SwapOptions options_of(Mode mode, Tier tier) {
  jit::SwapOptions options;
  options.mode = mode;
  options.tier = tier;
  return options;
}

unsigned tier_of_main(const World& world) {
  const jit::RegionReport main = region(world.swapper->report(), "function main");
  return main.state == State::Compiled ? main.kernels.at(0).tier : 0;
}

/// Calls `main` with so many elements until its code is of that tier, or gives up after a long
/// time.
void call_until(World& world, unsigned tier, std::size_t elements) {
  std::vector<std::int64_t> numbers(elements);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Value xs = world.i64s(numbers);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  do {
    world.call("main", {xs});
    world.swapper->wait();
  } while (tier_of_main(world) < tier && std::chrono::steady_clock::now() < end);
}

} // namespace

TEST_CASE("tiers have names") {
  for (Tier tier : {Tier::Automatic, Tier::First, Tier::Second})
    CHECK(jit::tier_of(jit::name(tier)) == tier);
  CHECK_FALSE(jit::tier_of("3"));
}

TEST_CASE("mode auto begins with the first tier and goes on to the second") {
  bool was_first = false;
  // (On a busy machine the first run may seem long enough for the second tier.)
  for (int attempt = 0; attempt < 5 && !was_first; ++attempt) {
    World world(tiered_sum, options_of(Mode::Auto, Tier::Automatic));
    call_until(world, 1, 2'000);
    was_first = tier_of_main(world) == 1;
    call_until(world, 2, 100'000);
    CHECK(tier_of_main(world) == 2);
  }
  CHECK(was_first);
}

TEST_CASE("mode auto: what is surely long is compiled at once, as a whole, in the second tier") {
  // (As far as anybody can tell: in fact no element is left.)
  World world(
      "entry main (n: i64) (k: i64) : i64 =\n"
      "  i64.sum (map (\\x -> loop s = x for i < k do s * 7 + i) (filter (> n) (iota n)))\n",
      options_of(Mode::Auto, Tier::Automatic));
  const Value many(Scalar::of(std::int64_t{40'000}));
  CHECK(world.call("main", {many, many}).scalar().as<std::int64_t>() == 0);
  const jit::Report report = world.swapper->report();
  REQUIRE(report.regions.size() == 1);
  CHECK(report.regions[0].why.ends_with("lay ahead in it"));
  CHECK(report.regions[0].compiled_runs == 1);
  CHECK(tier_of_main(world) == 2);
}

TEST_CASE("mode auto: a run that turns out to be long goes on in the second tier") {
  World world("entry main (n: i64) (most: i64) : i64 =\n"
              "  i64.sum (map (\\i -> (loop (x, k) = (i, 0) while k < most do\n"
              "    ((x * 7 + 1) % 1000003, k + 1)).0) (iota n))\n",
              options_of(Mode::Auto, Tier::Automatic));
  // Nothing tells how long the inner loop goes on: one call, for a tenth of a second.
  std::int64_t wanted = 0;
  for (std::int64_t i = 0; i < 500; ++i) {
    std::int64_t x = i;
    for (int k = 0; k < 2000; ++k)
      x = (x * 7 + 1) % 1'000'003;
    wanted += x;
  }
  const Value n(Scalar::of(std::int64_t{500})), most(Scalar::of(std::int64_t{2000}));
  CHECK(world.call("main", {n, most}).scalar().as<std::int64_t>() == wanted);
  world.swapper->wait();
  CHECK(region(world.swapper->report(), "function main").compiled_runs == 1);
  CHECK(tier_of_main(world) == 2);
}

TEST_CASE("mode jit begins with the second tier") {
  World world(tiered_sum, options_of(Mode::Jit, Tier::Automatic));
  world.call("main", {world.i64s({1, 2, 3})});
  CHECK(tier_of_main(world) == 2);
}

TEST_CASE("a tier that was asked for stays, and another one needs other code") {
  World world(tiered_sum, options_of(Mode::Jit, Tier::First));
  for (int i = 0; i < 10; ++i)
    world.call("main", {world.i64s({1, 2, 3})});
  CHECK(tier_of_main(world) == 1);
  world.swapper->configure(options_of(Mode::Jit, Tier::Second));
  world.call("main", {world.i64s({1, 2, 3})});
  CHECK(tier_of_main(world) == 2);
}

TEST_CASE("mode mixed swaps tiers by chance, with the same results") {
  jit::SwapOptions options = options_of(Mode::Mixed, Tier::Automatic);
  World world(tiered_sum, options);
  bool was_first = false;
  for (int i = 0; i < 200; ++i) {
    CHECK(world.call("main", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 14);
    was_first = was_first || tier_of_main(world) == 1;
  }
  CHECK(was_first);
  CHECK(tier_of_main(world) == 2);
}

TEST_CASE("contracted floats are left to the optimiser from the beginning") {
  jit::SwapOptions options = options_of(Mode::Jit, Tier::First);
  options.floats = jit::FloatMode::Contract;
  World world(tiered_sum, options);
  world.call("main", {world.i64s({1, 2, 3})});
  CHECK(tier_of_main(world) == 2);
}
