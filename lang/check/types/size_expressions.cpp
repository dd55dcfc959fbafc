#include "lang/check/types/size_expressions.h"

#include "lang/types/build.h"

#include <algorithm>
#include <optional>

namespace sinter::check {

using namespace types;

namespace {

std::optional<SizeOperator> size_operator(std::string_view symbol) {
  if (symbol == "+") return SizeOperator::Add;
  if (symbol == "-") return SizeOperator::Subtract;
  if (symbol == "*") return SizeOperator::Multiply;
  if (symbol == "/") return SizeOperator::Divide;
  if (symbol == "%") return SizeOperator::Remainder;
  return std::nullopt;
}

/// Collects the variables of an expression that has no binders and evaluates cheaply (null for one
/// that is not known); false where it is not of that kind and hence no size.
bool collect_variables(const syntax::Expr& expression, std::vector<const Variable*>& found) {
  auto all = [&](const std::vector<syntax::Expr*>& list) {
    return std::all_of(list.begin(), list.end(),
                       [&](const syntax::Expr* e) { return collect_variables(*e, found); });
  };
  const syntax::ExprNode& node = expression.node;
  if (const auto* v = std::get_if<syntax::VariableExpr>(&node)) {
    found.push_back(v->variable);
    return v->variable != nullptr;
  }
  if (std::holds_alternative<syntax::IntegerLiteral>(node) ||
      std::holds_alternative<syntax::BoolLiteral>(node) ||
      std::holds_alternative<syntax::FloatLiteral>(node))
    return true;
  if (const auto* p = std::get_if<syntax::Parenthesized>(&node))
    return collect_variables(*p->inner, found);
  if (const auto* a = std::get_if<syntax::ApplyExpr>(&node))
    return collect_variables(*a->function, found) && all(a->arguments);
  if (const auto* b = std::get_if<syntax::BinaryExpr>(&node)) {
    if (b->variable) found.push_back(b->variable);
    return collect_variables(*b->left, found) && collect_variables(*b->right, found);
  }
  if (const auto* u = std::get_if<syntax::UnaryExpr>(&node))
    return collect_variables(*u->operand, found);
  if (const auto* t = std::get_if<syntax::TupleExpr>(&node)) return all(t->elements);
  if (const auto* p = std::get_if<syntax::ProjectExpr>(&node))
    return collect_variables(*p->record, found);
  if (const auto* i = std::get_if<syntax::IndexExpr>(&node)) {
    for (const syntax::IndexPart& part : i->indices)
      if (part.is_slice() || !collect_variables(*part.index, found)) return false;
    return collect_variables(*i->array, found);
  }
  if (const auto* a = std::get_if<syntax::AttributedExpr>(&node))
    return collect_variables(*a->body, found);
  return false;
}

} // namespace

bool mentions_error(const syntax::Expr& expression) {
  if (as<ErrorType>(expression.type)) return true;
  std::vector<const Variable*> found;
  collect_variables(expression, found);
  return std::any_of(found.begin(), found.end(), [](const Variable* v) {
    return !v || (v->scheme.type && as<ErrorType>(v->scheme.type));
  });
}

const Size* size_of(TypeArena& arena, const syntax::Expr& expression) {
  const syntax::ExprNode& node = expression.node;
  if (const auto* literal = std::get_if<syntax::IntegerLiteral>(&node))
    return constant(arena, static_cast<std::int64_t>(literal->value));
  if (const auto* p = std::get_if<syntax::Parenthesized>(&node)) return size_of(arena, *p->inner);
  if (const auto* a = std::get_if<syntax::AscribeExpr>(&node)) return size_of(arena, *a->value);
  if (const auto* a = std::get_if<syntax::AttributedExpr>(&node)) return size_of(arena, *a->body);
  if (const auto* v = std::get_if<syntax::VariableExpr>(&node); v && v->field_count == 0)
    return v->variable ? variable(arena, v->variable) : nullptr;
  if (const auto* b = std::get_if<syntax::BinaryExpr>(&node);
      b && b->variable && b->variable->kind == Variable::Kind::Overloaded) {
    if (auto op = size_operator(b->op.name)) {
      const Size* left = size_of(arena, *b->left);
      const Size* right = size_of(arena, *b->right);
      if (left && right) return arena.make<Size>(OperationSize{*op, left, right});
    }
  }
  std::vector<const Variable*> variables;
  if (!collect_variables(expression, variables)) return nullptr;
  ExpressionSize size{&expression, {}};
  for (const Variable* v : variables) {
    if (v->kind == Variable::Kind::Intrinsic || v->kind == Variable::Kind::Overloaded) continue;
    bool seen = std::any_of(size.substitution.begin(), size.substitution.end(),
                            [&](const auto& pair) { return pair.first == v; });
    if (!seen) size.substitution.emplace_back(v, variable(arena, v));
  }
  return arena.make<Size>(std::move(size));
}

} // namespace sinter::check
