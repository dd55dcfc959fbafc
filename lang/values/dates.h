// What numbers that count days or microseconds mean: dates and times, in ISO 8601's notation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

enum class TimeUnit {
  Days,              ///< since 1970-01-01
  Microseconds,      ///< since the beginning of that day, by a clock that stands somewhere
  MicrosecondsOfUtc, ///< since the beginning of that day in UTC
};

/// "days since 1970-01-01", as other formats of scientific data have it.
std::string_view unit_text(TimeUnit unit);
std::optional<TimeUnit> time_unit(std::string_view text);

/// "2024-02-29", "2024-02-29T12:30:00.25", "2024-02-29T12:30:00Z"; none beyond the years 0 to 9999.
std::optional<std::string> time_text(TimeUnit unit, std::int64_t count);

} // namespace sinter
