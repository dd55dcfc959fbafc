#include "lang/syntax/grammar.h"

namespace sinter::syntax {

Pattern* Grammar::pattern() {
  Nesting nesting(*this);
  std::uint32_t begin = peek().begin;
  if (at(TokenKind::AttributeBracket)) {
    Attribute attribute = this->attribute();
    Pattern* inner = pattern();
    return make_pattern(AttributedPattern{std::move(attribute), inner}, begin);
  }
  if (at(TokenKind::Constructor)) {
    ConstructorPattern node{text(advance()).substr(1), {}};
    while (starts_inner_pattern(true))
      node.arguments.push_back(inner_pattern(true));
    bool has_arguments = !node.arguments.empty();
    Pattern* constructor = make_pattern(std::move(node), begin);
    if (has_arguments || !accept(TokenKind::Colon)) return constructor;
    TypeExpr* t = type();
    return make_pattern(AscribePattern{constructor, t}, begin);
  }
  Pattern* inner = inner_pattern(true);
  if (!accept(TokenKind::Colon)) return inner;
  TypeExpr* t = type();
  return make_pattern(AscribePattern{inner, t}, begin);
}

bool Grammar::starts_inner_pattern(bool allow_negative) const {
  switch (peek().kind) {
  case TokenKind::Identifier:
  case TokenKind::Constructor:
  case TokenKind::Natural:
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Character:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::Underscore:
  case TokenKind::LeftParenthesis:
  case TokenKind::LeftBrace:
    return true;
  case TokenKind::Minus:
    return allow_negative;
  default:
    return false;
  }
}

Pattern* Grammar::inner_pattern(bool allow_negative) {
  std::uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::Underscore:
    advance();
    return make_pattern(WildcardPattern{}, begin);
  case TokenKind::LeftParenthesis:
    return parenthesized_pattern();
  case TokenKind::LeftBrace:
    return record_pattern();
  case TokenKind::Constructor:
    return make_pattern(ConstructorPattern{text(advance()).substr(1), {}}, begin);
  case TokenKind::Natural:
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Character:
  case TokenKind::True:
  case TokenKind::False: {
    Expr* value = literal();
    return make_pattern(LiteralPattern{false, value}, begin);
  }
  case TokenKind::Minus:
    if (allow_negative) {
      advance();
      if (!at(TokenKind::Natural) && !at(TokenKind::Integer) && !at(TokenKind::Float))
        fail_expecting("a number");
      Expr* value = literal();
      return make_pattern(LiteralPattern{true, value}, begin);
    }
    [[fallthrough]];
  default: {
    Name name = identifier("a pattern");
    return make_pattern(NamePattern{name}, begin);
  }
  }
}

Pattern* Grammar::parenthesized_pattern() {
  std::uint32_t begin = peek().begin;
  auto open = static_cast<std::uint32_t>(next_);
  if (at_parenthesized_operator()) {
    advance();
    Name name = binding_operator();
    close(TokenKind::RightParenthesis, open, "");
    return make_pattern(NamePattern{name}, begin);
  }
  advance();
  if (accept(TokenKind::RightParenthesis)) return make_pattern(TuplePattern{}, begin);
  Pattern* first = pattern();
  if (!at(TokenKind::Comma)) {
    close(TokenKind::RightParenthesis, open, "`,`");
    return make_pattern(ParenthesizedPattern{first}, begin);
  }
  TuplePattern node{{first}};
  while (accept(TokenKind::Comma)) {
    if (at(TokenKind::RightParenthesis) && node.elements.size() > 1) break;
    node.elements.push_back(pattern());
  }
  close(TokenKind::RightParenthesis, open, "`,`");
  return make_pattern(std::move(node), begin);
}

Pattern* Grammar::record_pattern() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  RecordPattern node;
  while (!at(TokenKind::RightBrace)) {
    Token name = field("a field");
    FieldPattern part{text(name), span(name)};
    if (accept(TokenKind::Equals)) {
      part.pattern = pattern();
    } else if (name.kind == TokenKind::Natural) {
      fail_expecting("`=`");
    } else if (accept(TokenKind::Colon)) {
      // `{x: t}` is `{x = x: t}`.
      Pattern* variable = ast_.make<Pattern>(PatternNode{NamePattern{part.name}}, part.name_span);
      TypeExpr* t = type();
      part.pattern = make_pattern(AscribePattern{variable, t}, name.begin);
    }
    node.fields.push_back(part);
    if (!accept(TokenKind::Comma)) break;
  }
  close(TokenKind::RightBrace, open, "`,`");
  return make_pattern(std::move(node), begin);
}

std::vector<Pattern*> Grammar::parameters() {
  std::vector<Pattern*> list;
  while (starts_inner_pattern(false))
    list.push_back(inner_pattern(false));
  return list;
}

} // namespace sinter::syntax
