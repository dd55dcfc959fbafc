// How much an evaluation mistrusts the program.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter {

/// Whether what the language only assumes of a program is tested on the data at hand
/// (assumptions.h), and what becomes of a violation.
enum class Debugging : std::uint8_t {
  Off,
  Warn, ///< it is told, once for each place, and the evaluation goes on
  On,   ///< it is an error
  Nan,  ///< it is an error, and so is the first NaN or infinity that comes of numbers
};

inline constexpr std::array<std::pair<Debugging, std::string_view>, 4> debugging_names = {
    {{Debugging::Off, "off"},
     {Debugging::Warn, "warn"},
     {Debugging::On, "on"},
     {Debugging::Nan, "nan"}}};

constexpr std::string_view name(Debugging debugging) {
  return debugging_names[static_cast<std::size_t>(debugging)].second;
}
/// None for a text that names no level.
constexpr std::optional<Debugging> debugging_of(std::string_view text) {
  for (const auto& [debugging, known] : debugging_names)
    if (known == text) return debugging;
  return std::nullopt;
}

} // namespace sinter
