// A data file as a sequence of values, whatever its format.
#pragma once

#include "lang/values/format.h"
#include "repl/data/data.h"

#include <deque>
#include <optional>
#include <string>

namespace sinter::repl {

/// The contents of one file: values as text and binary mixed, or one .npy array (told by its first
/// bytes, not by its name), or a table, or raw elements.  Like ValueReader, but it owns the bytes.
class ValueSource {
public:
  ValueSource(FileContents contents, MemoryBudget& memory, Representations& representations);
  ValueSource(std::string bytes, MemoryBudget& memory, Representations& representations)
      : ValueSource(FileContents(std::move(bytes)), memory, representations) {}
  /// A table (see `is_table`) is the matrix or the vector that it is, or a value for each column;
  /// behind the positions of words come the words.  Numbers become the type that is wanted of them
  /// if it has them.  Throws FormatError and RuntimeError{OutOfMemory}.
  ValueSource(const std::string& path, const ReadOptions& options, MemoryBudget& memory,
              Representations& representations);
  ValueSource(const ValueSource&) = delete; // the reader points into the bytes
  ValueSource& operator=(const ValueSource&) = delete;
  bool at_end();
  /// Whether values have no types of their own, so that one must be wanted.
  bool is_table() const { return is_table_; }
  /// Throws FormatError, also when the value has another element type or rank than wanted.
  ExternalValue read(std::optional<ElementType> wanted = std::nullopt,
                     std::optional<std::uint32_t> rank = std::nullopt);

private:
  struct Column {
    std::string name; ///< empty if there is none
    ArrayRef values;
  };
  /// Throws FormatError if the value is not of that type.
  static void require(const ExternalValue& value, std::string_view where,
                      std::optional<ElementType> wanted, std::optional<std::uint32_t> rank);
  ExternalValue read_column(std::optional<ElementType> wanted, std::optional<std::uint32_t> rank);

  FileContents contents_;
  MemoryBudget& memory_;
  Representations& representations_;
  ValueReader reader_;
  bool is_npy_;
  std::optional<ExternalValue> raw_; ///< elements without a form, until they are read
  bool is_raw_ = false;
  bool npy_is_read_ = false;
  bool is_table_ = false;
  std::deque<Column> columns_; ///< of a table, as far as they were not read
};

} // namespace sinter::repl
