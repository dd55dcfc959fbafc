#include "repl/editor/input_text.h"

#include "lang/base/element_type.h"
#include "lang/syntax/lexer.h"
#include "repl/text/entries.h"
#include "repl/text/lines.h"

#include <algorithm>

namespace sinter::repl {

namespace {

using syntax::Token;
using syntax::TokenKind;

constexpr std::size_t indentation_width = 2;

std::string_view last_line(std::string_view text) {
  std::size_t brk = text.rfind('\n');
  return brk == std::string_view::npos ? text : text.substr(brk + 1);
}

bool is_command(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\n");
  return begin != std::string_view::npos && text[begin] == ':';
}

/// What only a text at its own can tell of a token.
Style style_of(const Token& token, std::string_view text, const Token* before) {
  switch (token.kind) {
  case TokenKind::Error:
    // A string whose end is not typed yet is no mistake.
    return text.starts_with('"') ? Style::String : Style::Wrong;
  case TokenKind::Constructor:
    return Style::Constructor;
  case TokenKind::Natural:
    return before && before->kind == TokenKind::Dot && before->end == token.begin ? Style::Plain
                                                                                  : Style::Number;
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::True:
  case TokenKind::False:
    return Style::Number;
  case TokenKind::Character:
  case TokenKind::String:
    return Style::String;
  case TokenKind::AttributeBracket:
    return Style::Attribute;
  case TokenKind::Identifier:
    return element_type_named(text) ? Style::Type : Style::Plain;
  default:
    return is_keyword(token.kind) ? Style::Keyword : Style::Plain;
  }
}

/// The index of the token that closes or opens what token `index` opens or closes; 0 for none.
std::size_t partner_of(const syntax::TokenStream& stream, std::size_t index) {
  if (index < stream.closing.size() && stream.closing[index] != 0) return stream.closing[index];
  auto opening = std::find(stream.closing.begin(), stream.closing.end(), index);
  return opening == stream.closing.end() || index == 0
             ? stream.tokens.size()
             : static_cast<std::size_t>(opening - stream.closing.begin());
}

/// The comments of a stretch of text between two tokens.
void add_comments(std::string_view text, std::size_t begin, std::size_t end,
                  std::vector<StyledRange>& ranges) {
  while (begin < end) {
    std::size_t comment = text.find("--", begin);
    if (comment >= end) return;
    std::size_t line_end = std::min(text.find('\n', comment), end);
    ranges.push_back({comment, line_end, Style::Comment});
    begin = line_end;
  }
}

std::vector<StyledRange> highlighted_code(std::string_view text, std::size_t cursor) {
  SourceMap sources;
  Diagnostics ignored;
  syntax::TokenStream stream =
      syntax::tokenize(sources, sources.add("", std::string(text)), ignored);
  std::size_t bracket = stream.tokens.size(), partner = stream.tokens.size();
  for (std::size_t i = 0; i < stream.tokens.size() && cursor <= text.size(); ++i) {
    const Token& token = stream.tokens[i];
    bool touches = token.end == cursor || (token.begin == cursor && token.end > cursor);
    if (!touches || partner_of(stream, i) == stream.tokens.size()) continue;
    bracket = i;
    partner = partner_of(stream, i);
    if (token.end == cursor) break; // it was typed just now
  }
  std::vector<StyledRange> ranges;
  std::size_t end = 0;
  for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
    const Token& token = stream.tokens[i];
    add_comments(text, end, token.begin, ranges);
    std::string_view spelling = text.substr(token.begin, token.end - token.begin);
    Style style = style_of(token, spelling, i > 0 ? &stream.tokens[i - 1] : nullptr);
    if (i == bracket || i == partner) style = Style::Matching;
    if (style != Style::Plain && !spelling.empty())
      ranges.push_back({token.begin, token.end, style});
    end = token.end;
  }
  return ranges;
}

std::vector<StyledRange> highlighted_command(std::string_view text, std::size_t cursor) {
  std::size_t begin = text.find(':');
  std::size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
  std::vector<StyledRange> ranges{{begin, end, Style::Command}};
  const std::size_t inner_cursor = cursor < end ? text.size() : cursor - end;
  for (StyledRange range : highlighted_code(text.substr(end), inner_cursor)) {
    range.begin += end;
    range.end += end;
    // Commands take paths and other things that are not of the language.
    if (range.style != Style::Wrong) ranges.push_back(range);
  }
  return ranges;
}

} // namespace

bool is_whole_input(std::string_view text) {
  if (is_blank(text)) return true;
  EntrySplitter splitter;
  for_each_line(text, [&](std::string_view line) { splitter.add(line); });
  return !splitter.wants_more();
}

std::size_t indentation_after(std::string_view text) {
  std::string_view line = last_line(text);
  std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  std::string_view content = without_blanks(line);
  constexpr std::string_view openers[] = {"=", "->", "(", "[", "{", "then", "else", "do"};
  bool opens = std::any_of(std::begin(openers), std::end(openers),
                           [&](std::string_view opener) { return content.ends_with(opener); });
  return blanks + (opens ? indentation_width : 0);
}

std::vector<StyledRange> highlighted(std::string_view text, std::size_t cursor) {
  return is_command(text) ? highlighted_command(text, cursor) : highlighted_code(text, cursor);
}

std::string colored(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const StyledRange& range : highlighted(text, std::string_view::npos)) {
    out += text.substr(at, range.begin - at);
    out += style_begin(range.style);
    out += text.substr(range.begin, range.end - range.begin);
    out += style_end;
    at = range.end;
  }
  out += text.substr(at);
  return out;
}

} // namespace sinter::repl
