// `let`, `loop` and `match`.
#include "lang/syntax/grammar.h"

namespace sinter::syntax {

Expr* Grammar::let() {
  std::uint32_t begin = advance().begin;
  if (!at(TokenKind::Identifier)) return let_pattern(begin);
  switch (peek(1).kind) {
  case TokenKind::Equals:
  case TokenKind::Colon:
    return let_pattern(begin);
  case TokenKind::IndexBracket:
  case TokenKind::Dot:
    return let_update(begin);
  default:
    return let_function(begin);
  }
}

Expr* Grammar::let_pattern(std::uint32_t begin) {
  LetPatternExpr node;
  node.sizes = size_binders();
  node.pattern = pattern();
  expect(TokenKind::Equals, "`=`");
  node.value = expression();
  node.body = let_body(node.explicit_in);
  return make_expression(std::move(node), begin);
}

Expr* Grammar::let_function(std::uint32_t begin) {
  LetFunctionExpr node;
  node.name_span = span(peek());
  node.name = identifier("a name");
  node.type_parameters = type_parameters();
  node.parameters = parameters();
  if (node.parameters.empty())
    fail_expecting(node.type_parameters.empty() ? "a parameter, `:` or `=`" : "a parameter");
  if (accept(TokenKind::Colon)) node.result_type = type();
  expect(TokenKind::Equals, node.result_type != nullptr ? "`=`" : "a parameter, `:` or `=`");
  node.value = expression();
  node.body = let_body(node.explicit_in);
  return make_expression(std::move(node), begin);
}

Expr* Grammar::let_update(std::uint32_t begin) {
  LetWithExpr node;
  node.name_span = span(peek());
  node.name = identifier("a name");
  node.path = update_path(false);
  expect(TokenKind::Equals, "`=` and the new value");
  node.value = expression();
  node.body = let_body(node.explicit_in);
  return make_expression(std::move(node), begin);
}

Expr* Grammar::let_body(bool& explicit_in) {
  explicit_in = accept(TokenKind::In);
  if (explicit_in) return expression();
  if (!at(TokenKind::Let))
    fail_expecting("`in` or another `let`", at(TokenKind::Equals) ? std::string()
                                                                  : "inside of an expression, "
                                                                    "`let` is followed by `in` and "
                                                                    "the value to compute with it");
  Nesting nesting(*this);
  return let();
}

Expr* Grammar::loop() {
  std::uint32_t begin = advance().begin;
  LoopExpr node;
  node.sizes = size_binders();
  node.pattern = pattern();
  if (accept(TokenKind::Equals)) node.initial = expression();
  switch (peek().kind) {
  case TokenKind::For: {
    advance();
    if (at(TokenKind::Identifier) && peek(1).kind == TokenKind::Less) {
      ForLess form;
      form.name_span = span(peek());
      form.name = text(advance());
      advance();
      form.bound = expression();
      node.form = form;
      break;
    }
    ForIn form;
    form.pattern = pattern();
    if (!at(TokenKind::In))
      fail_expecting(std::holds_alternative<NamePattern>(form.pattern->node) ? "`<` or `in`"
                                                                             : "`in`");
    advance();
    form.array = expression();
    node.form = form;
    break;
  }
  case TokenKind::While:
    advance();
    node.form = While{expression()};
    break;
  default:
    fail_expecting(node.initial != nullptr ? "`for` or `while`" : "`=`, `for` or `while`");
  }
  expect(TokenKind::Do, "`do`");
  node.body = expression();
  return make_expression(std::move(node), begin);
}

Expr* Grammar::match() {
  std::uint32_t begin = advance().begin;
  MatchExpr node;
  node.scrutinee = expression();
  if (!at(TokenKind::Case)) fail_expecting("`case`");
  while (at(TokenKind::Case)) {
    std::uint32_t case_begin = advance().begin;
    Pattern* p = pattern();
    expect(TokenKind::Arrow, "`->`");
    Expr* body = expression();
    node.cases.push_back({p, body, span_from(case_begin)});
  }
  return make_expression(std::move(node), begin);
}

/// The path of `x with path = v` (its first field has no dot) or of `let x<path> = v`.
std::vector<PathStep> Grammar::update_path(bool after_with) {
  std::vector<PathStep> path;
  for (;;) {
    std::uint32_t begin = peek().begin;
    bool first = path.empty();
    bool bracket =
        at(TokenKind::IndexBracket) || (after_with && first && at(TokenKind::LeftBracket));
    if (bracket) {
      std::vector<IndexPart> list = indices();
      path.push_back({{}, std::move(list), span_from(begin)});
    } else if (accept(TokenKind::Dot) || (after_with && first)) {
      Token name = field(after_with && first ? "a field or `[`" : "a field");
      path.push_back({text(name), {}, span_from(begin)});
    } else {
      return path;
    }
  }
}

} // namespace sinter::syntax
