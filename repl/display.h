// Values as a person reads them: types with the actual sizes, aligned matrices, long arrays elided.
// (What a program reads back is lang/values/format.h.)
#pragma once

#include "lang/types/type.h"
#include "lang/values/concrete.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::repl {

struct DisplayOptions {
  std::size_t width = 80;        ///< columns of the terminal
  std::size_t max_elements = 40; ///< of an array with one dimension, before it is elided
  std::size_t max_rows = 12;     ///< of every other dimension
  std::size_t max_columns = 12;  ///< of the innermost dimension of a matrix
  bool numbers = false;          ///< a result begins with its name: "it3 = i32: 5"
};

/// The type as declared or inferred, with the sizes that the value shows: "[3][2]f64".
std::string type_text(const types::Type* type, const Value& value);

/// The value alone, without type suffixes; several lines for matrices and long arrays.
std::string display(const Value& value, const Representation* representation,
                    const DisplayOptions& options = {});

/// "[3]i32: [1, 2, 3]", or the type and a colon on a line of their own before a block.
std::string display_result(std::string_view type, const Value& value,
                           const Representation* representation, const DisplayOptions& = {});

} // namespace sinter::repl
