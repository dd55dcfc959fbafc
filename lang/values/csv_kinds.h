// What the cell of a table is: nothing, a number, a truth value, a date, or a word.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

struct CsvCellKind {
  enum Kind : std::uint8_t {
    Missing,
    Integer,  ///< fits into i64
    Unsigned, ///< fits into u64 only
    Float,    ///< has a fraction or an exponent, or is inf or nan
    Huge,     ///< a number that no type of 64 bits holds
    Grouped,  ///< would be a number with the other decimal sign, or with signs between thousands
    Boolean,
    Date,
    Time,
    ZonedTime, ///< a time that says how far it is from UTC
    Word,
    Count
  };
};

CsvCellKind::Kind csv_cell_kind(std::string_view cell, char decimal);

/// Whether it is one that can be had, be it rounded; without blanks around it.
bool is_csv_number(std::string_view cell, char decimal);
/// Whether it is a number only if `,` is the decimal sign, and surely not one with signs between
/// thousands (as `1,234` may be).
bool needs_decimal_comma(std::string_view cell);

/// The nearest one; none if it is none or too large.
std::optional<double> csv_number(std::string_view cell, char decimal);
std::optional<bool> csv_boolean(std::string_view cell);
/// Days since 1970-01-01.
std::optional<std::int64_t> csv_date(std::string_view cell);
/// Microseconds since the beginning of 1970-01-01, of dates as well.
std::optional<std::int64_t> csv_time(std::string_view cell);

} // namespace sinter
