#include "repl/text/wrapping.h"

#include "lang/base/text_width.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// Columns of a word, without those of escape sequences.
std::size_t shown_width(std::string_view word) {
  std::size_t width = 0;
  while (!word.empty()) {
    const std::size_t escape = std::min(word.find("\033["), word.size());
    width += text_width(word.substr(0, escape));
    word.remove_prefix(escape);
    if (!word.empty()) word.remove_prefix(std::min(word.find('m'), word.size() - 1) + 1);
  }
  return width;
}

std::string wrapped_line(std::string_view line, std::size_t columns, std::size_t indentation) {
  if (shown_width(line) <= columns) return std::string(line);
  std::string result;
  std::size_t used = 0, start = 0; // columns of the line that is filled, and of its indentation
  for (std::size_t begin = 0; begin < line.size();) {
    // Blanks before a word belong to it, and go if it begins a line.
    const std::size_t word = std::min(line.find_first_not_of(' ', begin), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::size_t width = shown_width(line.substr(word, end - word));
    if (begin > 0 && used + (word - begin) + width > columns && used > start) {
      result += "\n" + std::string(indentation, ' ');
      used = start = indentation;
    } else {
      result.append(word - begin, ' ');
      used += word - begin;
    }
    result += line.substr(word, end - word);
    used += width;
    begin = end;
  }
  return result;
}

template <typename Wrap>
std::string each_line(std::string_view text, const Wrap& wrap) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += wrap(text.substr(0, end));
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

} // namespace

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indentation) {
  return each_line(text,
                   [&](std::string_view line) { return wrapped_line(line, columns, indentation); });
}

std::string wrapped_message(std::string_view text, std::size_t columns) {
  constexpr std::size_t indentation = 4;
  return each_line(text, [&](std::string_view line) {
    return line.starts_with(' ') ? std::string(line) : wrapped_line(line, columns, indentation);
  });
}

} // namespace sinter::repl
