// Names, operators, attributes and type parameters.
#include "lang/syntax/grammar.h"
#include "lang/syntax/literals.h"

namespace sinter::syntax {

QualifiedName Grammar::qualified_name(std::string_view what) {
  QualifiedName name;
  std::uint32_t begin = peek().begin;
  name.name = identifier(what);
  while (at(TokenKind::Dot) && peek(1).kind == TokenKind::Identifier) {
    advance();
    name.qualifiers.push_back(name.name);
    name.name = text(advance());
  }
  name.span = span_from(begin);
  return name;
}

bool Grammar::at_operator() const {
  switch (peek().kind) {
  case TokenKind::Operator:
  case TokenKind::Star:
  case TokenKind::Minus:
  case TokenKind::Less:
  case TokenKind::Hat:
  case TokenKind::Pipe:
  case TokenKind::Backquote:
    return true;
  default:
    return false;
  }
}

bool Grammar::operator_then_close() const {
  if (!at_operator()) return false;
  std::size_t length = 1;
  if (at(TokenKind::Backquote)) {
    while (peek(length).kind == TokenKind::Identifier || peek(length).kind == TokenKind::Dot)
      ++length;
    if (peek(length).kind != TokenKind::Backquote) return false;
    ++length;
  }
  return peek(length).kind == TokenKind::RightParenthesis;
}

QualifiedName Grammar::infix_operator() {
  if (at(TokenKind::Backquote)) {
    std::uint32_t begin = advance().begin;
    QualifiedName name = qualified_name("a function's name");
    name.backquoted = true;
    expect(TokenKind::Backquote, "a closing backquote");
    name.span = span_from(begin);
    return name;
  }
  const Token& token = advance();
  QualifiedName name;
  name.span = span(token);
  std::string_view rest = text(token);
  while (!is_operator_name(rest)) {
    std::size_t dot = rest.find('.');
    name.qualifiers.push_back(rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
  }
  name.name = rest;
  return name;
}

Name Grammar::binding_operator() {
  if (at(TokenKind::Bang))
    fail("reserved-name", span(peek()),
         "'!' is a prefix operator and cannot be used as infix operator",
         "longer names such as `!+` are infix operators");
  if (!at_operator()) fail_expecting("an infix operator");
  QualifiedName op = infix_operator();
  if (!op.qualifiers.empty())
    fail("qualified-binding", op.span, "a qualified name cannot be defined",
         "define `" + std::string(op.name) + "` inside of its module");
  return op.name;
}

bool Grammar::at_parenthesized_operator() const {
  if (!at(TokenKind::LeftParenthesis)) return false;
  switch (peek(1).kind) {
  case TokenKind::Backquote:
    return true;
  case TokenKind::Operator:
  case TokenKind::Star:
  case TokenKind::Minus:
  case TokenKind::Less:
  case TokenKind::Hat:
  case TokenKind::Pipe:
  case TokenKind::Bang:
    return peek(2).kind == TokenKind::RightParenthesis;
  default:
    return false;
  }
}

Attribute Grammar::attribute() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = expect(TokenKind::AttributeBracket, "`#[`").begin;
  Attribute result = attribute_body();
  close(TokenKind::RightBracket, open, "");
  result.span = span_from(begin);
  return result;
}

AccelerateMark Grammar::accelerate_mark(const Attribute& attribute) {
  if (attribute.name != accelerate_name) return {};
  marks_.push_back(attribute.span);
  const std::variant<AccelerateMark, WrongMark> read = read_accelerate_mark(attribute);
  if (const auto* mark = std::get_if<AccelerateMark>(&read)) return *mark;
  const WrongMark& wrong = std::get<WrongMark>(read);
  diagnostics_.error("accelerate-option", wrong.argument->span, wrong.message).hint =
      "a mark takes a device (`cpu`, `gpu` or `any`), `prefer`, or both: `#[accelerate(gpu, "
      "prefer)]`";
  return {};
}

void Grammar::parallel_mark(const Attribute& attribute, Expr& marked) {
  if (attribute.has_arguments) {
    diagnostics_.error("parallel-mark", attribute.span, "`#[parallel]` has no options");
    return;
  }
  Expr* inner = &marked;
  for (;;)
    if (auto* parenthesized = std::get_if<Parenthesized>(&inner->node))
      inner = parenthesized->inner;
    else if (auto* attributed = std::get_if<AttributedExpr>(&inner->node))
      inner = attributed->body;
    else
      break;
  auto* loop = std::get_if<LoopExpr>(&inner->node);
  if (!loop || std::holds_alternative<While>(loop->form)) {
    diagnostics_
        .error("parallel-mark", attribute.span,
               loop ? "a `while` loop has no iterations that could run in any order"
                    : "this marks no loop")
        .hint = "`#[parallel]` stands before `loop … for i < n do …` or `loop … for x in xs do …`";
    return;
  }
  marks_.push_back(attribute.span);
  loop->parallel_mark = attribute.span;
}

Attribute Grammar::attribute_body() {
  Nesting nesting(*this);
  Attribute result;
  std::uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::Natural:
  case TokenKind::Integer:
    result.number = static_cast<std::int64_t>(decode_integer(text(advance())).value);
    break;
  case TokenKind::String:
    result.string = string_literal();
    break;
  default:
    result.name = identifier("an attribute");
    if (at(TokenKind::LeftParenthesis)) {
      auto open = static_cast<std::uint32_t>(next_);
      advance();
      result.has_arguments = true;
      while (!at(TokenKind::RightParenthesis)) {
        result.arguments.push_back(attribute_body());
        if (!accept(TokenKind::Comma)) break;
      }
      close(TokenKind::RightParenthesis, open, "`,`");
    }
  }
  result.span = span_from(begin);
  return result;
}

