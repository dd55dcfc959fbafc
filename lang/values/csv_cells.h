// Cuts the text of a table into lines of cells, and finds what stands between the cells.
#pragma once

#include "lang/base/interruptible.h"
#include "lang/values/csv.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// The lines of a table, one after the other.  A cell that has quotation marks at its ends may hold
/// delimiters, line ends and doubled quotation marks; blanks at the ends of others mean nothing.
class CsvLines {
public:
  /// Behind `skip` lines.
  CsvLines(std::string_view bytes, std::size_t skip, char delimiter);

  /// The cells of the next line that is not blank; false at the end.  Throws FormatError.
  bool next(std::vector<std::string_view>& cells);
  /// Where what `next` gave begins, from 1.
  std::size_t line() const { return begin_line_; }
  /// Quoted cells, which the cells that `next` gave point into.
  std::deque<std::string> take_quoted() && { return std::move(quoted_); }

private:
  void skip_line();
  bool is_blank_line() const;
  bool at_line_end() const { return bytes_[at_] == '\n' || bytes_[at_] == '\r'; }
  bool at_delimiter() const { return delimiter_ != one_cell_a_line && bytes_[at_] == delimiter_; }
  void skip_blanks();
  std::string_view cell();
  std::string_view quoted_cell();

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t begin_line_ = 1;
  char delimiter_;
  std::deque<std::string> quoted_;
  SparsePoll poll_;
};

/// What makes most of the first lines a table: as many cells in each, numbers in many of them.
/// `decimal` is what is known of the numbers.
char find_delimiter(std::string_view bytes, std::size_t skip, std::optional<char> decimal);

} // namespace sinter
