// A model of a terminal: as much of one as the editor's output needs.
#pragma once

#include "lang/base/text_width.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::tests {

class TerminalModel {
public:
  explicit TerminalModel(std::size_t columns) : columns_(columns) { rows_.emplace_back(columns); }

  /// Obeys output; what it doesn't know ends up in `unknown`.
  void feed(std::string_view output) {
    for (std::size_t at = 0; at < output.size();) {
      char c = output[at];
      if (c == '\x1b' && at + 1 < output.size() && output[at + 1] == '[') {
        std::size_t end = at + 2;
        while (end < output.size() && !std::isalpha(static_cast<unsigned char>(output[end])))
          ++end;
        obey(output.substr(at + 2, end - at - 2), output[end]);
        at = end + 1;
      } else if (c == '\r') {
        column_ = 0;
        ++at;
      } else if (c == '\n') {
        if (++row_ == rows_.size()) rows_.emplace_back(columns_);
        ++at;
      } else {
        Glyph glyph = glyph_at(output, at);
        put(std::string(output.substr(at, glyph.size)), glyph.width);
        at += glyph.size;
      }
    }
  }

  /// The rows without blanks at their ends, and without empty rows at the end.
  std::vector<std::string> text() const {
    std::vector<std::string> lines;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (const std::string& cell : row)
        line += cell == hidden ? "" : cell.empty() ? " " : cell;
      while (!line.empty() && line.back() == ' ')
        line.pop_back();
      lines.push_back(line);
    }
    while (!lines.empty() && lines.back().empty())
      lines.pop_back();
    return lines;
  }
  std::size_t row() const { return row_; }
  std::size_t column() const { return column_; }
  bool overflowed() const { return overflowed_; }
  const std::string& unknown() const { return unknown_; }

private:
  void put(const std::string& glyph, std::size_t width) {
    if (column_ + width > columns_) {
      overflowed_ = true; // a real one would go to the next row
      return;
    }
    if (width == 0) return;
    rows_[row_][column_] = glyph;
    if (width == 2) rows_[row_][column_ + 1] = hidden;
    column_ += width;
  }
  void obey(std::string_view argument, char command) {
    std::size_t count =
        argument.empty() ? 1 : std::strtoul(std::string(argument).c_str(), nullptr, 10);
    switch (command) {
    case 'A':
      row_ -= std::min(row_, count);
      break;
    case 'C':
      column_ = std::min(column_ + count, columns_ - 1);
      break;
    case 'K':
      std::fill(rows_[row_].begin() + static_cast<std::ptrdiff_t>(column_), rows_[row_].end(), "");
      break;
    case 'J':
      obey("", 'K');
      rows_.resize(row_ + 1);
      break;
    case 'm':
      break;
    default:
      unknown_ += command;
    }
  }

  static constexpr const char* hidden = "\x01"; ///< the right half of a wide glyph
  std::size_t columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t row_ = 0, column_ = 0;
  bool overflowed_ = false;
  std::string unknown_;
};

} // namespace sinter::tests
