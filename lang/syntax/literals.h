// The values that literal tokens stand for.
#pragma once

#include "lang/syntax/ast.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinter::syntax {

/// From a well-formed integer token: decimal, `0x`, `0b` or `0r` (Roman), underscores, suffix.
IntegerLiteral decode_integer(std::string_view text);
/// From a well-formed decimal or hexadecimal floating-point token; correctly rounded, and infinite
/// beyond the largest double.
FloatLiteral decode_float(std::string_view text);

/// The bytes (UTF-8) between the quotes of a string token; nothing if an escape is unknown, which
/// is then at `bad_escape` (offset in `text`).
std::optional<std::string> decode_string(std::string_view text, std::size_t& bad_escape);
/// The code point of a character token.
std::optional<std::uint32_t> decode_character(std::string_view text);

} // namespace sinter::syntax
