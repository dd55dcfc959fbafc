// Reads the text form of functions.
//
//   function  = "fn" name "(" parameters ")" "->" types "{" statement* "ret" operands "}"
//   body      = "{" ["(" parameters ")"] statement* "yield" operands "}"
//   statement = [definition {"," definition} "="] operation
//   definition, parameter = name ":" type;   type = {"[" operand "]"} element
//
// An extent that is a number is an i64; other constants carry their type ("1.0f32").  Names are
// letters, digits, `_` and `'`.  White space and line ends separate and mean nothing else; `--`
// begins a comment.  Operations look as in print.cpp's `write`.
#pragma once

#include "jit/ir/ir.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace sinter::ir {

struct ParseError : std::runtime_error {
  ParseError(std::size_t line, std::size_t column, const std::string& message);
  std::size_t line, column; ///< from 1
};

/// Throws ParseError.  The result has been verified.  Checks with the same kind and message have
/// the same failure site, numbered in order of appearance.
Function parse(std::string_view text);

} // namespace sinter::ir
