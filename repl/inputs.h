// A file of inputs, taken apart into what one would type one after the other at a prompt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct Input {
  std::uint32_t line = 1; ///< of the file, where it begins
  std::string text;       ///< a command's line, or whole lines of the language
  bool is_command() const { return text.starts_with(':'); }
};

/// An input ends before a line that begins, in its first column, with a command's `:` or the
/// keyword of a declaration, and after an empty line.  Comments and attributes belong to what
/// follows them. Inputs of nothing but white space and comments are left out.
std::vector<Input> split_inputs(std::string_view text);

} // namespace sinter::repl
