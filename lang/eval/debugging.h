// How much an evaluation mistrusts the program.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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

/// Where functions that may be computed in chunks (core::ChunkLaw) cut their arrays.
struct Chunking {
  enum class Kind : std::uint8_t { Whole, Regular, Random } kind = Kind::Whole;
  std::int64_t size = 0;  ///< of regular chunks; positive
  std::uint64_t seed = 0; ///< of random ones
};

/// "random", "random:7", "1000": random cuts, with a seed or 0, and chunks of a size.  None for any
/// other text.
std::optional<Chunking> chunking_of(std::string_view text);
/// The text that it is written as; empty for `Whole`.
std::string text(const Chunking& chunking);

} // namespace sinter
