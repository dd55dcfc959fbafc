// Tokens of the text form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::ir {

struct Token {
  enum class Kind : unsigned char { End, Word, Number, String, Symbol };
  Kind kind = Kind::End;
  std::string text; ///< a string's contents, without quotes and escapes
  std::size_t offset = 0;

  bool is(std::string_view symbol_or_word) const {
    return (kind == Kind::Word || kind == Kind::Symbol) && text == symbol_or_word;
  }
};

/// Takes a text apart.  A word is a name or a constant such as `f32.nan`; a number begins with a
/// digit, or with `-` before a digit or a letter.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}
  /// Throws ParseError.
  Token next();
  /// Where the next token is looked for.
  std::size_t offset() const { return offset_; }
  /// Goes (back) to where a token began.
  void go_to(std::size_t offset) { offset_ = offset; }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

private:
  void skip_space();
  std::string string();

  std::string_view text_;
  std::size_t offset_ = 0;
};

} // namespace sinter::ir
