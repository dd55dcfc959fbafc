// Tables as text: lines of cells between commas, semicolons, tabs or bars (RFC 4180 and its usual
// relatives).
//
// What a table does not say of itself is found: what stands between the cells, which sign numbers
// have before their fractions, whether the first line names the columns, what the columns hold.
// Nothing is guessed against the text: where a cell contradicts what its column seems to be, or two
// readings are as likely, reading fails with the place, and says what can be stated.
#pragma once

#include "lang/values/dates.h"
#include "lang/values/field_order.h"
#include "lang/values/format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {

/// What a column holds.
enum class CsvKind {
  Numbers,
  Booleans, ///< true and false, True and False, TRUE and FALSE
  Dates,    ///< 2024-02-29, as days since 1970-01-01
  Times,    ///< 2024-02-29T12:30:00.5, as microseconds since 1970-01-01
  Words,    ///< positions in a list of words
  Codes,    ///< the same, without the words; only if that is asked for
};

/// What somebody says that a column holds.
struct CsvType {
  CsvKind kind = CsvKind::Numbers;
  std::optional<ElementType> element; ///< of Numbers; else i64, u64 or f64, as they are
};
/// "f32", "bool", "date", "time", "words", "codes"; "number".  None for other texts.
std::optional<CsvType> csv_type(std::string_view text);

struct CsvOptions {
  /// A blank stands for any number of them; `one_cell_a_line`: nothing separates cells.
  std::optional<char> delimiter;
  std::optional<char> decimal;      ///< `.` or `,`
  std::optional<bool> header;       ///< whether the first line names the columns
  std::size_t skip = 0;             ///< lines before the table
  std::vector<std::string> missing; ///< what stands where something is missing, beside nothing
  /// Columns by name, or by number from 1.
  std::vector<std::pair<std::string, CsvType>> types;
  /// What columns are called by who states types, if not as in the table.
  std::string (*field_name)(std::string_view) = nullptr;
};
inline constexpr char one_cell_a_line = '\0';

struct CsvColumn {
  std::string name; ///< empty if the table names none
  CsvKind kind{};
  ElementType element{};
  Value values; ///< [n]element; what is missing among numbers is not a number
  /// Of a column of words: those that there are, in the order of appearance; the values are
  /// positions in this list.  What is missing is the empty word.
  std::vector<std::string> words;
  std::optional<TimeUnit> unit{}; ///< of dates and times
  std::size_t missing = 0;        ///< how many cells have nothing in them
};

struct CsvTable {
  std::vector<CsvColumn> columns; ///< all of the same length; at least one
  std::size_t rows = 0;
  char delimiter = one_cell_a_line;
  char decimal = '.';
  std::optional<std::size_t> header_line; ///< if the table names its columns
};

/// Throws FormatError with the line, and RuntimeError{OutOfMemory}.
CsvTable read_csv(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
                  Representations& representations);

/// A vector as a column, a matrix, or a record (or an array of records) of columns, with their
/// names in the first line; columns of words, dates and times (see table.h) as these.  Throws
/// FormatError for other types.
void write_csv(std::string& out, const Value& value, const Representation* type,
               char delimiter = ',', const FieldOrder& order = {});

} // namespace sinter
