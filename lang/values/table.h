// Records of columns: what tables are as values.
//
// A column is a field, an array of one dimension.  A column of words is two fields: `species`, the
// positions of its words, and `species_words`, the words themselves, each a row of UTF-8 bytes that
// zeros fill up.
#pragma once

#include "lang/values/concrete.h"
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

struct TableColumn {
  std::string name;
  ArrayRef values;                 ///< of one dimension
  std::optional<ArrayRef> words{}; ///< of a column of words, whose values are positions in it
  /// The word in a row, if the row has one of those that there are.
  std::optional<std::string> word(std::int64_t row) const;
};

struct Table {
  std::vector<TableColumn> columns; ///< in the order in which they are seen
  std::int64_t rows = 0;
};

/// The table that a record of two and more fields is: its fields are arrays of one length, of
/// scalars, or of sums of those; or the words of such a field.
std::optional<Table> table_of(const Value& value, const Representation* type,
                              const FieldOrder& order = {});

/// The words as an array, [count][longest]u8.
ArrayRef array_of_words(const std::vector<std::string>& words, MemoryBudget& memory,
                        Representations& representations);

} // namespace sinter
