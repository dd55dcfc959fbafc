#include "jit/ir/lexer.h"

#include "jit/ir/names.h"
#include "jit/ir/parse.h"

#include <algorithm>

namespace sinter::ir {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// The value of a hexadecimal digit, or -1.
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

} // namespace

ParseError::ParseError(std::size_t line, std::size_t column, const std::string& message)
    : std::runtime_error(std::to_string(line) + ":" + std::to_string(column) + ": " + message),
      line(line), column(column) {}

void Lexer::fail(std::size_t offset, const std::string& message) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_end = before.rfind('\n');
  const std::size_t begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  throw ParseError(line, offset - begin + 1, message);
}

void Lexer::skip_space() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      ++offset_;
    else if (text_.substr(offset_, 2) == "--")
      offset_ = std::min(text_.find('\n', offset_), text_.size());
    else
      break;
  }
}

std::string Lexer::string() {
  const std::size_t begin = offset_++;
  std::string contents;
  while (true) {
    if (offset_ >= text_.size() || text_[offset_] == '\n') fail(begin, "the string has no end");
    const char c = text_[offset_++];
    if (c == '"') return contents;
    if (c != '\\') {
      contents += c;
      continue;
    }
    const char escaped = offset_ < text_.size() ? text_[offset_++] : '\0';
    if (escaped == 'n') {
      contents += '\n';
    } else if (escaped == '"' || escaped == '\\') {
      contents += escaped;
    } else if (escaped == 'x' && offset_ + 2 <= text_.size() && hex_value(text_[offset_]) >= 0 &&
               hex_value(text_[offset_ + 1]) >= 0) {
      contents += static_cast<char>(16 * hex_value(text_[offset_]) + hex_value(text_[offset_ + 1]));
      offset_ += 2;
    } else {
      fail(offset_ - 1, "unknown escape in a string");
    }
  }
}

Token Lexer::next() {
  skip_space();
  Token token;
  token.offset = offset_;
  if (offset_ >= text_.size()) return token;
  const char c = text_[offset_];
  const char after = offset_ + 1 < text_.size() ? text_[offset_ + 1] : '\0';
  if (c == '"') {
    token.kind = Token::Kind::String;
    token.text = string();
    return token;
  }
  if (c == '-' && after == '>') {
    token.kind = Token::Kind::Symbol;
    token.text = "->";
    offset_ += 2;
    return token;
  }
  const bool is_negative = c == '-' && after != '\'' && is_name_character(after);
  if (is_negative || is_name_character(c)) {
    std::size_t end = offset_ + 1;
    while (end < text_.size()) {
      const char here = text_[end];
      // The sign of an exponent belongs to a number: 1e-5f64.
      const bool is_exponent_sign = (here == '-' || here == '+') && text_[end - 1] == 'e' &&
                                    (is_negative || is_digit(c)) && end + 1 < text_.size() &&
                                    is_digit(text_[end + 1]);
      if (!is_name_character(here) && here != '.' && !is_exponent_sign) break;
      ++end;
    }
    token.kind = is_negative || is_digit(c) ? Token::Kind::Number : Token::Kind::Word;
    token.text = std::string(text_.substr(offset_, end - offset_));
    offset_ = end;
    return token;
  }
  if (std::string_view("(){}[],:=").find(c) == std::string_view::npos)
    fail(offset_, "unexpected character");
  token.kind = Token::Kind::Symbol;
  token.text = std::string(1, c);
  ++offset_;
  return token;
}

} // namespace sinter::ir
