#include "lang/syntax/lexer.h"

#include "lang/base/element_type.h"
#include "lang/base/interruptible.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinter::syntax {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_constituent(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '\'';
}
bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_roman(char c) {
  return std::string_view("IVXLCDM").find(c) != std::string_view::npos;
}
bool is_symbol(char c) {
  switch (c) {
  case '+':
  case '-':
  case '*':
  case '/':
  case '%':
  case '=':
  case '!':
  case '>':
  case '<':
  case '|':
  case '&':
  case '^':
  case '.':
    return true;
  default:
    return false;
  }
}

constexpr std::array<std::pair<std::string_view, TokenKind>, 24> keywords = {{
    {"true", TokenKind::True},       {"false", TokenKind::False},   {"if", TokenKind::If},
    {"then", TokenKind::Then},       {"else", TokenKind::Else},     {"def", TokenKind::Def},
    {"let", TokenKind::Let},         {"loop", TokenKind::Loop},     {"in", TokenKind::In},
    {"val", TokenKind::Val},         {"for", TokenKind::For},       {"do", TokenKind::Do},
    {"with", TokenKind::With},       {"local", TokenKind::Local},   {"open", TokenKind::Open},
    {"include", TokenKind::Include}, {"import", TokenKind::Import}, {"type", TokenKind::Type},
    {"entry", TokenKind::Entry},     {"module", TokenKind::Module}, {"while", TokenKind::While},
    {"assert", TokenKind::Assert},   {"match", TokenKind::Match},   {"case", TokenKind::Case},

}};

TokenKind word_kind(std::string_view word) {
  if (word.size() < 2 || word.size() > 7) return TokenKind::Identifier;
  for (const auto& [spelling, kind] : keywords)
    if (spelling == word) return kind;
  return TokenKind::Identifier;
}

