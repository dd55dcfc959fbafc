// Records of columns: what tables are as values.
//
// A column is a field, an array of one dimension.  A column of words is two fields: `species`, the
// positions of its words, and `species_words`, the words themselves, each a row of UTF-8 bytes that
// zeros fill up.  A column of dates or times is two fields as well: `when`, numbers, and
// `when_unit`, the text that says what they count.
#pragma once

#include "lang/values/concrete.h"
#include "lang/values/dates.h"
#include "lang/values/field_order.h"
#include "lang/values/representation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// What the field with a column's words has at the end of its name.
inline constexpr std::string_view words_ending = "_words";
/// What the field with the unit of a column of dates or times has there.
inline constexpr std::string_view unit_ending = "_unit";

struct TableColumn {
  std::string name;
  ArrayRef values;                 ///< of one dimension
  std::optional<ArrayRef> words{}; ///< of a column of words, whose values are positions in it
  std::optional<TimeUnit> unit{};  ///< of a column of dates or times
  /// The word, date or time that a row's number means, if it means one.
  std::optional<std::string> text(std::int64_t row) const;
};

struct Table {
  std::vector<TableColumn> columns; ///< in the order in which they are seen
  std::int64_t rows = 0;
};

/// The table that a record of two and more fields is: its fields are arrays of one length, of
/// scalars, or of sums of those; or the words or the unit of such a field.
std::optional<Table> table_of(const Value& value, const Representation* type,
                              const FieldOrder& order = {});

/// Which fields of a record of arrays are the units of others.
std::vector<bool> unit_fields(const Value& value, const RecordRepresentation& record);

/// The bytes of a text as an array.
ArrayRef array_of_text(std::string_view text, MemoryBudget& memory,
                       Representations& representations);

/// The words as an array, [count][longest]u8.
ArrayRef array_of_words(const std::vector<std::string>& words, MemoryBudget& memory,
                        Representations& representations);

} // namespace sinter
