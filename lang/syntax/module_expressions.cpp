// Modules and module types.
#include "lang/syntax/grammar.h"

namespace sinter::syntax {

ModuleExpr* Grammar::module() {
  std::uint32_t begin = peek().begin;
  ModuleExpr* result = module_operand();
  while (accept(TokenKind::Colon)) {
    ModuleTypeExpr* t = module_type();
    grow();
    result = make_module(ModuleAscribe{result, t, {}}, begin);
  }
  return result;
}

ModuleExpr* Grammar::module_operand() {
  Nesting nesting(*this);
  std::uint32_t begin = peek().begin;
  if (at(TokenKind::Backslash)) return module_lambda();
  if (accept(TokenKind::Import)) {
    Span path_span = span(peek());
    std::string path = string_literal();
    return make_module(ModuleImport{std::move(path), path_span}, begin);
  }
  ModuleExpr* result = module_atom();
  while (at(TokenKind::Identifier) || at(TokenKind::LeftParenthesis) || at(TokenKind::LeftBrace)) {
    ModuleExpr* argument = module_atom();
    grow();
    result = make_module(ModuleApply{result, argument, {}}, begin);
  }
  return result;
}

ModuleExpr* Grammar::module_lambda() {
  std::uint32_t begin = advance().begin;
  ModuleLambda node;
  node.parameter = module_parameter();
  if (accept(TokenKind::Colon)) {
    // Only a name or parentheses: an arrow here belongs to the lambda.
    if (!at(TokenKind::Identifier) && !at(TokenKind::LeftParenthesis))
      fail_expecting("a module type's name or `(`");
    node.result_type = module_type_operand();
  }
  expect(TokenKind::Arrow, "`->`");
  node.body = module_operand();
  return make_module(std::move(node), begin);
}

ModuleExpr* Grammar::module_atom() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::LeftParenthesis: {
    advance();
    try {
      ModuleExpr* inner = module();
      close(TokenKind::RightParenthesis, open, "`:`");
      return make_module(ModuleParenthesized{inner}, begin);
    } catch (Failure&) {
      recover_at_close(open);
      return make_module(ErrorModule{}, begin);
    }
  }
  case TokenKind::LeftBrace: {
    Nesting nesting(*this);
    advance();
    std::vector<Declaration*> list = declarations(open);
    close(TokenKind::RightBrace, open, "a declaration");
    return make_module(ModuleBody{std::move(list)}, begin);
  }
  default:
    return make_module(ModuleName{qualified_name("a module")}, begin);
  }
}

ModuleParameter Grammar::module_parameter() {
  auto open = static_cast<std::uint32_t>(next_);
  ModuleParameter parameter;
  expect(TokenKind::LeftParenthesis, "a module parameter such as `(m: t)`");
  parameter.name_span = span(peek());
  parameter.name = identifier("the name of a module parameter");
  expect(TokenKind::Colon, "`:` and a module type");
  parameter.type = module_type();
  close(TokenKind::RightParenthesis, open, "");
  return parameter;
}

ModuleTypeExpr* Grammar::module_type() {
  Nesting nesting(*this);
  std::uint32_t begin = peek().begin;
  ModuleTypeFunction node;
  if (at(TokenKind::LeftParenthesis) && peek(1).kind == TokenKind::Identifier &&
      peek(2).kind == TokenKind::Colon) {
    auto open = static_cast<std::uint32_t>(next_);
    advance();
    node.parameter_name = text(advance());
    advance();
    node.parameter = module_type();
    close(TokenKind::RightParenthesis, open, "");
    expect(TokenKind::Arrow, "`->`");
  } else {
    ModuleTypeExpr* result = module_type_operand();
    while (accept(TokenKind::With)) {
      ModuleTypeWith with;
      with.base = result;
      with.type_name = qualified_name("the name of a type");
      with.parameters = type_parameters();
      expect(TokenKind::Equals, "`=`");
      with.type = type();
      grow();
      result = make_module_type(std::move(with), begin);
    }
    if (!accept(TokenKind::Arrow)) return result;
    node.parameter = result;
  }
  node.result = module_type();
  return make_module_type(node, begin);
}

ModuleTypeExpr* Grammar::module_type_operand() {
  auto open = static_cast<std::uint32_t>(next_);
  std::uint32_t begin = peek().begin;
  switch (peek().kind) {
  case TokenKind::LeftParenthesis: {
    advance();
    ModuleTypeExpr* inner = module_type();
    close(TokenKind::RightParenthesis, open, "`with`");
    return make_module_type(ModuleTypeParenthesized{inner}, begin);
  }
  case TokenKind::LeftBrace: {
    advance();
    ModuleTypeBody body = specifications(open);
    close(TokenKind::RightBrace, open, "a specification");
    return make_module_type(std::move(body), begin);
  }
  default:
    return make_module_type(ModuleTypeName{qualified_name("a module type")}, begin);
  }
}

} // namespace sinter::syntax
