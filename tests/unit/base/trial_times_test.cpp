#include "lang/base/trial_times.h"

#include <doctest/doctest.h>

using namespace sinter;
using Told = TrialTimes::Told;

namespace {

/// What is told when so many pieces in a row took so long.
Told told_by(TrialTimes& times, double each) {
  for (int i = 1; i < TrialTimes::pieces_to_tell; ++i)
    CHECK(times.took(each) == Told::Nothing);
  return times.took(each);
}

} // namespace

TEST_CASE("each size is judged against the one before, as soon as some pieces have told") {
  TrialTimes times;
  CHECK(told_by(times, 10) == Told::First);
  times.begin_size();
  CHECK(told_by(times, 9.7) == Told::Faster);
  times.begin_size();
  CHECK(told_by(times, 9.6) == Told::Alike);
  times.begin_size();
  CHECK(told_by(times, 10) == Told::Alike);
  times.begin_size();
  CHECK(told_by(times, 10.6) == Told::Slower);
  times.begin_size();
  CHECK(told_by(times, 5) == Told::Faster);
}

TEST_CASE("what came last counts most; a new size begins anew, the same one goes on") {
  TrialTimes times;
  CHECK(told_by(times, 8) == Told::First);
  // (8 + 16) / 2 = 12, and three times 8: 10, 9, 8.5.
  CHECK(times.took(16) == Told::Nothing);
  CHECK(times.took(8) == Told::Nothing);
  CHECK(times.took(8) == Told::Nothing);
  CHECK(times.took(8) == Told::Slower);
  CHECK(told_by(times, 8) == Told::Faster); // 8.03 against 8.5
  times.begin_size();
  CHECK(times.took(100) == Told::Nothing);
  times.begin_size();
  CHECK(told_by(times, 8) == Told::Alike); // nothing is left of the 100
}

TEST_CASE("work that takes no time at all is neither faster nor slower") {
  TrialTimes times;
  CHECK(told_by(times, 0) == Told::First);
  times.begin_size();
  CHECK(told_by(times, 0) == Told::Alike);
  times.begin_size();
  CHECK(told_by(times, 1) == Told::Slower);
}