bool Grammar::at_type_parameter() const {
  switch (peek().kind) {
  case TokenKind::Apostrophe:
  case TokenKind::ApostropheHat:
  case TokenKind::ApostropheTilde:
  case TokenKind::LeftBracket:
  case TokenKind::IndexBracket:
    return true;
  default:
    return false;
  }
}

TypeParameter Grammar::type_parameter() {
  TypeParameter parameter;
  auto open = static_cast<std::uint32_t>(next_);
  const Token& token = advance();
  std::uint32_t begin = token.begin;
  switch (token.kind) {
  case TokenKind::Apostrophe:
    parameter.kind = TypeParameter::Kind::Type;
    break;
  case TokenKind::ApostropheHat:
    parameter.kind = TypeParameter::Kind::FullyLifted;
    break;
  case TokenKind::ApostropheTilde:
    parameter.kind = TypeParameter::Kind::SizeLifted;
    break;
  default:
    parameter.kind = TypeParameter::Kind::Size;
    parameter.name = identifier("the name of a size");
    close(TokenKind::RightBracket, open, "");
    parameter.span = span_from(begin);
    return parameter;
  }
  parameter.name = identifier("the name of a type parameter");
  parameter.span = span_from(begin);
  return parameter;
}

std::vector<TypeParameter> Grammar::type_parameters() {
  std::vector<TypeParameter> list;
  while (at_type_parameter())
    list.push_back(type_parameter());
  return list;
}

std::vector<SizeBinder> Grammar::size_binders() {
  std::vector<SizeBinder> list;
  while (at(TokenKind::LeftBracket) || at(TokenKind::IndexBracket)) {
    auto open = static_cast<std::uint32_t>(next_);
    std::uint32_t begin = advance().begin;
    Name name = identifier("the name of a size");
    close(TokenKind::RightBracket, open, "");
    list.push_back({name, span_from(begin)});
  }
  return list;
}

Token Grammar::field(std::string_view what) {
  if (at(TokenKind::Natural)) return advance();
  if (!at(TokenKind::Identifier)) identifier(what); // fails
  return advance();
}

std::string Grammar::string_literal() {
  const Token& token = expect(TokenKind::String, "a string literal");
  std::size_t bad_escape = 0;
  auto bytes = decode_string(text(token), bad_escape);
  if (bytes) return std::move(*bytes);
  auto offset = static_cast<std::uint32_t>(token.begin + bad_escape);
  diagnostics_
      .error("invalid-literal", {file_, offset, offset + 2}, "unknown escape in a string literal")
      .hint = "a backslash itself is written `\\\\`";
  return {};
}

} // namespace sinter::syntax
