// The phrases that can be arguments: names, literals, brackets, and what follows them closely.
#include "lang/syntax/grammar.h"
#include "lang/syntax/literals.h"

namespace sinter::syntax {

bool Grammar::starts_atom(TokenKind kind) {
  switch (kind) {
  case TokenKind::Identifier:
  case TokenKind::Constructor:
  case TokenKind::Natural:
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Character:
  case TokenKind::String:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::Hole:
  case TokenKind::LeftParenthesis:
  case TokenKind::LeftBracket:
  case TokenKind::LeftBrace:
    return true;
  default:
    return false;
  }
}

Expr* Grammar::atom() {
  std::uint32_t begin = peek().begin;
  bool is_name = at(TokenKind::Identifier);
  return atom_tail(primary(), is_name, begin);
}

/// Projections, indices and `.( … )`.
Expr* Grammar::atom_tail(Expr* head, bool is_name, std::uint32_t begin) {
  for (;;) {
    if (at(TokenKind::IndexBracket)) {
      std::vector<IndexPart> list = indices();
      head = make_expression(IndexExpr{head, std::move(list)}, begin);
    } else if (at(TokenKind::Dot)) {
      advance();
      if (at(TokenKind::LeftParenthesis)) {
        auto open = static_cast<std::uint32_t>(next_);
        if (!is_name)
          fail("invalid-local-open", span(peek()),
               "`.( … )` after something that is no module name",
               "only a module can be opened: `m.(e)`");
        advance();
        Expr* body = nullptr;
        try {
          body = expression();
          close(TokenKind::RightParenthesis, open, "");
        } catch (Failure&) {
          recover_at_close(open);
          body = make_expression(ErrorExpr{}, begin);
        }
        QualifiedName module = std::get<VariableExpr>(head->node).name;
        head = make_expression(LocalOpen{std::move(module), body}, begin);
      } else {
        Token name = field("a field");
        head = make_expression(ProjectExpr{head, text(name), span(name)}, begin);
      }
    } else {
      return head;
    }
    is_name = false;
    grow();
  }
}

Expr* Grammar::primary() {
  switch (peek().kind) {
  case TokenKind::Identifier:
    return name_expression();
  case TokenKind::Constructor: {
    const Token& token = advance();
    return make_expression(ConstructorExpr{text(token).substr(1), span(token), {}}, token.begin);
  }
  case TokenKind::LeftParenthesis:
    return parenthesized();
  case TokenKind::LeftBracket:
    return array();
  case TokenKind::LeftBrace:
    return record();
  default:
    return literal();
  }
}

Expr* Grammar::name_expression() {
  std::uint32_t begin = peek().begin;
  return make_expression(VariableExpr{qualified_name("a name")}, begin);
}

Expr* Grammar::literal() {
  const Token& token = peek();
  std::uint32_t begin = token.begin;
  switch (token.kind) {
  case TokenKind::Natural:
  case TokenKind::Integer:
    advance();
    return make_expression(decode_integer(text(token)), begin);
  case TokenKind::Float:
    advance();
    return make_expression(decode_float(text(token)), begin);
  case TokenKind::True:
  case TokenKind::False:
    advance();
    return make_expression(BoolLiteral{token.kind == TokenKind::True}, begin);
  case TokenKind::Hole:
    advance();
    return make_expression(Hole{}, begin);
  case TokenKind::Character: {
    advance();
    auto code_point = decode_character(text(token));
    if (!code_point)
      diagnostics_.error("invalid-literal", span(token), "unknown escape in a character literal");
    return make_expression(CharLiteral{code_point.value_or(0)}, begin);
  }
  case TokenKind::String: {
    std::string bytes = string_literal();
    return make_expression(StringLiteral{std::move(bytes)}, begin);
  }
  case TokenKind::If:
  case TokenKind::Let:
  case TokenKind::Loop:
  case TokenKind::Match:
  case TokenKind::Assert:
    fail_expecting("an expression", "put parentheses around it");
  case TokenKind::Operator:
    fail_expecting("an expression",
                   "an operator on its own is written `(" + std::string(text(token)) + ")`");
  default:
    fail_expecting("an expression");
  }
}

Expr* Grammar::parenthesized() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  if (accept(TokenKind::RightParenthesis)) return make_expression(TupleExpr{}, begin);
  try {
    return parenthesized_body(open, begin);
  } catch (Failure&) {
    recover_at_close(open);
    return make_expression(ErrorExpr{}, begin);
  }
}

