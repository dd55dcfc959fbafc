// Tables as text: lines of cells between commas, semicolons, tabs or bars (RFC 4180 and its usual
// relatives).
#pragma once

#include "lang/values/format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct CsvOptions {
  std::optional<char>
      delimiter;              ///< else the one of `,` `;` tab `|` that the first line has most of
  std::optional<bool> header; ///< whether the first line names the columns; else told by its looks
  std::size_t skip = 0;       ///< lines before the table
};

struct CsvColumn {
  std::string name; ///< empty if the table names none
  /// [n]i64 if all cells are integers, else [n]f64 if all are numbers or missing (empty, `NA`,
  /// `nan`: not a number), else [n]i64 of categories.
  Value values;
  ElementType element{};
  /// Of a column of words: those that there are, in the order of appearance; the values are
  /// positions in this list.
  std::vector<std::string> categories;
};

/// The columns of a table, all of the same length; at least one.  Throws FormatError with the line,
/// and RuntimeError{OutOfMemory}.
std::vector<CsvColumn> read_csv(std::string_view bytes, const CsvOptions& options,
                                MemoryBudget& memory, Representations& representations);

/// A vector as a column, a matrix, or a record (or an array of records) of columns, with their
/// names in the first line.  Throws FormatError for other types.
void write_csv(std::string& out, const Value& value, const Representation* type,
               char delimiter = ',');

} // namespace sinter
