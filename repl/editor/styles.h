// How parts of a text look; a palette says in which colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sinter::repl {

enum class Style : std::uint8_t {
  Plain,
  Prompt,
  Keyword,
  Number,
  String,
  Comment,
  Type,
  Constructor,
  Attribute,
  Command,
  Wrong,    ///< no token of the language
  Matching, ///< the bracket at the cursor and its partner
  Found,    ///< what a search has found
  Faint,    ///< remarks of the editor, types beside completions
};

/// Bytes `begin` to `end` of a text.
struct StyledRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  Style style = Style::Plain;
};

/// The escape sequence that begins a style; plain text needs none, and `style_end` ends the others.
std::string_view style_begin(Style style);
inline constexpr std::string_view style_end = "\x1b[0m";

} // namespace sinter::repl
