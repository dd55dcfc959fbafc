// How many columns text takes on a terminal, and where its characters begin: UTF-8, East Asian wide
// characters, combining marks.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinter {

/// One character as a person sees it: a code point with the combining marks that follow.
struct Glyph {
  std::size_t size = 0;      ///< bytes; 0 only at the end of the text
  std::size_t width = 0;     ///< columns: 1, 2, or 0 for a mark without a base
  bool is_printable = false; ///< not a control character, and valid UTF-8
};

/// The glyph that starts at byte `at`.  A byte that is no UTF-8 is a glyph of its own, one column
/// wide; so is each control character.
Glyph glyph_at(std::string_view text, std::size_t at);

/// Where the glyph before byte `at` starts; 0 at the start.
std::size_t glyph_before(std::string_view text, std::size_t at);

/// Columns of a text without control characters.
std::size_t text_width(std::string_view text);

/// The longest start of a text that fits into so many columns.
std::string_view fitting(std::string_view text, std::size_t columns);

} // namespace sinter
