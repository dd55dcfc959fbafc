#include "lang/values/csv_cells.h"

#include "lang/values/csv_kinds.h"

#include <algorithm>

namespace sinter {

namespace {

constexpr std::string_view delimiters = ",;\t| "; ///< the likeliest first

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// How well the first lines are a table with some delimiter.
struct Fit {
  bool is_regular = false; ///< all lines have as many cells
  double numbers = 0;    ///< which part of the cells holds numbers, with one decimal sign or other
  std::size_t cells = 1; ///< of the first line

  bool is_better_than(const Fit& other) const {
    if (is_regular != other.is_regular) return is_regular;
    if (is_regular && numbers != other.numbers) return numbers > other.numbers;
    return cells > other.cells;
  }
};

Fit fit(std::string_view bytes, std::size_t skip, char delimiter, std::optional<char> decimal) {
  constexpr std::size_t looked_at = 100; // lines
  Fit fit;
  CsvLines lines(bytes, skip, delimiter);
  std::vector<std::string_view> cells;
  std::size_t filled = 0, numbers = 0;
  fit.is_regular = true;
  bool all_below_are_numbers = true;
  try {
    for (std::size_t i = 0; i < looked_at && lines.next(cells); ++i) {
      if (i == 0) fit.cells = cells.size();
      fit.is_regular = fit.is_regular && cells.size() == fit.cells;
      for (std::string_view cell : cells) {
        if (cell.empty()) continue;
        ++filled;
        const bool is_number =
            is_csv_number(cell, decimal.value_or('.')) || (!decimal && is_csv_number(cell, ','));
        numbers += is_number ? 1 : 0;
        all_below_are_numbers = all_below_are_numbers && (is_number || i == 0);
      }
    }
  } catch (const FormatError&) {
    fit.is_regular = false;
    if (fit.cells == 1) fit.cells = cells.size() + 1; // in the first line
  }
  fit.numbers = filled == 0 ? 0 : static_cast<double>(numbers) / static_cast<double>(filled);
  // Blanks stand in words too: they separate numbers only.
  if (delimiter == ' ' && !(fit.is_regular && numbers > 0 && all_below_are_numbers)) fit.cells = 1;
  return fit;
}

} // namespace

CsvLines::CsvLines(std::string_view bytes, std::size_t skip, char delimiter)
    : bytes_(bytes), delimiter_(delimiter) {
  constexpr std::string_view mark_of_utf8 = "\xEF\xBB\xBF";
  if (bytes_.starts_with(mark_of_utf8)) at_ = mark_of_utf8.size();
  for (std::size_t i = 0; i < skip; ++i)
    skip_line();
}

/// Lines end with \n, \r\n, or \r.
void CsvLines::skip_line() {
  const std::size_t end = bytes_.find_first_of("\r\n", at_);
  if (end == std::string_view::npos) {
    at_ = bytes_.size();
    return;
  }
  at_ = end + (bytes_.substr(end, 2) == "\r\n" ? 2 : 1);
  ++line_;
}

bool CsvLines::is_blank_line() const {
  const std::size_t text = bytes_.find_first_not_of(delimiter_ == '\t' ? " " : " \t", at_);
  return text == std::string_view::npos || bytes_[text] == '\n' || bytes_[text] == '\r';
}

void CsvLines::skip_blanks() {
  while (at_ < bytes_.size() && (bytes_[at_] == ' ' || (bytes_[at_] == '\t' && delimiter_ != '\t')))
    ++at_;
}

bool CsvLines::next(std::vector<std::string_view>& cells) {
  cells.clear();
  while (at_ < bytes_.size() && is_blank_line()) {
    poll_();
    skip_line();
  }
  if (at_ >= bytes_.size()) return false;
  begin_line_ = line_;
  for (;;) {
    cells.push_back(cell());
    if (delimiter_ == ' ') {
      skip_blanks();
      if (at_ < bytes_.size() && !at_line_end()) continue;
    } else if (at_ < bytes_.size() && at_delimiter()) {
      ++at_;
      continue;
    }
    if (at_ < bytes_.size()) skip_line();
    return true;
  }
}

std::string_view CsvLines::cell() {
  poll_();
  skip_blanks();
  if (at_ < bytes_.size() && bytes_[at_] == '"') return quoted_cell();
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !at_delimiter() && !at_line_end()) {
    poll_();
    ++at_;
  }
  return without_blanks_around(bytes_.substr(begin, at_ - begin));
}

std::string_view CsvLines::quoted_cell() {
  const std::size_t begin_line = line_;
  std::string text;
  for (++at_;; ++at_) {
    poll_();
    if (at_ >= bytes_.size())
      throw FormatError("line " + std::to_string(begin_line) + ": a quoted cell has no end");
    if (bytes_[at_] == '"') {
      if (at_ + 1 >= bytes_.size() || bytes_[at_ + 1] != '"') break;
      ++at_;
    }
    if (bytes_[at_] == '\n' || (bytes_[at_] == '\r' && bytes_.substr(at_, 2) != "\r\n")) ++line_;
    text += bytes_[at_];
  }
  ++at_;
  if (delimiter_ != ' ') skip_blanks();
  if (at_ < bytes_.size() && !at_delimiter() && !at_line_end())
    throw FormatError("line " + std::to_string(line_) + ": something stands behind a quoted cell");
  return quoted_.emplace_back(std::move(text));
}

char find_delimiter(std::string_view bytes, std::size_t skip, std::optional<char> decimal) {
  char best = one_cell_a_line;
  Fit best_fit;
  for (char delimiter : delimiters) {
    const Fit found = fit(bytes, skip, delimiter, decimal);
    if (found.cells < 2 || !found.is_better_than(best_fit)) continue;
    best = delimiter;
    best_fit = found;
  }
  return best;
}

} // namespace sinter