class Lexer {
public:
  Lexer(std::string_view text, FileId file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  TokenStream run();

private:
  // Beyond the end every character reads as NUL, which belongs to no token.
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  bool is_line_end(std::size_t offset) const {
    return offset >= text_.size() || text_[offset] == '\n';
  }
  void push(TokenKind kind, std::size_t end, Level level = Level::None) {
    stream_.tokens.push_back({kind, level, position_, static_cast<std::uint32_t>(end)});
    position_ = static_cast<std::uint32_t>(end);
  }
  void bad(std::string_view id, std::size_t end, std::string message, std::string hint = {}) {
    // A file that is no program at all should not fill the screen.
    if (++bad_tokens_ <= most_reported)
      diagnostics_
          .error(id, {file_, position_, static_cast<std::uint32_t>(end)}, std::move(message))
          .hint = std::move(hint);
    push(TokenKind::Error, end);
  }

  void comment();
  void word();
  void number();
  void symbol();
  void dots();
  void quote();
  void string();
  void other(char c);
  void match_brackets();
  std::size_t skip(std::size_t offset, bool (*accepts)(char)) const {
    while (offset < text_.size() && (accepts(text_[offset]) || text_[offset] == '_'))
      ++offset;
    return offset;
  }
  std::size_t code_point_length(std::size_t offset) const;

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  TokenStream stream_;
  std::uint32_t position_ = 0;
  std::size_t bad_tokens_ = 0;
  static constexpr std::size_t most_reported = 20;
};

TokenStream Lexer::run() {
  stream_.tokens.reserve(text_.size() / 4 + 16);
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3; // a byte order mark
  SparsePoll poll;
  while (position_ < text_.size()) {
    poll();
    char c = text_[position_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
      ++position_;
    else if (c == '-' && at(position_ + 1) == '-')
      comment();
    else if (is_letter(c))
      word();
    else if (is_digit(c))
      number();
    else if (c == '.')
      dots();
    else if (is_symbol(c))
      symbol();
    else
      other(c);
  }
  position_ = static_cast<std::uint32_t>(text_.size());
  push(TokenKind::EndOfFile, text_.size());
  match_brackets();
  return std::move(stream_);
}

void Lexer::comment() {
  auto line_end = [&](std::size_t offset) {
    std::size_t end = text_.find('\n', offset);
    return end == std::string_view::npos ? text_.size() : end;
  };
  std::size_t end = line_end(position_);
  if (!text_.substr(position_).starts_with("-- |")) {
    position_ = static_cast<std::uint32_t>(end);
    return;
  }
  // The block goes on over all comment lines that follow immediately.
  std::size_t next = 0;
  for (;;) {
    next = text_.find_first_not_of(" \t\f\v\r", end + 1);
    if (end >= text_.size() || next == std::string_view::npos) break;
    if (text_[next] != '-' || at(next + 1) != '-') break;
    end = line_end(next);
  }
  bool blank = next != std::string_view::npos && next < text_.size() && text_[next] == '\n';
  stream_.documentation.push_back({static_cast<std::uint32_t>(stream_.tokens.size()), position_,
                                   static_cast<std::uint32_t>(end), blank});
  position_ = static_cast<std::uint32_t>(end);
}

void Lexer::word() {
  std::size_t end = position_ + 1;
  while (is_constituent(at(end)))
    ++end;
  push(word_kind(text_.substr(position_, end - position_)), end);
}

void Lexer::number() {
  // In `x.0.1` the dots are projections.
  bool is_field = !stream_.tokens.empty() && stream_.tokens.back().kind == TokenKind::Dot &&
                  stream_.tokens.back().end == position_;
  TokenKind kind = TokenKind::Natural;
  std::size_t end = position_;
  char radix = at(position_ + 1);
  if (at(position_) == '0' && (radix == 'x' || radix == 'X') && is_hexadecimal(at(end + 2))) {
    kind = TokenKind::Integer;
    end = skip(end + 2, is_hexadecimal);
    if (at(end) == '.' && is_hexadecimal(at(end + 1))) {
      std::size_t exponent = skip(end + 1, is_hexadecimal);
      if (at(exponent) == 'p' || at(exponent) == 'P') {
        ++exponent;
        if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
        if (is_digit(at(exponent))) {
          kind = TokenKind::Float;
          end = skip(exponent, is_digit);
        }
      }
    }
  } else if (at(position_) == '0' && (radix == 'b' || radix == 'B') &&
             (at(end + 2) == '0' || at(end + 2) == '1')) {
    kind = TokenKind::Integer;
    end = skip(end + 2, [](char c) { return c == '0' || c == '1'; });
  } else if (at(position_) == '0' && (radix == 'r' || radix == 'R') && is_roman(at(end + 2))) {
    kind = TokenKind::Integer;
    end = skip(end + 2, is_roman);
  } else {
    end = skip(end, is_digit);
    if (!is_field && at(end) == '.' && is_digit(at(end + 1))) {
      kind = TokenKind::Float;
      end = skip(end + 1, is_digit);
    }
    if (!is_field && (at(end) == 'e' || at(end) == 'E')) {
      std::size_t exponent = end + 1;
      if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
      if (is_digit(at(exponent))) {
        kind = TokenKind::Float;
        while (is_digit(at(exponent)))
          ++exponent;
        end = exponent;
      }
    }
  }
  if (is_letter(at(end))) {
    std::size_t suffix_end = end;
    while (is_constituent(at(suffix_end)))
      ++suffix_end;
    auto suffix = element_type_named(text_.substr(end, suffix_end - end));
    bool is_decimal = kind == TokenKind::Natural || kind == TokenKind::Float;
    bool fits =
        suffix && *suffix != ElementType::Bool &&
        (is_integer(*suffix) ? kind != TokenKind::Float : is_decimal || kind == TokenKind::Float);
    if (!fits) {
      std::string spelling(text_.substr(end, suffix_end - end));
      bad("invalid-literal", suffix_end, "`" + spelling + "` is no suffix of this number",
          "suffixes are the numeric types, such as `i32`, `u8` or `f64`");
      return;
    }
    if (kind == TokenKind::Natural) kind = TokenKind::Integer;
    end = suffix_end;
  }
  push(kind, end);
}

void Lexer::symbol() {
  std::size_t end = position_;
  while (is_symbol(at(end)))
    ++end;
  std::string_view symbol = text_.substr(position_, end - position_);
  TokenKind kind = TokenKind::Operator;
  if (symbol == "->") {
    push(TokenKind::Arrow, end);
    return;
  }
  if (symbol.size() == 1) switch (symbol[0]) {
    case '*':
      kind = TokenKind::Star;
      break;
    case '-':
      kind = TokenKind::Minus;
      break;
    case '<':
      kind = TokenKind::Less;
      break;
    case '^':
      kind = TokenKind::Hat;
      break;
    case '|':
      kind = TokenKind::Pipe;
      break;
    case '!':
      push(TokenKind::Bang, end);
      return;
    case '=':
      push(TokenKind::Equals, end);
      return;
    default:
      break;
    }
  push(kind, end, operator_level(symbol));
}

void Lexer::dots() {
  char next = at(position_ + 1);
  if (next == '.') {
    switch (at(position_ + 2)) {
    case '<':
      push(TokenKind::DotDotLess, position_ + 3);
      return;
    case '>':
      push(TokenKind::DotDotGreater, position_ + 3);
      return;
    case '.':
      push(TokenKind::DotDotDot, position_ + 3);
      return;
    default:
      push(TokenKind::DotDot, position_ + 2);
      return;
    }
  }
  auto& tokens = stream_.tokens;
  bool follows_name = !tokens.empty() && tokens.back().kind == TokenKind::Identifier &&
                      tokens.back().end == position_;
  bool is_comment = next == '-' && at(position_ + 2) == '-';
  if (!follows_name || !is_symbol(next) || is_comment) {
    push(TokenKind::Dot, position_ + 1);
    return;
  }
  // `m.n.+` is one token: take back the names before the symbol.
  std::size_t symbol = position_ + 1;
  std::size_t end = symbol;
  while (is_symbol(at(end)))
    ++end;
  std::uint32_t begin = tokens.back().begin;
  tokens.pop_back();
  while (tokens.size() >= 2 && tokens.back().kind == TokenKind::Dot && tokens.back().end == begin &&
         tokens[tokens.size() - 2].kind == TokenKind::Identifier &&
         tokens[tokens.size() - 2].end == tokens.back().begin) {
    tokens.pop_back();
    begin = tokens.back().begin;
    tokens.pop_back();
  }
  position_ = begin;
  push(TokenKind::Operator, end, operator_level(text_.substr(symbol, end - symbol)));
}

std::size_t Lexer::code_point_length(std::size_t offset) const {
  auto byte = static_cast<unsigned char>(at(offset));
  std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return std::min(length, text_.size() - offset);
}

void Lexer::quote() {
  std::size_t end = position_ + 1;
  if (at(end) == '\\') {
    ++end;
    if (is_digit(at(end)))
      while (is_digit(at(end)))
        ++end;
    else if (!is_line_end(end))
      end += code_point_length(end);
    if (at(end) == '\'')
      push(TokenKind::Character, end + 1);
    else
      bad("invalid-literal", end, "unfinished character literal");
    return;
  }
  if (!is_line_end(end) && at(end) != '\'') {
    std::size_t close = end + code_point_length(end);
    if (at(close) == '\'') {
      push(TokenKind::Character, close + 1);
      return;
    }
  }
  if (at(end) == '^')
    push(TokenKind::ApostropheHat, end + 1);
  else if (at(end) == '~')
    push(TokenKind::ApostropheTilde, end + 1);
  else
    push(TokenKind::Apostrophe, end);
}

void Lexer::string() {
  std::size_t end = position_ + 1;
  while (!is_line_end(end) && at(end) != '"')
    end += at(end) == '\\' && !is_line_end(end + 1) ? 2 : 1;
  if (at(end) == '"')
    push(TokenKind::String, end + 1);
  else
    bad("unfinished-string", end, "string literal without a closing `\"`",
        "a string must end on the line that it starts on; a line break is written `\\n`");
}

void Lexer::other(char c) {
  switch (c) {
  case '(':
    return push(TokenKind::LeftParenthesis, position_ + 1);
  case ')':
    return push(TokenKind::RightParenthesis, position_ + 1);
  case '[': {
    bool follows = false;
    if (!stream_.tokens.empty() && stream_.tokens.back().end == position_) {
      TokenKind before = stream_.tokens.back().kind;
      char last = at(position_ - 1);
      follows = !is_keyword(before) && (is_constituent(last) || last == ')' || last == ']');
    }
    return push(follows ? TokenKind::IndexBracket : TokenKind::LeftBracket, position_ + 1);
  }
  case ']':
    return push(TokenKind::RightBracket, position_ + 1);
  case '{':
    return push(TokenKind::LeftBrace, position_ + 1);
  case '}':
    return push(TokenKind::RightBrace, position_ + 1);
  case ',':
    return push(TokenKind::Comma, position_ + 1);
  case ':':
    if (at(position_ + 1) == '>') return push(TokenKind::Coerce, position_ + 2);
    return push(TokenKind::Colon, position_ + 1);
  case '\\':
    return push(TokenKind::Backslash, position_ + 1);
  case '~':
    return push(TokenKind::Tilde, position_ + 1);
  case '`':
    return push(TokenKind::Backquote, position_ + 1);
  case '\'':
    return quote();
  case '"':
    return string();
  case '?':
    if (at(position_ + 1) == '?' && at(position_ + 2) == '?')
      return push(TokenKind::Hole, position_ + 3);
    return push(TokenKind::Question, position_ + 1);
  case '_':
    if (is_letter(at(position_ + 1)) || is_digit(at(position_ + 1)) || at(position_ + 1) == '_')
      return word();
    return push(TokenKind::Underscore, position_ + 1);
  case '#': {
    if (at(position_ + 1) == '[') return push(TokenKind::AttributeBracket, position_ + 2);
    std::size_t end = position_ + 1;
    if (is_letter(at(end)) || (at(end) == '_' && is_constituent(at(end + 1)))) {
      while (is_constituent(at(end)))
        ++end;
      return push(TokenKind::Constructor, end);
    }
    return bad("invalid-character", position_ + 1, "`#` without a name",
               "constructors are written `#name`, attributes `#[name]`");
  }
  default: {
    // One message for a run of bytes that cannot start a token.
    std::size_t end = position_ + 1;
    while (end < text_.size() && static_cast<unsigned char>(text_[end]) >= 0x80 &&
           static_cast<unsigned char>(c) >= 0x80)
      ++end;
    auto byte = static_cast<unsigned char>(c);
    std::string shown = byte >= 0x20 && byte != 0x7F
                            ? "`" + std::string(text_.substr(position_, end - position_)) + "`"
                            : "control character " + std::to_string(byte);
    return bad("invalid-character", end, "unexpected " + shown,
               byte >= 0x80 ? "names and symbols are written in ASCII" : "");
  }
  }
}

void Lexer::match_brackets() {
  const auto& tokens = stream_.tokens;
  stream_.closing.assign(tokens.size(), 0);
  std::vector<std::uint32_t> open;
  auto close = [&](std::uint32_t index, auto opens) {
    // Looking only a few brackets back keeps this linear whatever the text.
    std::size_t limit = open.size() > 8 ? open.size() - 8 : 0;
    for (std::size_t i = open.size(); i-- > limit;) {
      TokenKind kind = tokens[open[i]].kind;
      if (opens(kind)) {
        stream_.closing[open[i]] = index;
        open.resize(i);
        return;
      }
      // A stray `)` or `]` must not reach out of its braces.
      if (kind == TokenKind::LeftBrace) return;
    }
  };
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    switch (tokens[i].kind) {
    case TokenKind::LeftParenthesis:
    case TokenKind::LeftBracket:
    case TokenKind::IndexBracket:
    case TokenKind::AttributeBracket:
    case TokenKind::LeftBrace:
      open.push_back(i);
      break;
    case TokenKind::RightParenthesis:
      close(i, [](TokenKind k) { return k == TokenKind::LeftParenthesis; });
      break;
    case TokenKind::RightBracket:
      close(i, [](TokenKind k) {
        return k == TokenKind::LeftBracket || k == TokenKind::IndexBracket ||
               k == TokenKind::AttributeBracket;
      });
      break;
    case TokenKind::RightBrace:
      close(i, [](TokenKind k) { return k == TokenKind::LeftBrace; });
      break;
    case TokenKind::Def:
    case TokenKind::Entry:
    case TokenKind::Val:
    case TokenKind::Type:
    case TokenKind::Module:
    case TokenKind::Open:
    case TokenKind::Local:
    case TokenKind::Include:
      while (!open.empty() && tokens[open.back()].kind != TokenKind::LeftBrace)
        open.pop_back();
      break;
    default:
      break;
    }
  }
}

} // namespace

