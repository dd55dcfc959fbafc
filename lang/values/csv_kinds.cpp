#include "lang/values/csv_kinds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace sinter {

namespace {

bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes what a reader expects off the front of a text.
struct Taker {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  bool take_sign() { return take('+') || take('-'); }
  std::string_view take_digits() {
    const std::string_view before = rest;
    while (!rest.empty() && is_decimal_digit(rest.front()))
      rest.remove_prefix(1);
    return before.substr(0, before.size() - rest.size());
  }
  /// Exactly so many digits.
  std::optional<int> take_number(std::size_t digits) {
    if (rest.size() < digits || !std::all_of(rest.begin(), rest.begin() + digits, is_decimal_digit))
      return std::nullopt;
    int number = 0;
    std::from_chars(rest.data(), rest.data() + digits, number);
    rest.remove_prefix(digits);
    return number;
  }
};

bool is_equal_without_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool is_integer_text(std::string_view cell) {
  Taker taker{cell};
  taker.take_sign();
  return !taker.take_digits().empty() && taker.rest.empty();
}

bool is_special(std::string_view cell) {
  Taker taker{cell};
  taker.take_sign();
  return is_equal_without_case(taker.rest, "inf") ||
         is_equal_without_case(taker.rest, "infinity") || is_equal_without_case(taker.rest, "nan");
}

bool is_decimal_text(std::string_view cell, char decimal) {
  Taker taker{cell};
  taker.take_sign();
  std::size_t digits = taker.take_digits().size();
  if (taker.take(decimal)) digits += taker.take_digits().size();
  if (digits == 0) return false;
  if (taker.take('e') || taker.take('E')) {
    taker.take_sign();
    if (taker.take_digits().empty()) return false;
  }
  return taker.rest.empty();
}

/// `1,234,567.8` and `1.234.567,8`: groups of three digits, and perhaps a fraction behind the other
/// sign.
bool is_grouped(std::string_view cell, char between, char decimal) {
  Taker taker{cell};
  taker.take_sign();
  const std::size_t first = taker.take_digits().size();
  if (first < 1 || first > 3) return false;
  std::size_t groups = 0;
  for (; taker.take(between); ++groups)
    if (taker.take_digits().size() != 3) return false;
  if (groups > 0 && taker.take(decimal)) taker.take_digits();
  return groups > 0 && taker.rest.empty();
}

std::optional<std::int64_t> take_date(Taker& taker) {
  const std::optional<int> year = taker.take_number(4);
  if (!year || !taker.take('-')) return std::nullopt;
  const std::optional<int> month = taker.take_number(2);
  if (!month || !taker.take('-')) return std::nullopt;
  const std::optional<int> day = taker.take_number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

/// Microseconds of 12:30, 12:30:15 and 12:30:15.250.
std::optional<std::int64_t> take_clock(Taker& taker) {
  const std::optional<int> hour = taker.take_number(2);
  if (!hour || *hour > 23 || !taker.take(':')) return std::nullopt;
  const std::optional<int> minute = taker.take_number(2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t seconds = *hour * 3600 + *minute * 60;
  std::int64_t fraction = 0;
  if (taker.take(':')) {
    const std::optional<int> second = taker.take_number(2);
    if (!second || *second > 59) return std::nullopt;
    seconds += *second;
    if (taker.take('.')) {
      std::string digits(taker.take_digits());
      constexpr std::size_t most = 6; // what lies below a microsecond would be lost
      if (digits.empty() || digits.find_last_not_of('0') + 1 > most) return std::nullopt;
      digits.resize(most, '0');
      std::from_chars(digits.data(), digits.data() + most, fraction);
    }
  }
  return seconds * 1'000'000 + fraction;
}

/// Microseconds that a place's clock is ahead of UTC.
std::optional<std::int64_t> take_zone(Taker& taker) {
  if (taker.take('Z')) return 0;
  const bool is_behind = taker.rest.starts_with('-');
  if (!taker.take_sign()) return std::nullopt;
  const std::optional<int> hours = taker.take_number(2);
  taker.take(':');
  const std::optional<int> minutes = taker.take_number(2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t ahead = (*hours * 60 + *minutes) * std::int64_t{60'000'000};
  return is_behind ? -ahead : ahead;
}

struct Instant {
  std::int64_t microseconds = 0;
  bool has_clock = false;
  bool has_zone = false;
};

std::optional<Instant> instant(std::string_view cell) {
  Taker taker{cell};
  const std::optional<std::int64_t> days = take_date(taker);
  if (!days) return std::nullopt;
  Instant found{*days * 86'400'000'000};
  if (taker.rest.empty()) return found;
  if (!taker.take('T') && !taker.take(' ')) return std::nullopt;
  const std::optional<std::int64_t> clock = take_clock(taker);
  if (!clock) return std::nullopt;
  found.microseconds += *clock;
  found.has_clock = true;
  if (!taker.rest.empty()) {
    const std::optional<std::int64_t> ahead = take_zone(taker);
    if (!ahead || !taker.rest.empty()) return std::nullopt;
    found.microseconds -= *ahead;
    found.has_zone = true;
  }
  return found;
}

CsvCellKind::Kind integer_kind(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  const char* end = cell.data() + cell.size();
  std::int64_t integer = 0;
  if (std::from_chars(cell.data(), end, integer).ec == std::errc{}) return CsvCellKind::Integer;
  std::uint64_t natural = 0;
  const auto [stop, error] = std::from_chars(cell.data(), end, natural);
  return error == std::errc{} && stop == end ? CsvCellKind::Unsigned : CsvCellKind::Huge;
}

} // namespace

std::optional<double> csv_number(std::string_view cell, char decimal) {
  const bool special = is_special(cell);
  if (!special && !is_decimal_text(cell, decimal)) return std::nullopt;
  if (cell.starts_with('+')) cell.remove_prefix(1);
  std::string pointed;
  if (decimal != '.' && !special) {
    pointed = cell;
    std::ranges::replace(pointed, decimal, '.');
    cell = pointed;
  }
  double number = 0;
  if (std::from_chars(cell.data(), cell.data() + cell.size(), number).ec != std::errc{})
    return std::nullopt;
  return number;
}

bool is_csv_number(std::string_view cell, char decimal) {
  return csv_number(cell, decimal).has_value();
}

bool needs_decimal_comma(std::string_view cell) {
  return cell.find(',') != std::string_view::npos && is_decimal_text(cell, ',') &&
         !is_grouped(cell, ',', '.');
}

std::optional<bool> csv_boolean(std::string_view cell) {
  if (cell == "true" || cell == "True" || cell == "TRUE") return true;
  if (cell == "false" || cell == "False" || cell == "FALSE") return false;
  return std::nullopt;
}

std::optional<std::int64_t> csv_date(std::string_view cell) {
  Taker taker{cell};
  const std::optional<std::int64_t> days = take_date(taker);
  return taker.rest.empty() ? days : std::nullopt;
}

std::optional<std::int64_t> csv_time(std::string_view cell) {
  const std::optional<Instant> found = instant(cell);
  if (!found) return std::nullopt;
  return found->microseconds;
}

CsvCellKind::Kind csv_cell_kind(std::string_view cell, char decimal) {
  if (cell.empty()) return CsvCellKind::Missing;
  const char first = cell.front();
  const bool may_be_number = is_decimal_digit(first) || first == '+' || first == '-' ||
                             first == '.' || first == ',' || first == 'i' || first == 'I' ||
                             first == 'n' || first == 'N';
  if (may_be_number) {
    if (is_integer_text(cell)) return integer_kind(cell);
    if (is_special(cell)) return CsvCellKind::Float;
    if (is_decimal_text(cell, decimal))
      return csv_number(cell, decimal) ? CsvCellKind::Float : CsvCellKind::Huge;
    const char other = decimal == '.' ? ',' : '.';
    if (cell.find(',') != std::string_view::npos &&
        (is_decimal_text(cell, ',') || is_grouped(cell, ',', '.') || is_grouped(cell, '.', ',')))
      return CsvCellKind::Grouped;
    if (decimal == ',' && is_decimal_text(cell, other)) return CsvCellKind::Grouped;
  }
  if (csv_boolean(cell)) return CsvCellKind::Boolean;
  if (const std::optional<Instant> found = instant(cell))
    return !found->has_clock ? CsvCellKind::Date
           : found->has_zone ? CsvCellKind::ZonedTime
                             : CsvCellKind::Time;
  return CsvCellKind::Word;
}

} // namespace sinter
