#include "lang/values/csv_kinds.h"
#include "lang/values/dates.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("days and microseconds are dates and times, and the other way round") {
  CHECK(time_text(TimeUnit::Days, 0) == "1970-01-01");
  CHECK(time_text(TimeUnit::Days, -1) == "1969-12-31");
  CHECK(time_text(TimeUnit::Microseconds, -1) == "1969-12-31T23:59:59.999999");
  CHECK(time_text(TimeUnit::MicrosecondsOfUtc, 43'200'250'000) == "1970-01-01T12:00:00.25Z");
  for (std::int64_t day = -719'528; day <= 2'932'896; day += 97) {
    const std::optional<std::string> text = time_text(TimeUnit::Days, day);
    REQUIRE(text.has_value());
    CHECK(csv_date(*text) == day);
    const std::int64_t at = day * 86'400'000'000 + (day * 999'983 & 0xFFFFFFF);
    CHECK(csv_time(*time_text(TimeUnit::Microseconds, at)) == at);
  }
}

TEST_CASE("numbers beyond the calendar's years are no dates") {
  CHECK(time_text(TimeUnit::Days, -719'528) == "0000-01-01");
  CHECK(time_text(TimeUnit::Days, 2'932'896) == "9999-12-31");
  CHECK_FALSE(time_text(TimeUnit::Days, -719'529));
  CHECK_FALSE(time_text(TimeUnit::Days, 2'932'897));
  for (TimeUnit unit : {TimeUnit::Days, TimeUnit::Microseconds, TimeUnit::MicrosecondsOfUtc}) {
    CHECK_FALSE(time_text(unit, INT64_MIN));
    CHECK_FALSE(time_text(unit, INT64_MAX));
    CHECK(time_unit(unit_text(unit)) == unit);
  }
  CHECK_FALSE(time_unit("days"));
}