TokenStream tokenize(const SourceMap& sources, FileId file, Diagnostics& diagnostics) {
  return Lexer(sources.text(file), file, diagnostics).run();
}

bool is_writable_name(std::string_view name) {
  return !name.empty() && name.find_first_of("#({ ") == std::string_view::npos;
}

bool is_operator_name(std::string_view name) {
  return !name.empty() && is_symbol(name[0]);
}

Level operator_level(std::string_view symbol) {
  static constexpr std::array<std::pair<std::string_view, Level>, 25> table = {{
      // two characters before one, so that the first hit is the longest
      {"|>", Level::PipeRight},  {"<|", Level::PipeLeft},   {"||", Level::Or},
      {"&&", Level::And},        {"<=", Level::Comparison}, {">=", Level::Comparison},
      {"==", Level::Comparison}, {"!=", Level::Comparison}, {"<<", Level::Shift},
      {">>", Level::Shift},      {"**", Level::Power},      {"//", Level::Product},
      {"%%", Level::Product},    {"<", Level::Comparison},  {">", Level::Comparison},
      {"!", Level::Comparison},  {"=", Level::Comparison},  {"&", Level::Bits},
      {"^", Level::Bits},        {"|", Level::Bits},        {"+", Level::Sum},
      {"-", Level::Sum},         {"*", Level::Product},     {"/", Level::Product},
      {"%", Level::Product},
  }};
  for (const auto& [prefix, level] : table)
    if (symbol.starts_with(prefix)) return level;
  return Level::None;
}

} // namespace sinter::syntax
