// Types of expressions that bind names: let, local functions, lambdas and loops.
#include "lang/check/names/scope.h"
#include "lang/check/types/inference.h"
#include "lang/check/types/variables.h"
#include "lang/types/facts.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

const Type* Inference::function_type(const std::vector<syntax::Pattern*>& parameters,
                                     const std::vector<const Type*>& parameter_types,
                                     const Type* result,
                                     std::vector<const Variable*> existentials) {
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const Variable* name = named_variable(*parameters[i]);
    if (name && !occurs(name, result)) name = nullptr;
    result = function(arena(), parameter_types[i], result, name, std::move(existentials));
    existentials.clear();
  }
  return result;
}

const Type* Inference::check_function(std::vector<syntax::Pattern*>& parameters,
                                      syntax::TypeExpr* result_type, syntax::Expr& body,
                                      AnonymousSizes mode, std::vector<Variable*>* made) {
  std::vector<const Type*> types;
  for (syntax::Pattern* parameter : parameters) {
    types.push_back(check_pattern(*parameter, unifier_.new_meta(parameter->span),
                                  Reason{Reason::Kind::Pattern, parameter->span}, mode, made));
    must_be_irrefutable(*parameter);
  }
  std::vector<const Variable*> existentials;
  const Type* result = check_body(result_type, body, existentials);
  return function_type(parameters, types, result, std::move(existentials));
}

const Type* Inference::check_body(syntax::TypeExpr* result_type, syntax::Expr& body,
                                  std::vector<const Variable*>& existentials) {
  const Type* declared = nullptr;
  if (result_type) {
    std::vector<Variable*> made;
    declared = result_type->type ? result_type->type
                                 : check_type(*result_type, AnonymousSizes::Existential, &made);
    existentials.assign(made.begin(), made.end());
  }
  const Type* type;
  {
    Layer layer(*this);
    type = check_expression(body);
  }
  if (declared) {
    Reason reason{Reason::Kind::Result, body.span};
    reason.origin = result_type->span;
    reason.origin_text = "the declared result type";
    unifier_.unify(declared, type, reason);
    return declared;
  }
  return type;
}

namespace {

/// Makes the inference variables of a type belong to a scope around the one that made them.
class LevelLowerer : public Rewriter {
public:
  LevelLowerer(TypeArena& arena, std::uint32_t level) : Rewriter(arena), level_(level) {}

protected:
  const Type* on_meta(const Type* type) override {
    MetaType& open = meta(type);
    open.level = std::min(open.level, level_);
    for (const Field& field : open.fields)
      this->type(field.type);
    for (const Constructor& constructor : open.constructors)
      for (const Type* payload : constructor.payload)
        this->type(payload);
    return type;
  }

private:
  std::uint32_t level_;
};

} // namespace

void Inference::lower_levels(const Type* type) {
  LevelLowerer(arena(), unifier_.level).type(type);
}

const Type* Inference::infer_lambda(syntax::LambdaExpr& node) {
  const Type* type;
  {
    Layer layer(*this);
    type = check_function(node.parameters, node.result_type, *node.body, AnonymousSizes::Open,
                          nullptr);
  }
  lower_levels(type);
  return type;
}

const Type* Inference::infer_let_function(syntax::LetFunctionExpr& node) {
  std::vector<Variable*> made;
  const Type* type;
  {
    Layer layer(*this);
    bind_parameters(node.type_parameters);
    type = check_function(node.parameters, node.result_type, *node.value, AnonymousSizes::Parameter,
                          &made);
  }
  Scheme scheme;
  for (const syntax::TypeParameter& parameter : node.type_parameters) {
    if (parameter.type_name) scheme.type_parameters.push_back(parameter.type_name);
    if (parameter.size) scheme.size_parameters.push_back(parameter.size);
  }
  scheme.size_parameters.insert(scheme.size_parameters.end(), made.begin(), made.end());
  lower_levels(type);
  const Type* body;
  {
    Layer layer(*this);
    must_be_redefinable(node.name, node.name_span);
    node.variable = new_variable(Variable::Kind::Local, node.name, node.name_span, type);
    node.variable->scheme.type_parameters = std::move(scheme.type_parameters);
    node.variable->scheme.size_parameters = std::move(scheme.size_parameters);
    bind(node.variable);
    body = check_expression(*node.body);
  }
  return body;
}

void Inference::check_size_binders(std::vector<syntax::SizeBinder>& sizes) {
  for (syntax::SizeBinder& binder : sizes) {
    binder.variable = new_variable(Variable::Kind::SizeParameter, binder.name, binder.span,
                                   primitive(ElementType::I64));
    bind(binder.variable);
  }
}

