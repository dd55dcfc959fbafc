#include "lang/syntax/grammar.h"

namespace sinter::syntax {

TypeExpr* Grammar::type() {
  Nesting nesting(*this);
  std::uint32_t begin = peek().begin;
  if (at(TokenKind::Question)) return existential_type();
  FunctionType node;
  if (at(TokenKind::LeftParenthesis) && peek(1).kind == TokenKind::Identifier &&
      peek(2).kind == TokenKind::Colon) {
    auto open = static_cast<std::uint32_t>(next_);
    advance();
    node.parameter_name = text(advance());
    advance();
    node.parameter = type();
    close(TokenKind::RightParenthesis, open, "`->`");
    expect(TokenKind::Arrow, "`->`", "only the parameter of a function type has a name");
  } else {
    node.parameter = type_term();
    if (!accept(TokenKind::Arrow)) return node.parameter;
  }
  node.result = type();
  return make_type(node, begin);
}

TypeExpr* Grammar::existential_type() {
  std::uint32_t begin = advance().begin;
  ExistentialType node;
  if (!at(TokenKind::LeftBracket) && !at(TokenKind::IndexBracket)) fail_expecting("`[`");
  node.sizes = size_binders();
  expect(TokenKind::Dot, "`.`");
  node.body = type();
  return make_type(std::move(node), begin);
}

TypeExpr* Grammar::type_term() {
  Nesting nesting(*this);
  if (at(TokenKind::Constructor)) return sum_type();
  if (!at(TokenKind::Star)) return type_application();
  std::uint32_t begin = advance().begin;
  TypeExpr* inner = type_term();
  return make_type(UniqueType{inner}, begin);
}

TypeExpr* Grammar::sum_type() {
  std::uint32_t begin = peek().begin;
  SumType node;
  do {
    if (!at(TokenKind::Constructor)) fail_expecting("a constructor such as `#name`");
    const Token& token = advance();
    ConstructorType part{text(token).substr(1), span(token), {}};
    while (starts_type_atom(peek().kind))
      part.payload.push_back(type_atom());
    node.constructors.push_back(std::move(part));
  } while (accept(TokenKind::Pipe));
  return make_type(std::move(node), begin);
}

bool Grammar::starts_type_atom(TokenKind kind) {
  switch (kind) {
  case TokenKind::Identifier:
  case TokenKind::LeftParenthesis:
  case TokenKind::LeftBrace:
  case TokenKind::LeftBracket:
  case TokenKind::IndexBracket:
    return true;
  default:
    return false;
  }
}

TypeExpr* Grammar::type_application() {
  std::uint32_t begin = peek().begin;
  TypeExpr* head = type_atom();
  auto* named = std::get_if<NamedType>(&head->node);
  if (named == nullptr || !starts_type_atom(peek().kind)) return head;
  TypeApplication node{std::move(named->name), {}};
  while (starts_type_atom(peek().kind)) {
    if (at(TokenKind::LeftBracket) || at(TokenKind::IndexBracket)) {
      node.arguments.push_back(size_in_brackets());
      continue;
    }
    TypeArgument argument;
    std::uint32_t argument_begin = peek().begin;
    argument.type = type_atom();
    argument.span = span_from(argument_begin);
    node.arguments.push_back(argument);
  }
  return make_type(std::move(node), begin);
}

TypeArgument Grammar::size_in_brackets() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  TypeArgument result;
  result.is_size = true;
  if (!at(TokenKind::RightBracket)) result.size = expression();
  close(TokenKind::RightBracket, open, "");
  result.span = span_from(begin);
  return result;
}

TypeExpr* Grammar::type_atom() {
  std::uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::LeftParenthesis:
    return parenthesized_type();
  case TokenKind::LeftBrace:
    return record_type();
  case TokenKind::LeftBracket:
  case TokenKind::IndexBracket: {
    Expr* size = size_in_brackets().size;
    TypeExpr* element = type_term();
    return make_type(ArrayType{size, element}, begin);
  }
  default:
    return make_type(NamedType{qualified_name("a type")}, begin);
  }
}

TypeExpr* Grammar::parenthesized_type() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  if (accept(TokenKind::RightParenthesis)) return make_type(TupleType{}, begin);
  try {
    TypeExpr* first = type();
    if (!at(TokenKind::Comma)) {
      close(TokenKind::RightParenthesis, open, "`,`");
      return make_type(ParenthesizedType{first}, begin);
    }
    TupleType node{{first}};
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::RightParenthesis) && node.elements.size() > 1) break;
      node.elements.push_back(type());
    }
    close(TokenKind::RightParenthesis, open, "`,`");
    return make_type(std::move(node), begin);
  } catch (Failure&) {
    recover_at_close(open);
    return make_type(ErrorType{}, begin);
  }
}

TypeExpr* Grammar::record_type() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  RecordType node;
  try {
    while (!at(TokenKind::RightBrace)) {
      Token name = field("a field");
      expect(TokenKind::Colon, "`:` and the field's type");
      TypeExpr* t = type();
      node.fields.push_back({text(name), span(name), t});
      if (!accept(TokenKind::Comma)) break;
    }
    close(TokenKind::RightBrace, open, "`,`");
  } catch (Failure&) {
    recover_at_close(open);
    return make_type(ErrorType{}, begin);
  }
  return make_type(std::move(node), begin);
}

} // namespace sinter::syntax
