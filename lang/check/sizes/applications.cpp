// Sizes of applications.
#include "lang/check/sizes/size_checker.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

std::string_view name_of(const syntax::Expr& function) {
  const auto* v = std::get_if<syntax::VariableExpr>(&function.node);
  return v ? v->name.name : std::string_view{};
}

void bound_inside(const Type* type, std::set<const Variable*>& found) {
  if (const auto* a = as<ArrayType>(type)) {
    bound_inside(a->element, found);
  } else if (const auto* r = as<RecordType>(type)) {
    for (const Field& field : r->fields)
      bound_inside(field.type, found);
  } else if (const auto* s = as<SumType>(type)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        bound_inside(payload, found);
  } else if (const auto* f = as<FunctionType>(type)) {
    if (f->parameter_variable) found.insert(f->parameter_variable);
    found.insert(f->existentials.begin(), f->existentials.end());
    bound_inside(f->parameter, found);
    bound_inside(f->result, found);
  } else if (const auto* n = as<NamedType>(type)) {
    for (const TypeArgument& argument : n->arguments)
      if (argument.type) bound_inside(argument.type, found);
  }
}

} // namespace

const Type* SizeChecker::apply(const Type* function_type, syntax::Expr* argument,
                               const Type* argument_type, Span span, std::string_view name,
                               Variables& made) {
  const auto* f = as<FunctionType>(function_type);
  if (!f) throw Stop{};
  Span at = argument ? argument->span : span;
  Purpose purpose{at, {}};
  purpose.header = "Cannot apply " +
                   (name.empty() ? std::string("function") : "\"" + std::string(name) + "\"") +
                   " to \"" + text(at) + "\" (invalid type).";
  const std::string header = purpose.header;
  unify(f->parameter, argument_type, std::move(purpose));
  const Type* result = sizes_.normalise(f->result);
  Variables here;
  std::string returned =
      "is unknown size returned by " +
      (name.empty() ? std::string("a function") : "\"" + std::string(name) + "\"") + " here";
  for (const Variable* existential : f->existentials) {
    const Variable* unknown = sizes_.unknown(span, returned);
    if (!existential->name.empty()) const_cast<Variable*>(unknown)->name = existential->name;
    result = sizes_.substitute(result, existential, variable(arena(), unknown));
    here.push_back(unknown);
  }
  result = scopes_.bind_existentials(result, span, here);

  // A size that only this application makes cannot be that of a further parameter.
  std::set<const Variable*> problematic(here.begin(), here.end());
  bound_inside(sizes_.normalise(argument_type), problematic);
  if (!problematic.empty()) {
    std::set<const Variable*> produced, needed;
    for_each_size(result, [&](const Variables& bound, SizePlace place, const Size* size) {
      for_each_variable(size, [&](const Variable* v) {
        if (std::find(bound.begin(), bound.end(), v) != bound.end()) return;
        if (place == SizePlace::Immediate) produced.insert(v);
        if (place == SizePlace::Parameter) needed.insert(v);
      });
    });
    for (const Variable* v : needed)
      if (!produced.contains(v) && problematic.contains(v))
        fail("existential-param-ret", span,
             header + " Existential size would appear in function parameter of return type: \"" +
                 sizes_.show(result) + "\"",
             sizes_.notes(variable(arena(), v)),
             "use `|>` instead of composition, or bind the function's result with `let`");
  }

  if (f->parameter_variable && free_variables(result).contains(f->parameter_variable)) {
    const Size* size = argument ? structural_size(arena(), *argument) : nullptr;
    if (!size) {
      if (argument) warn_binding(argument->span);
      const Variable* unknown =
          sizes_.unknown(at, "is value of argument \"" + text(at) + "\" passed here");
      if (argument) nodes_[argument].argument_size = unknown;
      size = variable(arena(), unknown);
    }
    result = sizes_.substitute(result, f->parameter_variable, size);
  }
  made.insert(made.end(), here.begin(), here.end());
  return result;
}

const Type* SizeChecker::application(syntax::Expr& expression, const syntax::ApplyExpr& node) {
  const Type* type = check(*node.function);
  for (syntax::Expr* argument : node.arguments)
    check(*argument);
  Variables made;
  std::string_view name = name_of(*node.function);
  for (syntax::Expr* argument : node.arguments)
    type = apply(type, argument, nodes_.at(argument).type, expression.span, name, made);
  nodes_[&expression].made = std::move(made);
  return type;
}

const Type* SizeChecker::binary(syntax::Expr& expression, syntax::BinaryExpr& node) {
  if (!node.variable) {
    check(*node.left);
    check(*node.right);
    return primitive(ElementType::Bool);
  }
  const Type* type = look_up(node.variable, node.variable_type, node.op.span, node.op.name);
  check(*node.left);
  check(*node.right);
  Variables made;
  for (syntax::Expr* operand : {node.left, node.right})
    type = apply(type, operand, nodes_.at(operand).type, expression.span, node.op.name, made);
  nodes_[&expression].made = std::move(made);
  return type;
}

const Type* SizeChecker::left_section(syntax::Expr& expression, syntax::LeftSection& node) {
  const Type* type = look_up(node.variable, node.variable_type, node.op.span, node.op.name);
  const Type* left = check(*node.left);
  Variables made;
  type = apply(type, node.left, left, expression.span, node.op.name, made);
  nodes_[&expression].made = std::move(made);
  return type;
}

const Type* SizeChecker::right_section(syntax::Expr& expression, syntax::RightSection& node) {
  const Type* type = look_up(node.variable, node.variable_type, node.op.span, node.op.name);
  const Type* right = check(*node.right);
  const auto* f = as<FunctionType>(type);
  const auto* g = f ? as<FunctionType>(f->result) : nullptr;
  if (!g) throw Stop{};
  // The operator with its parameters exchanged.
  const Type* flipped =
      function(arena(), g->parameter,
               function(arena(), f->parameter, g->result, f->parameter_variable, g->existentials),
               g->parameter_variable);
  Variables made;
  type = apply(flipped, node.right, right, expression.span, node.op.name, made);
  nodes_[&expression].made = std::move(made);
  return type;
}

} // namespace sinter::check
