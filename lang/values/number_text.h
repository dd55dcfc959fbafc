// Scalars as text, exactly: what is written reads back to the same bits, what is read is rounded
// once.  Knows no white space, arrays or files.
#pragma once

#include "lang/base/element_type.h"
#include "lang/values/scalar.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// Room that one scalar with its suffix needs at most.
inline constexpr std::size_t longest_scalar_text = 48;

/// Writes a scalar as `print` does; returns the end.  `out` has room for `longest_scalar_text`.
char* write_scalar(char* out, ElementType element, Scalar scalar, bool with_suffix = true);

/// Whether a character may be part of a scalar's text.
constexpr bool is_scalar_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '-' || c == '+';
}

/// The type that a scalar's text has by itself: of its suffix, else bool, f64 or i32 by its form;
/// none if it is nothing of that kind.
std::optional<ElementType> type_of_scalar_text(std::string_view text);

/// Reads a whole scalar text as `element`: decimal, hexadecimal and binary integers, decimal and
/// hexadecimal floats, `true`, `f32.nan`, `-inf`; underscores between digits; the suffix may be
/// missing, and an integer's text may be read as a float.  A signed integer may be written as the
/// unsigned number with the same bits (255i8 is -1i8), as Futhark allows.  None if the text is not
/// of that type or does not fit into it; `why` then says so.
std::optional<Scalar> parse_scalar(std::string_view text, ElementType element, std::string& why);

/// The common forms fast: reads an element at the beginning of [begin, end) and returns where it
/// ends, or null if it takes `parse_scalar` to say what is there.  T is the element's C++ type.
template <typename T>
const char* scan_scalar(const char* begin, const char* end, T& out);

} // namespace sinter
