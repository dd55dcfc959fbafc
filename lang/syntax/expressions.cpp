// Infix forms, application and the prefix forms that reach as far to the right as they can.
#include "lang/syntax/grammar.h"

namespace sinter::syntax {

Expr* Grammar::expression() {
  std::uint32_t begin = peek().begin;
  return ascriptions(infix(Level::Range), begin);
}

Expr* Grammar::ascriptions(Expr* value, std::uint32_t begin) {
  while (at(TokenKind::Colon) || at(TokenKind::Coerce)) {
    bool coerce = advance().kind == TokenKind::Coerce;
    TypeExpr* t = type();
    grow();
    value = coerce ? make_expression(CoerceExpr{value, t}, begin)
                   : make_expression(AscribeExpr{value, t}, begin);
  }
  return value;
}

namespace {

Level infix_level(const Token& token) {
  switch (token.kind) {
  case TokenKind::Operator:
  case TokenKind::Star:
  case TokenKind::Minus:
  case TokenKind::Less:
  case TokenKind::Hat:
  case TokenKind::Pipe:
    return token.level;
  case TokenKind::Backquote:
    return Level::Backquote;
  case TokenKind::With:
    return Level::With;
  case TokenKind::DotDot:
  case TokenKind::DotDotDot:
  case TokenKind::DotDotLess:
  case TokenKind::DotDotGreater:
    return Level::Range;
  default:
    return Level::None;
  }
}

Level tighter(Level level) {
  return static_cast<Level>(static_cast<int>(level) + 1);
}

} // namespace

/// Infix forms that bind at least as tightly as `minimum`.  With `section`, a last operator before
/// `)` is left to the caller.
Expr* Grammar::infix(Level minimum, bool section) {
  Nesting nesting(*this);
  std::uint32_t begin = peek().begin;
  return infix_tail(minimum, section, operand(), begin);
}

Expr* Grammar::infix_tail(Level minimum, bool section, Expr* left, std::uint32_t begin) {
  for (;;) {
    Level level = infix_level(peek());
    if (level == Level::None || level < minimum) return left;
    if (section && operator_then_close()) return left;
    grow();
    if (level == Level::With) {
      left = update(left, begin);
    } else if (level == Level::Range) {
      left = range(left, begin);
    } else {
      QualifiedName op = infix_operator();
      Expr* right = infix(level == Level::PipeLeft ? level : tighter(level));
      left = make_expression(BinaryExpr{std::move(op), left, right}, begin);
    }
  }
}

/// `with` behind `value`
Expr* Grammar::update(Expr* value, std::uint32_t begin) {
  advance();
  std::vector<PathStep> path = update_path(true);
  expect(TokenKind::Equals, "`=` and the new value");
  Expr* replacement = infix(Level::PipeRight);
  return make_expression(WithExpr{value, std::move(path), replacement}, begin);
}

Expr* Grammar::range(Expr* first, std::uint32_t begin) {
  Expr* second = nullptr;
  std::size_t dots = next_;
  if (accept(TokenKind::DotDot)) second = infix(tighter(Level::Range));
  RangeEnd kind{};
  switch (peek().kind) {
  case TokenKind::DotDotDot:
    kind = RangeEnd::Inclusive;
    break;
  case TokenKind::DotDotLess:
    kind = RangeEnd::UpTo;
    break;
  case TokenKind::DotDotGreater:
    kind = RangeEnd::DownTo;
    break;
  default:
    if (at(TokenKind::Error) || at_end()) fail_expecting("`...`, `..<` or `..>`");
    fail("incomplete-range", span(stream_.tokens[dots]), "`..` without the end of the range",
         "a range is written `a...b`, `a..<b` or `a..>b`, or `a..b...c` with a second element");
  }
  advance();
  Expr* end = infix(Level::Range);
  return make_expression(RangeExpr{first, second, kind, end}, begin);
}

Expr* Grammar::operand() {
  switch (peek().kind) {
  case TokenKind::If:
    return conditional();
  case TokenKind::Let:
    return let();
  case TokenKind::Loop:
    return loop();
  case TokenKind::Match:
    return match();
  case TokenKind::Assert:
    return assertion();
  case TokenKind::AttributeBracket:
    return attributed();
  case TokenKind::Minus:
  case TokenKind::Bang:
    return unary();
  default:
    return application();
  }
}

Expr* Grammar::unary() {
  Nesting nesting(*this);
  const Token& token = advance();
  std::uint32_t begin = token.begin;
  UnaryOperator op = token.kind == TokenKind::Minus ? UnaryOperator::Negate : UnaryOperator::Not;
  Expr* value = operand();
  return make_expression(UnaryExpr{op, value}, begin);
}

Expr* Grammar::application() {
  std::uint32_t begin = peek().begin;
  if (at(TokenKind::Backslash)) return lambda();
  bool is_constructor = at(TokenKind::Constructor);
  Expr* head = atom();
  if (!starts_atom(peek().kind) && !at(TokenKind::Backslash)) return head;

  std::vector<Expr*> arguments;
  while (starts_atom(peek().kind)) {
    const Token& start = peek();
    arguments.push_back(atom());
    if (arguments.size() == 1 && start.kind == TokenKind::LeftBracket &&
        std::holds_alternative<IndexExpr>(head->node) &&
        std::holds_alternative<ArrayExpr>(arguments[0]->node))
      fail("separate-indices", arguments[0]->span, "an element of an array is applied to an array",
           "several dimensions are indexed in one pair of brackets: `a[i, j]`");
  }
  if (at(TokenKind::Backslash)) arguments.push_back(lambda());
  grow();
  if (auto* constructor = std::get_if<ConstructorExpr>(&head->node);
      is_constructor && constructor != nullptr) {
    constructor->arguments = std::move(arguments);
    head->span = span_from(begin);
    return head;
  }
  return make_expression(ApplyExpr{head, std::move(arguments)}, begin);
}

Expr* Grammar::lambda() {
  std::uint32_t begin = advance().begin;
  LambdaExpr node;
  node.parameters = parameters();
  if (node.parameters.empty()) fail_expecting("a parameter");
  if (accept(TokenKind::Colon)) node.result_type = type_term();
  expect(TokenKind::Arrow, node.result_type != nullptr ? "`->`" : "a parameter, `:` or `->`");
  node.body = expression();
  return make_expression(std::move(node), begin);
}

Expr* Grammar::conditional() {
  std::uint32_t begin = advance().begin;
  Expr* condition = expression();
  expect(TokenKind::Then, "`then`");
  Expr* then_branch = expression();
  expect(TokenKind::Else, "`else`", "an `if` always has an `else` branch");
  Expr* else_branch = expression();
  return make_expression(IfExpr{condition, then_branch, else_branch}, begin);
}

Expr* Grammar::assertion() {
  std::uint32_t begin = advance().begin;
  if (!starts_atom(peek().kind))
    fail_expecting("a condition", "a condition that is not a single name needs parentheses");
  Expr* condition = atom();
  Expr* body = expression();
  return make_expression(AssertExpr{condition, body}, begin);
}

Expr* Grammar::attributed() {
  std::uint32_t begin = peek().begin;
  Attribute attribute = this->attribute();
  const AccelerateMark mark = accelerate_mark(attribute);
  Expr* body = expression();
  if (attribute.name == parallel_name) parallel_mark(attribute, *body);
  return make_expression(AttributedExpr{std::move(attribute), mark, body}, begin);
}

} // namespace sinter::syntax