Expr* Grammar::parenthesized_body(std::uint32_t open, std::uint32_t begin) {
  if (at(TokenKind::Dot)) return path_section(open, begin);
  bool negation = at(TokenKind::Minus) && !operator_then_close();
  if (at_operator() && !negation) return operator_section(open, begin);

  std::uint32_t inner_begin = peek().begin;
  Expr* inner = infix(Level::Range, true);
  if (operator_then_close()) {
    QualifiedName op = infix_operator();
    advance();
    return make_expression(LeftSection{inner, std::move(op)}, begin);
  }
  inner = ascriptions(inner, inner_begin);
  if (at(TokenKind::Comma)) {
    TupleExpr tuple{{inner}};
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::RightParenthesis) && tuple.elements.size() > 1) break;
      tuple.elements.push_back(expression());
    }
    close(TokenKind::RightParenthesis, open, "`,`");
    return make_expression(std::move(tuple), begin);
  }
  close(TokenKind::RightParenthesis, open, "an operator, `,`");
  return make_expression(Parenthesized{inner}, begin);
}

/// `(+)` or `(+ e)`
Expr* Grammar::operator_section(std::uint32_t open, std::uint32_t begin) {
  QualifiedName op = infix_operator();
  if (accept(TokenKind::RightParenthesis))
    return make_expression(VariableExpr{std::move(op)}, begin);
  Expr* right = infix(Level::Range);
  close(TokenKind::RightParenthesis, open, "");
  return make_expression(RightSection{std::move(op), right}, begin);
}

/// `(.a.b)`, `(.[i].c)`
Expr* Grammar::path_section(std::uint32_t open, std::uint32_t begin) {
  PathSection node;
  for (;;) {
    std::uint32_t step_begin = peek().begin;
    bool bracket = at(TokenKind::IndexBracket);
    if (at(TokenKind::Dot)) {
      advance();
      bracket = node.steps.empty() && at(TokenKind::LeftBracket);
    } else if (!bracket) {
      break;
    }
    if (bracket) {
      std::vector<IndexPart> list = indices();
      node.steps.push_back({{}, std::move(list), span_from(step_begin)});
    } else {
      Token name = field(node.steps.empty() ? "a field or `[`" : "a field");
      node.steps.push_back({text(name), {}, span_from(step_begin)});
    }
  }
  close(TokenKind::RightParenthesis, open, "`.`");
  return make_expression(std::move(node), begin);
}

Expr* Grammar::array() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  ArrayExpr node;
  try {
    while (!at(TokenKind::RightBracket)) {
      node.elements.push_back(expression());
      if (!accept(TokenKind::Comma)) break;
    }
    close(TokenKind::RightBracket, open, "`,`");
  } catch (Failure&) {
    recover_at_close(open);
    return make_expression(ErrorExpr{}, begin);
  }
  return make_expression(std::move(node), begin);
}

Expr* Grammar::record() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = advance().begin;
  RecordExpr node;
  try {
    while (!at(TokenKind::RightBrace)) {
      Token name = field("a field");
      FieldExpr part{text(name), span(name)};
      if (accept(TokenKind::Equals))
        part.value = expression();
      else if (name.kind == TokenKind::Natural)
        fail_expecting("`=`");
      node.fields.push_back(part);
      if (!accept(TokenKind::Comma)) break;
    }
    close(TokenKind::RightBrace, open, node.fields.empty() ? "a field" : "`,`");
  } catch (Failure&) {
    recover_at_close(open);
    return make_expression(ErrorExpr{}, begin);
  }
  return make_expression(std::move(node), begin);
}

/// `[ … ]` behind an array; at least one index.
std::vector<IndexPart> Grammar::indices() {
  auto open = static_cast<std::uint32_t>(next_);
  advance();
  std::vector<IndexPart> list;
  try {
    do
      list.push_back(index_part());
    while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket));
    close(TokenKind::RightBracket, open, "`,`");
  } catch (Failure&) {
    recover_at_close(open);
    if (list.empty()) list.push_back({});
  }
  return list;
}

IndexPart Grammar::index_part() {
  // No ascription in here, as `:` separates the parts of a slice.
  IndexPart part;
  std::uint32_t begin = peek().begin;
  auto ends = [&] { return at(TokenKind::Comma) || at(TokenKind::RightBracket); };
  if (at(TokenKind::RightBracket)) fail_expecting("an index or a slice");
  if (!at(TokenKind::Colon)) {
    Expr* first = infix(Level::Range);
    if (!at(TokenKind::Colon)) {
      part.index = first;
      part.span = span_from(begin);
      return part;
    }
    part.begin = first;
  }
  advance();
  if (!at(TokenKind::Colon) && !ends()) part.end = infix(Level::Range);
  if (accept(TokenKind::Colon)) part.stride = infix(Level::Range);
  part.span = span_from(begin);
  return part;
}

} // namespace sinter::syntax
