#include "lang/values/dates.h"

#include <array>
#include <chrono>

namespace sinter {

namespace {

constexpr std::int64_t microseconds_of_day = 86'400'000'000;

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::optional<std::string> date_text(std::int64_t days) {
  // Within these any date can be computed.
  constexpr std::int64_t most_days = 10'000 * 366;
  if (days < -most_days || days > most_days) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  const int year = static_cast<int>(date.year());
  if (year < 0 || year > 9999) return std::nullopt;
  return padded(year, 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2);
}

std::string clock_text(std::int64_t microseconds) {
  const std::int64_t seconds = microseconds / 1'000'000;
  std::string text = padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" +
                     padded(seconds % 60, 2);
  if (microseconds % 1'000'000 == 0) return text;
  text += "." + padded(microseconds % 1'000'000, 6);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

constexpr std::array<std::pair<TimeUnit, std::string_view>, 3> units = {
    {{TimeUnit::Days, "days since 1970-01-01"},
     {TimeUnit::Microseconds, "microseconds since 1970-01-01"},
     {TimeUnit::MicrosecondsOfUtc, "microseconds since 1970-01-01T00:00:00Z"}}};

} // namespace

std::string_view unit_text(TimeUnit unit) {
  return units[static_cast<std::size_t>(unit)].second;
}

std::optional<TimeUnit> time_unit(std::string_view text) {
  for (const auto& [unit, known] : units)
    if (text == known) return unit;
  return std::nullopt;
}

std::optional<std::string> time_text(TimeUnit unit, std::int64_t count) {
  if (unit == TimeUnit::Days) return date_text(count);
  std::int64_t days = count / microseconds_of_day, rest = count % microseconds_of_day;
  if (rest < 0) {
    rest += microseconds_of_day;
    --days;
  }
  std::optional<std::string> text = date_text(days);
  if (text) *text += "T" + clock_text(rest) + (unit == TimeUnit::MicrosecondsOfUtc ? "Z" : "");
  return text;
}

} // namespace sinter
