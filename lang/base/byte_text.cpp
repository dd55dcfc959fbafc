#include "lang/base/byte_text.h"

#include <charconv>
#include <cstdio>
#include <iterator>
#include <utility>

namespace sinter {

std::string byte_text(std::size_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < std::size(units)) {
    amount /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return text;
}

std::optional<std::size_t> parse_byte_text(std::string_view text) {
  constexpr double k = 1024;
  static constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},          {"B", 1},          {"K", k},           {"KB", k},
      {"KiB", k},       {"M", k * k},      {"MB", k * k},      {"MiB", k * k},
      {"G", k * k * k}, {"GB", k * k * k}, {"GiB", k * k * k}, {"T", k * k * k * k}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  for (const auto& [unit, factor] : units)
    if (text == unit && number * factor < 9e18) return static_cast<std::size_t>(number * factor);
  return std::nullopt;
}

std::string exact_byte_text(std::size_t bytes) {
  for (auto [shift, unit] : {std::pair{30, "G"}, {20, "M"}, {10, "K"}})
    if (bytes >= std::size_t{1} << shift && bytes % (std::size_t{1} << shift) == 0)
      return std::to_string(bytes >> shift) + unit;
  return std::to_string(bytes);
}

} // namespace sinter
