#include "jit/cpu/work_meter.h"

#include <doctest/doctest.h>

using namespace sinter::jit;
using Way = WorkMeter::Way;

TEST_CASE("threads join where that took less time") {
  WorkMeter meter;
  // Nothing is known: the work may be long.
  CHECK(meter.choose(1000) == Way::Together);
  meter.add(1000, Way::Together, 30'000);
  CHECK(meter.choose(1000) == Way::Alone);
  meter.add(1000, Way::Alone, 50'000);
  CHECK(meter.choose(1000) == Way::Together);
  CHECK(meter.choose(600) == Way::Together);
  meter.add(1000, Way::Alone, 20'000);
  CHECK(meter.choose(1000) == Way::Alone);
  // Other sizes are others' business.
  CHECK(meter.choose(5000) == Way::Together);
  CHECK(meter.choose(0) == Way::Together);
}

TEST_CASE("what takes long together is not tried alone") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 400'000);
  for (int i = 0; i < 1000; ++i)
    CHECK(meter.choose(1000) == Way::Together);
}

TEST_CASE("nobody is woken for little work") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 1'000);
  meter.add(1000, Way::Alone, 5'000);
  for (int i = 0; i < 1000; ++i)
    CHECK(meter.choose(1000) == Way::Alone);
}

TEST_CASE("the slower way is tried again from time to time") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 30'000);
  meter.add(1000, Way::Alone, 50'000);
  int trials = 0;
  for (int i = 0; i < 1024; ++i)
    trials += meter.choose(1000) == Way::Alone;
  CHECK(trials == 10); // 4, 8, …, 256, then every 256
  meter.add(1000, Way::Alone, 12'000);
  CHECK(meter.choose(1000) == Way::Alone);
}

TEST_CASE("a first time that was not its own is soon corrected") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 900'000);
  meter.add(1000, Way::Alone, 500'000);
  const auto trials = [&] {
    int count = 0;
    for (int i = 0; i < 4; ++i)
      count += meter.choose(1000) == Way::Together;
    return count;
  };
  CHECK(trials() == 1);
  meter.add(1000, Way::Together, 260'000);
  // (Alone is not tried any more: it takes long.)
  CHECK(trials() == 4);
}

TEST_CASE("faster is believed at once, slower only if it stays so") {
  WorkMeter meter;
  meter.add(1000, Way::Together, 30'000);
  meter.add(1000, Way::Alone, 20'000);
  meter.add(1000, Way::Alone, 80'000);
  CHECK(meter.choose(1000) == Way::Alone);
  for (int i = 0; i < 60; ++i)
    meter.add(1000, Way::Alone, 80'000);
  CHECK(meter.choose(1000) == Way::Together);
}
