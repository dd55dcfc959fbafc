#include "jit/cpu/work_meter.h"

#include <doctest/doctest.h>

using namespace sinter::jit;

TEST_CASE("work is estimated by what was measured at about that size") {
  WorkMeter meter;
  CHECK(meter.estimate(1000) == 0);
  meter.add(1000, 2000);
  CHECK(meter.estimate(1000) == doctest::Approx(2000));
  CHECK(meter.estimate(600) == doctest::Approx(1200));
  CHECK(meter.estimate(5000) == 0);
  // Faster is believed at once, slower only if it stays so.
  meter.add(1000, 1000);
  CHECK(meter.estimate(1000) == doctest::Approx(1000));
  meter.add(1000, 100'000);
  CHECK(meter.estimate(1000) < 15'000);
  for (int i = 0; i < 60; ++i)
    meter.add(1000, 100'000);
  CHECK(meter.estimate(1000) == doctest::Approx(100'000).epsilon(0.01));
  meter.add(0, 100);
  CHECK(meter.estimate(0) == 0);
}
