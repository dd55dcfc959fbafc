// Tokens: what the lexer makes of a text and the parser reads.
#pragma once

#include <cstdint>
#include <string_view>

namespace sinter::syntax {

enum class TokenKind : std::uint8_t {
  EndOfFile,
  Error, ///< already reported by the lexer
  Identifier,
  Constructor, ///< `#name`
  Natural,     ///< decimal digits without a suffix; also names a tuple's field
  Integer,     ///< any other integer literal
  Float,
  Character,
  String,
  // infix symbols; those with a second role have a kind of their own
  Operator, ///< possibly qualified: `m.n.+`
  Star,
  Minus,
  Less,
  Hat,
  Pipe,
  Bang,
  Equals,
  // punctuation
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  IndexBracket, ///< `[` that directly follows a name, `)` or `]`
  RightBracket,
  LeftBrace,
  RightBrace,
  AttributeBracket, ///< `#[`
  Comma,
  Underscore,
  Question,
  Hole, ///< `???`
  Arrow,
  Colon,
  Coerce, ///< `:>`
  Backslash,
  Tilde,
  Apostrophe,
  ApostropheHat,
  ApostropheTilde,
  Backquote,
  Dot,
  DotDot,
  DotDotDot,
  DotDotLess,
  DotDotGreater,
  // keywords
  True,
  False,
  If,
  Then,
  Else,
  Def,
  Let,
  Loop,
  In,
  Val,
  For,
  Do,
  With,
  Local,
  Open,
  Include,
  Import,
  Type,
  Entry,
  Module,
  While,
  Assert,
  Match,
  Case,
};

/// How tightly an infix form binds, loosest first; the language reference's table.
enum class Level : std::uint8_t {
  None,
  Range,      ///< `...`, right
  Backquote,  ///< `` `f` ``
  With,       ///< `x with p = v`
  PipeRight,  ///< `|>`
  PipeLeft,   ///< `<|`, right
  Or,         ///< `||`
  And,        ///< `&&`
  Comparison, ///< `==` `<` …
  Bits,       ///< `&` `^` `|`
  Shift,      ///< `<<` `>>`
  Sum,        ///< `+` `-`
  Product,    ///< `*` `/` `%` `//` `%%`
  Power,      ///< `**`
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  Level level = Level::None; ///< of infix symbols
  std::uint32_t begin = 0;   ///< byte offsets in the text
  std::uint32_t end = 0;
};

constexpr bool is_keyword(TokenKind kind) {
  return kind >= TokenKind::True;
}

/// The level of a user-defined or built-in infix symbol: that of the longest built-in operator
/// which it starts with.
Level operator_level(std::string_view symbol);

/// Whether a name is an infix symbol rather than an identifier.
bool is_operator_name(std::string_view name);

/// Whether a name can be written: the names that a prompt keeps values under, and those of what a
/// pattern takes apart, cannot.
bool is_writable_name(std::string_view name);

} // namespace sinter::syntax
