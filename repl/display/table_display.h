// A record of columns of one length as a person reads it: a table with names, types, the first and
// the last rows.
//
// Columns of words, dates and times, which are numbers and what these mean (lang/values/table.h),
// show what they mean.
#pragma once

#include "lang/values/table.h"
#include "repl/display/display.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::repl {

/// Which rows of so many are shown where there is room for `limit`; -1 stands for those left out.
std::vector<std::int64_t> shown_rows(std::int64_t count, std::size_t limit);

/// A cell as it is shown, on one line: control characters of words are escaped.
std::string shown_cell(const TableColumn& column, std::int64_t row, std::optional<int> digits);
/// "f64", or "words", "date", "time".
std::string shown_type(const TableColumn& column);
bool is_aligned_right(const TableColumn& column);

/// As many columns as the width has room for.
std::string display_table(const Table& table, const DisplayOptions& options);

} // namespace sinter::repl
