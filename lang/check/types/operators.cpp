// Types of applications: of functions, operators, and operator sections.
#include "lang/check/types/inference.h"
#include "lang/types/brief.h"

namespace sinter::check {

using namespace types;

namespace {

const syntax::QualifiedName* name_of(const syntax::Expr& function) {
  const auto* v = std::get_if<syntax::VariableExpr>(&function.node);
  return v ? &v->name : nullptr;
}

} // namespace

const Type* Inference::apply(const Type* function_type, const Argument& argument, unsigned index,
                             const syntax::QualifiedName* name, Span span) {
  const auto* f = as<FunctionType>(function_type);
  if (!f) {
    if (as<ErrorType>(function_type)) {
      unifier_.excuse(argument.type);
      return error_;
    }
    const auto* meta = as<MetaType>(function_type);
    std::string shown = name ? "\"" + std::string(context_.sources.text(name->span)) + "\""
                             : std::string("expression");
    if (!meta || meta->elements != 0 || !meta->fields.empty() || !meta->constructors.empty()) {
      const std::string argument_text = excerpt_of(context_, argument.span);
      const bool is_word = argument_text == "and" || argument_text == "or";
      if (index == 0) {
        Diagnostic& diagnostic = diagnostics().error(
            "not-a-function", name ? name->span : span,
            "Cannot apply " + shown + " as function, as it has non-function type: \"" +
                print_briefly(function_type) + "\"");
        if (is_word)
          diagnostic.hint =
              "`" + argument_text + "` is written " + (argument_text == "and" ? "`&&`" : "`||`");
      } else
        diagnostics().error("too-many-arguments", argument.span,
                            "Cannot apply " + shown + " to \"" +
                                excerpt_of(context_, argument.span) + "\": function accepts only " +
                                std::to_string(index) + (index == 1 ? " argument" : " arguments"));
      return error_;
    }
    const Type* result = unifier_.new_meta(span);
    Reason reason;
    reason.span = span;
    if (!unifier_.unify(function_type, function(arena(), argument.type, result), reason))
      return error_;
    return result;
  }
  Reason reason{Reason::Kind::Apply, argument.span, name, argument.span};
  if (!unifier_.unify(f->parameter, argument.type, reason)) return error_;
  return f->result;
}

const Type* Inference::infer_apply(syntax::Expr& expression, syntax::ApplyExpr& node) {
  const Type* type = check_expression(*node.function);
  recursive_uses_.note_application(*node.function, node);
  const syntax::QualifiedName* name = name_of(*node.function);
  unsigned index = 0;
  for (syntax::Expr* argument : node.arguments) {
    const Type* argument_type = check_expression(*argument);
    type = apply(type, {argument, argument_type, argument->span}, index++, name, expression.span);
  }
  return type;
}

const Type* Inference::infer_binary(syntax::Expr& expression, syntax::BinaryExpr& node) {
  if (node.op.qualifiers.empty() && (node.op.name == "&&" || node.op.name == "||")) {
    require(*node.left, ElementType::Bool);
    require(*node.right, ElementType::Bool);
    return primitive(ElementType::Bool);
  }
  node.variable = find_operator(node.op);
  const Type* type = node.variable ? instantiate(*node.variable, node.op.span) : error_;
  annotations_.put(node.variable_type, type);
  const Type* left = check_expression(*node.left);
  const Type* right = check_expression(*node.right);
  type = apply(type, {node.left, left, node.left->span}, 0, &node.op, expression.span);
  type = apply(type, {node.right, right, node.right->span}, 1, &node.op, expression.span);
  return type;
}

const Type* Inference::infer_left_section(syntax::Expr& expression, syntax::LeftSection& node) {
  node.variable = find_operator(node.op);
  const Type* type = node.variable ? instantiate(*node.variable, node.op.span) : error_;
  annotations_.put(node.variable_type, type);
  const Type* left = check_expression(*node.left);
  return apply(type, {node.left, left, node.left->span}, 0, &node.op, expression.span);
}

const Type* Inference::infer_right_section(syntax::Expr& expression, syntax::RightSection& node) {
  node.variable = find_operator(node.op);
  const Type* type = node.variable ? instantiate(*node.variable, node.op.span) : error_;
  annotations_.put(node.variable_type, type);
  const Type* right = check_expression(*node.right);
  const Type* left = unifier_.new_meta(expression.span);
  type = apply(type, {nullptr, left, expression.span}, 0, &node.op, expression.span);
  type = apply(type, {node.right, right, node.right->span}, 1, &node.op, expression.span);
  if (as<ErrorType>(type)) return type;
  // The parameter as the operator has it: it may be consumed.
  const auto* op = as<FunctionType>(node.variable_type);
  return function(arena(), op ? op->parameter : left, type);
}

const Type* Inference::infer_unary(syntax::Expr&, syntax::UnaryExpr& node) {
  switch (node.op) {
  case syntax::UnaryOperator::Negate: {
    const Type* type = require_any(*node.operand, number_elements);
    deferred_.negate_last(*node.operand);
    return type;
  }
  case syntax::UnaryOperator::Not:
    return require_any(*node.operand, integer_elements | bool_element);
  }
  return error_;
}

} // namespace sinter::check
