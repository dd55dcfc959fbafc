#include "repl/text/quantities.h"

#include "lang/base/byte_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <span>

namespace sinter::repl {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit time_units[] = {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};

/// A positive number and a unit of the table ("" has the factor of a plain number).
std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& known : units)
    if (unit == known.name) return number * known.factor;
  return std::nullopt;
}

} // namespace

std::optional<std::size_t> parse_memory(std::string_view text) {
  return parse_byte_text(text);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  std::optional<double> milliseconds = parse_quantity(text, time_units);
  if (!milliseconds || *milliseconds > 1e12) return std::nullopt;
  return std::chrono::milliseconds(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(*milliseconds)));
}

std::string memory_text(std::size_t bytes) {
  return exact_byte_text(bytes);
}

std::string duration_text(std::chrono::milliseconds duration) {
  const std::int64_t count = duration.count();
  if (count % 3600000 == 0) return std::to_string(count / 3600000) + "h";
  if (count % 60000 == 0) return std::to_string(count / 60000) + "m";
  if (count % 1000 == 0) return std::to_string(count / 1000) + "s";
  return std::to_string(count) + "ms";
}

std::string bytes_text(std::size_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double amount = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (amount < 1024) break;
    amount /= 1024;
    unit = next;
  }
  char text[32];
  std::snprintf(text, sizeof text, amount < 10 ? "%.1f %s" : "%.0f %s", amount, unit);
  return text;
}

} // namespace sinter::repl
