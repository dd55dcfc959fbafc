// What a half-written input may become: plain data between those who know names (a console) and
// those who show them (the line editor, a notebook).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sinter::repl {

struct Completion {
  std::string text;   ///< stands for everything from `Completions::begin` to the cursor
  std::string detail; ///< beside the text, if there is room: a type, a summary; may be empty
};

struct Completions {
  std::size_t begin = 0; ///< byte offset in the text that was completed
  std::vector<Completion> items;
};

} // namespace sinter::repl
