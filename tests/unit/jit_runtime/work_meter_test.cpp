#include "jit/runtime/work_meter.h"

#include <doctest/doctest.h>

using namespace sinter::jit;
using Way = WorkMeter::Way;

TEST_CASE("threads join where that took less time") {
  WorkMeter meter;
  // Nothing is known: the work may be long.
  CHECK(meter.choose({.count = 1000}) == Way::Together);
  meter.add(1000, Way::Together, 30'000);
  CHECK(meter.choose({.count = 1000}) == Way::Alone);
  meter.add(1000, Way::Alone, 50'000);
  CHECK(meter.choose({.count = 1000}) == Way::Together);
  CHECK(meter.choose({.count = 600}) == Way::Together);
  meter.add(1000, Way::Alone, 20'000);
  CHECK(meter.choose({.count = 1000}) == Way::Alone);
  // Other sizes are others' business.
  CHECK(meter.choose({.count = 5000}) == Way::Together);
  CHECK(meter.choose({.count = 0}) == Way::Together);
}

TEST_CASE("what takes long together is not tried alone") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 100'000);
  for (int i = 0; i < 1000; ++i)
    CHECK(meter.choose({.count = 1000}) == Way::Together);
}

TEST_CASE("nobody is told of hardly any work") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 500);
  meter.add(1000, Way::Alone, 1'000);
  for (int i = 0; i < 1000; ++i)
    CHECK(meter.choose({.count = 1000}) == Way::Alone);
}

TEST_CASE("nobody is woken for little work") {
  WorkMeter meter;
  const WorkMeter::Question single = {
      .count = 1000, .expected_nanoseconds = 8'000, .follows = false};
  WorkMeter::Question next = single;
  next.follows = true;
  CHECK(meter.choose(single) == Way::Alone);
  CHECK(meter.choose(next) == Way::Alone); // what it takes is not known yet
  meter.add(1000, Way::Alone, 8'000);
  for (int i = 0; i < 1000; ++i)
    CHECK(meter.choose(single) == Way::Alone);
  // In a loop others stand by.
  CHECK(meter.choose(next) == Way::Together);
  meter.add(1000, Way::Together, 5'000);
  CHECK(meter.choose(next) == Way::Together);
  CHECK(meter.choose(single) == Way::Alone);
}

TEST_CASE("where launches follow each other, a trial is several: the first one wakes others") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 20'000);
  meter.add(1000, Way::Alone, 8'000);
  int trials = 0;
  for (int i = 1; i <= 11; ++i)
    trials += meter.choose({.count = 1000}) == Way::Together;
  CHECK(trials == 8); // 4 to 7, 8 to 11
}

TEST_CASE("the slower way is tried again from time to time") {
  WorkMeter meter; // (of times that are worth waking another thread)
  meter.add(1000, Way::Together, 42'000);
  meter.add(1000, Way::Alone, 55'000);
  int trials = 0;
  for (int i = 0; i < 1024; ++i)
    trials += meter.choose({.count = 1000}) == Way::Alone;
  CHECK(trials == 10); // 4, 8, …, 256, then every 256
  meter.add(1000, Way::Alone, 41'000);
  CHECK(meter.choose({.count = 1000}) == Way::Alone);
}

TEST_CASE("a way that takes much longer is tried again rarely") {
  // Fifty calls follow each other without one that takes much longer than the best one.
  const auto trials = [](double alone, double together, int launches) {
    WorkMeter meter;
    meter.add(1000, Way::Together, together);
    meter.add(1000, Way::Alone, alone);
    const Way slower = alone < together ? Way::Together : Way::Alone;
    int count = 0;
    for (int i = 0; i < launches; ++i)
      count += meter.choose({.count = 1000}) == slower;
    return count;
  };
  CHECK(trials(280'000, 150'000, 1024) == 0);
  CHECK(trials(55'000, 30'000, 255) == 0);
  CHECK(trials(55'000, 30'000, 1024) == 4);
  // (Once: the first time together was that of the threads' beginning.)
  CHECK(trials(35'000, 120'000, 255) == 1);
  // What costs hardly more is.
  CHECK(trials(50'000, 40'000, 255) == 6);
  CHECK(trials(150'000, 180'000, 255) == 6);
}

TEST_CASE("a first time that was not its own is soon corrected") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 900'000);
  meter.add(1000, Way::Alone, 500'000);
  const auto trials = [&] {
    int count = 0;
    for (int i = 0; i < 4; ++i)
      count += meter.choose({.count = 1000}) == Way::Together;
    return count;
  };
  CHECK(trials() == 1);
  meter.add(1000, Way::Together, 260'000);
  // (Alone is not tried any more: it takes long.)
  CHECK(trials() == 4);
}

TEST_CASE("what a launch takes alone is settled once it was measured some times, size by size") {
  WorkMeter meter;
  for (int i = 0; i < 4; ++i) {
    CHECK(!meter.is_settled(1000));
    meter.add(1000, Way::Together, 5'000);
    meter.add(1000, Way::Alone, i == 0 ? 40'000 : 8'000); // the first time is others', too
  }
  CHECK(meter.is_settled(1000));
  CHECK(meter.nanoseconds_alone(1000) == 8'000);
  CHECK(!meter.is_settled(100'000));
}

TEST_CASE("faster is believed at once, slower only if it stays so") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 30'000);
  meter.add(1000, Way::Alone, 20'000);
  meter.add(1000, Way::Alone, 80'000);
  CHECK(meter.choose({.count = 1000}) == Way::Alone);
  for (int i = 0; i < 60; ++i)
    meter.add(1000, Way::Alone, 80'000);
  CHECK(meter.choose({.count = 1000}) == Way::Together);
}
