// Interrupting an evaluation that waits for the compiler.
#include "tests/unit/jit_swap/world.h"

#include "lang/base/runtime_error.h"

#include <doctest/doctest.h>

#include <future>
#include <thread>

using namespace sinter;
using namespace sinter::test;
using jit::Mode;

namespace {

const char* const two_entries = "entry slow [n] (xs: [n]i64) : i64 = reduce (+) 0 xs\n"
                                "entry other [n] (xs: [n]i64) : i64 = reduce (*) 1 xs\n";

jit::SwapOptions options_of(Mode mode) {
  jit::SwapOptions options;
  options.mode = mode;
  return options;
}

/// A compiler that does not end before it is let go.
class Stalled {
public:
  void stall() {
    reached_.set_value();
    let_go_.get_future().wait();
  }
  void wait_until_reached() { reached_.get_future().wait(); }
  void let_go() { let_go_.set_value(); }

private:
  std::promise<void> reached_, let_go_;
};

/// How the call ends when it is interrupted as soon as the compiler is at work.
FailureKind interrupted_call(World& world, Stalled& compiler, const std::string& entry) {
  std::thread interrupter([&] {
    compiler.wait_until_reached();
    world.interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  FailureKind kind{};
  try {
    world.call(entry, {world.i64s({1, 2, 3})});
    FAIL("nothing was interrupted");
  } catch (const RuntimeError& error) {
    kind = error.kind;
  }
  interrupter.join();
  world.interrupt.clear();
  return kind;
}

} // namespace

TEST_CASE("who waits for the compiler can be interrupted, and evaluates on meanwhile") {
  World world(two_entries, options_of(Mode::Jit));
  Stalled compiler;
  bool is_first = true;
  world.when_compiled = [&] {
    if (std::exchange(is_first, false)) compiler.stall();
  };
  // (This test hangs if the interruption has to wait for the compiler.)
  CHECK(interrupted_call(world, compiler, "slow") == FailureKind::Interrupted);

  CHECK(world.call("other", {world.i64s({2, 3, 4})}).scalar().as<std::int64_t>() == 24);
  CHECK(region(world.swapper->report(), "function other").state ==
        jit::RegionReport::State::Compiled);
  CHECK(world.call("slow", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 6);
  CHECK(region(world.swapper->report(), "function slow").state ==
        jit::RegionReport::State::Waiting);

  compiler.let_go();
  while (region(world.swapper->report(), "function slow").state ==
         jit::RegionReport::State::Waiting)
    std::this_thread::yield();
  CHECK(world.call("slow", {world.i64s({1, 2, 4})}).scalar().as<std::int64_t>() == 7);
  CHECK(region(world.swapper->report(), "function slow").compiled_runs == 1);
}

TEST_CASE("a session may end while what it has left is being compiled") {
  Stalled compiler;
  std::thread helper;
  {
    World world(two_entries, options_of(Mode::Jit));
    world.when_compiled = [&] { compiler.stall(); };
    CHECK(interrupted_call(world, compiler, "slow") == FailureKind::Interrupted);
    helper = std::thread([&] { compiler.let_go(); });
  }
  helper.join();
}

TEST_CASE("what goes wrong in the second tier is told, and the first tier's code goes on") {
  World world(two_entries, options_of(Mode::Mixed));
  world.when_promoted = [] { throw std::runtime_error("no optimiser today"); };
  std::string why;
  for (int i = 0; i < 1000 && why.empty(); ++i) {
    CHECK(world.call("slow", {world.i64s({1, 2, 3})}).scalar().as<std::int64_t>() == 6);
    for (const jit::RegionReport& region : world.swapper->report().regions)
      if (region.state == jit::RegionReport::State::Compiled && !region.reason.empty())
        why = region.reason;
  }
  CHECK(why == "no optimiser today");
}

TEST_CASE("a fault of the compiler's is not overlooked where its rules are checked") {
  for (const bool verifies : {false, true}) {
    jit::SwapOptions options = options_of(Mode::Jit);
    options.verify = verifies;
    World world(two_entries, options);
    world.when_compiled = [] { throw std::logic_error("a rule is broken"); };
    const auto call = [&] { return world.call("slow", {world.i64s({1, 2, 3})}); };
    if (verifies)
      CHECK_THROWS_WITH_AS(call(), "internal error: a rule is broken", RuntimeError);
    else
      CHECK(call().scalar().as<std::int64_t>() == 6);
  }
}