const Type* Inference::infer_let(syntax::LetPatternExpr& node) {
  const Type* value = check_expression(*node.value);
  const Type* body;
  {
    Layer layer(*this);
    check_size_binders(node.sizes);
    check_pattern(*node.pattern, value, Reason{Reason::Kind::Pattern, node.pattern->span});
    must_be_irrefutable(*node.pattern);
    body = check_expression(*node.body);
  }
  return body;
}

const Type* Inference::infer_let_with(syntax::LetWithExpr& node) {
  syntax::QualifiedName name{{}, node.name, node.name_span};
  std::uint32_t field_count = 0;
  node.source = find_variable(name, field_count);
  const Type* type = node.source ? instantiate(*node.source, node.name_span) : error_;
  const Type* part = follow_path(type, node.path);
  const Type* value = check_expression(*node.value);
  Reason reason{Reason::Kind::Replacement, node.value->span};
  reason.field = node.path.back().field;
  unifier_.unify(part, value, reason);
  const Type* body;
  {
    Layer layer(*this);
    node.target = new_variable(Variable::Kind::Local, node.name, node.name_span, type);
    bind(node.target);
    body = check_expression(*node.body);
  }
  return body;
}

// ---- loops -------------------------------------------------------------------------------------

/// The value that a loop without `= initial` starts from: the outer variables of the pattern's
/// names, in the pattern's shape.
const Type* Inference::implicit_initial(const syntax::Pattern& pattern,
                                        std::vector<Variable*>& variables) {
  auto outer = [&](std::string_view name, Span span) {
    std::uint32_t field_count = 0;
    Variable* variable = find_variable(syntax::QualifiedName{{}, name, span}, field_count);
    variables.push_back(variable);
    return variable ? instantiate(*variable, span) : error_;
  };
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node))
    return outer(name->name, pattern.span);
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    std::vector<const Type*> parts;
    for (const syntax::Pattern* element : t->elements)
      parts.push_back(implicit_initial(*element, variables));
    return tuple(arena(), parts);
  }
  if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    std::vector<Field> fields;
    for (const syntax::FieldPattern& field : r->fields)
      fields.push_back({field.name, field.pattern ? implicit_initial(*field.pattern, variables)
                                                  : outer(field.name, field.name_span)});
    return record(arena(), std::move(fields));
  }
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return implicit_initial(*a->pattern, variables);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return implicit_initial(*p->inner, variables);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return implicit_initial(*b->pattern, variables);
  diagnostics().error("loop-initial", pattern.span,
                      "a loop whose pattern is not made of names needs an initial value");
  return error_;
}

const Type* Inference::infer_loop(syntax::LoopExpr& node) {
  node.implicit_initial.clear(); // of an earlier attempt
  const Type* initial = node.initial ? check_expression(*node.initial)
                                     : implicit_initial(*node.pattern, node.implicit_initial);
  deferred_.oblige(initial, Lifting::SizeLifted, node.pattern->span,
                   ", but a loop parameter may not be of function type");
  // The parts of the form that are evaluated once, before the loop.
  const Type* bound = nullptr;
  const Type* element = nullptr;
  if (auto* form = std::get_if<syntax::ForLess>(&node.form)) {
    bound = require_any(*form->bound, integer_elements);
  } else if (auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
    const Type* type = check_expression(*form_in->array);
    if (const auto* a = as<ArrayType>(type)) {
      element = a->element;
    } else {
      element = unifier_.new_meta(form_in->array->span, Lifting::None);
      Reason reason;
      reason.span = form_in->array->span;
      unifier_.unify(array(arena(), unknown_size_, element), type, reason);
    }
  }
  const Type* result;
  {
    Layer layer(*this);
    check_size_binders(node.sizes);
    result =
        check_pattern(*node.pattern, initial, Reason{Reason::Kind::Pattern, node.pattern->span});
    must_be_irrefutable(*node.pattern);
    const Type* body;
    {
      Layer inner(*this);
      if (auto* form = std::get_if<syntax::ForLess>(&node.form)) {
        form->variable = new_variable(Variable::Kind::Local, form->name, form->name_span, bound);
        bind(form->variable);
      } else if (auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
        check_pattern(*form_in->pattern, element,
                      Reason{Reason::Kind::Pattern, form_in->pattern->span});
        must_be_irrefutable(*form_in->pattern);
      } else {
        require(*std::get<syntax::While>(node.form).condition, ElementType::Bool);
      }
      body = check_expression(*node.body);
    }
    Reason reason{Reason::Kind::LoopBody, node.body->span};
    reason.origin = node.initial ? node.initial->span : node.pattern->span;
    reason.origin_text = "the loop starts from this";
    unifier_.unify(initial, body, reason);
  }
  return strip_unique(arena(), result);
}

} // namespace sinter::check
