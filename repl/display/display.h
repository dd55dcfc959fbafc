// Values as a person reads them: types with the actual sizes, aligned matrices, labelled planes of
// higher ranks, long arrays elided.  (What a program reads back is lang/values/format.h.)
#pragma once

#include "lang/types/type.h"
#include "lang/values/concrete.h"
#include "lang/values/field_order.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

struct DisplayOptions {
  std::size_t width = 80;        ///< columns of the terminal
  std::size_t max_elements = 40; ///< of an array with one dimension, before it is elided
  std::size_t max_rows = 12;     ///< of a matrix; planes share twice as many
  /// Which of the three were asked for: a terminal's size decides the others.
  bool width_is_fixed = false, max_elements_is_fixed = false, max_rows_is_fixed = false;
  bool numbers = false; ///< a result begins with its name: "it3 = i32: 5"
  /// Significant digits of floats; none: all that they have, six in arrays.
  std::optional<int> digits;

  /// Nothing is elided, and numbers have all their digits.
  static DisplayOptions everything(std::size_t width);
};

/// The type as declared or inferred, with the sizes that the value shows: "[3][2]f64".
std::string type_text(const types::Type* type, const Value& value);
/// The same from the representation, for values that come from outside.
std::string type_text(const Representation* type, const Value& value, const FieldOrder& = {});

/// The value alone, without type suffixes; several lines for matrices and long arrays.
/// A record of columns of one length is a table (see table_display.h).
std::string display(const Value& value, const Representation* representation,
                    const DisplayOptions& options = {}, const FieldOrder& order = {});

/// "[3]i32: [1, 2, 3]", or the type and a colon on a line of their own before a block.
std::string display_result(std::string_view type, const Value& value,
                           const Representation* representation, const DisplayOptions& = {},
                           const FieldOrder& order = {});

/// How many scalars a value holds, as far as its display would show them.
std::size_t scalar_count(const Value& value);

/// A number without its type's suffix, rounded to `digits` significant ones where it has more.
std::string number_text(ElementType element, Scalar scalar, std::optional<int> digits);

} // namespace sinter::repl
