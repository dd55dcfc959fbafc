#include "jit/runtime/iterations.h"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>

using namespace sinter::jit;
using Way = WorkMeter::Way;

namespace {

/// A clock that goes on by what iterations are said to take.
struct Time {
  Iterations::Clock::time_point now;
  std::function<Iterations::Clock::time_point()> clock() {
    return [this] { return now; };
  }
};

/// How many of the iterations are run in that way, if each takes so long in the one or the other.
int count(WorkMeter& meter, Way way, int iterations, std::chrono::nanoseconds alone,
          std::chrono::nanoseconds together) {
  using namespace std::chrono_literals;
  Time time;
  RunContext context;
  Iterations loop(context, &meter, 1000, time.clock());
  int result = 0;
  for (int i = 0; i < iterations; ++i) {
    if (context.way == way) ++result;
    time.now += context.way == Way::Together ? together : alone;
    if (i % 100 == 99) time.now += 5ms; // somebody else has the processor
    loop.next();
  }
  return result;
}

} // namespace

TEST_CASE("all launches of a loop's body go the way that its iterations took less time in") {
  using namespace std::chrono_literals;
  constexpr int iterations = 1000;
  WorkMeter shared, alone;
  CHECK(count(shared, Way::Together, iterations, 20us, 5us) > iterations * 2 / 3);
  CHECK(count(alone, Way::Alone, iterations, 5us, 20us) > iterations * 2 / 3);
  // What has been found out is known in the next run.
  CHECK(count(shared, Way::Together, 100, 20us, 5us) > 75);
  CHECK(count(alone, Way::Alone, 100, 5us, 20us) > 75);
}

TEST_CASE(
    "a loop begins in the way that earlier runs have shown, and goes on in it unseen for long") {
  using namespace std::chrono_literals;
  WorkMeter meter;
  Time time;
  RunContext context;
  {
    Iterations loop(context, &meter, 1000, time.clock());
    CHECK(!context.way);
    CHECK(loop.left() == 1);
  }
  (void)count(meter, Way::Together, 1000, 20us, 5us);
  Iterations loop(context, &meter, 1000, time.clock());
  CHECK(context.way == Way::Together);
  CHECK(loop.left() > 10);
  // Several at a time are as good as one by one.
  const std::uint64_t unseen = loop.left();
  time.now += 5us * unseen;
  loop.next(unseen);
  const std::uint64_t measured = loop.left();
  CHECK(measured < unseen);
  time.now += 5us * measured;
  loop.next(measured);
  CHECK(context.way == Way::Together);
}

TEST_CASE("launches of long iterations find out for themselves") {
  using namespace std::chrono_literals;
  WorkMeter meter;
  RunContext context;
  Time time;
  Iterations loop(context, &meter, 1000, time.clock());
  for (int i = 0; i < 20; ++i) {
    CHECK(!context.way);
    time.now += 200us;
    loop.next();
    CHECK(context.is_repeated);
  }
}

TEST_CASE("a loop leaves the context as it was") {
  RunContext context;
  context.way = Way::Together;
  {
    Iterations loop(context, nullptr, 0);
    CHECK(!context.way); // an inner loop is measured apart
    loop.next();
    CHECK(context.is_repeated);
  }
  CHECK(!context.is_repeated);
  CHECK(context.way == Way::Together);
}
