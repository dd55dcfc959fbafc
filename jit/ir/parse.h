// Reads the text form of functions.
#pragma once

#include "jit/ir/ir.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace sinter::ir {

struct ParseError : std::runtime_error {
  ParseError(std::size_t line, std::size_t column, const std::string& message);
  std::size_t line, column;
};

/// Throws ParseError.  The result has been verified.
Function parse(std::string_view text);

} // namespace sinter::ir
