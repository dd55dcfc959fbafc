// Lines, and the blanks around and within them.
#pragma once

#include <string_view>

namespace sinter::repl {

/// Whether there is nothing but blanks, tabs and line breaks.
inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Without the blanks, tabs and carriage returns at both ends.
inline std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Calls `visit` with each line of a text; an empty text has one line, and so has what follows the
/// last line break.
inline void for_each_line(std::string_view text, auto&& visit) {
  while (true) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

} // namespace sinter::repl
