// Words that do not fit into a line go to the next one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Breaks lines that are longer than `columns` at blanks; what goes on in the next line is indented
/// by `indentation` blanks.  Words longer than a line stay whole.  Colours (ESC [ … m) take no
/// room.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indentation);

/// The same for messages: lines that begin with a blank show source text, carets under it, or
/// calls, and stay as they are.
std::string wrapped_message(std::string_view text, std::size_t columns);

} // namespace sinter::repl
