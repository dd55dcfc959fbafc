#include "lang/check/values/value_declarations.h"

#include "lang/check/sizes/size_checker.h"
#include "lang/check/types/inference.h"
#include "lang/check/types/type_declarations.h"
#include "lang/check/uniqueness/uniqueness.h"
#include "lang/types/brief.h"
#include "lang/types/facts.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

/// Whether the type of all that a pattern binds is written down.
bool is_annotated(const syntax::Pattern& pattern) {
  if (std::holds_alternative<syntax::AscribePattern>(pattern.node)) return true;
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return is_annotated(*p->inner);
  if (const auto* a = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return is_annotated(*a->pattern);
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node))
    return std::all_of(t->elements.begin(), t->elements.end(),
                       [](const syntax::Pattern* p) { return is_annotated(*p); });
  return false;
}

/// Size parameters must be sizes of something.
void check_size_parameters(Context& context, const syntax::ValueDeclaration& declaration,
                           const Scheme& scheme) {
  for (const syntax::TypeParameter& parameter : declaration.type_parameters) {
    if (!parameter.size) continue;
    bool used = false;
    for_each_variable(scheme.type, [&](const Variable* v) { used = used || v == parameter.size; });
    if (!used && !as<ErrorType>(scheme.type))
      context.diagnostics->error(
          "unused-size-parameter", parameter.span,
          "Size parameter " + in_quotes(parameter.name) +
              " is not used constructively: it is the size of no parameter or result");
  }
}

struct CheckedValue {
  Variable* variable = nullptr;
  bool has_met_error = false;
};

CheckedValue check_value(Context& context, const Scope& scope,
                         syntax::ValueDeclaration& declaration, bool defer_body, bool sees_itself) {
  const std::size_t errors_before = context.diagnostics->error_count();
  Inference inference(context, scope);
  inference.must_be_redefinable(declaration.name, declaration.name_span);
  Variable* variable = inference.new_variable(Variable::Kind::Global, declaration.name,
                                              declaration.name_span, nullptr);
  variable->level = 0;
  variable->declaration = &declaration;
  declaration.variable = variable;
  Scheme scheme;
  // Whatever is wrong with the body: its type, and whether the sizes in it are all named.
  bool has_type = false, has_sizes = false;
  {
    Inference::Layer layer(inference);
    inference.bind_parameters(declaration.type_parameters);
    std::vector<Variable*> anonymous;
    std::vector<const Type*> parameter_types;
    for (syntax::Pattern* parameter : declaration.parameters) {
      parameter_types.push_back(inference.check_pattern(
          *parameter, inference.unifier().new_meta(parameter->span),
          Reason{Reason::Kind::Pattern, parameter->span}, AnonymousSizes::Parameter, &anonymous));
      inference.must_be_irrefutable(*parameter);
    }
    std::vector<Variable*> made;
    const Type* declared = nullptr;
    if (declaration.result_type)
      declared = inference.check_type(*declaration.result_type, AnonymousSizes::Existential, &made);
    std::vector<const Variable*> existentials(made.begin(), made.end());
    const Type* type = nullptr;
    const bool is_declared =
        declared && std::all_of(declaration.parameters.begin(), declaration.parameters.end(),
                                [](const syntax::Pattern* p) { return is_annotated(*p); });
    has_type = is_declared && context.diagnostics->error_count() == errors_before;
    has_sizes = has_type && anonymous.empty() && made.empty();
    if (defer_body && is_declared) {
      type =
          inference.function_type(declaration.parameters, parameter_types, declared, existentials);
    } else {
      // A function is in scope of itself, with the types that it will have in the end.
      const Type* result =
          declared ? declared : inference.unifier().new_meta(declaration.name_span);
      Inference::Layer self(inference);
      if (sees_itself) {
        inference.recursive_uses().set_self(variable);
        variable->scheme.size_parameters = sizes_of(declaration.type_parameters, anonymous);
        variable->scheme.type =
            inference.function_type(declaration.parameters, parameter_types, result, existentials);
        self.scope.names.bind(declaration.name, variable);
        // The parameters may have the function's own name.
        for (const auto& [name, parameter] : layer.scope.names.values)
          if (name == declaration.name) self.scope.names.bind(name, parameter);
      }
      std::vector<const Variable*> body_existentials;
      const Type* body =
          inference.check_body(declaration.result_type, *declaration.body, body_existentials);
      if (!declared) {
        existentials = std::move(body_existentials);
        inference.unifier().unify(result, body,
                                  Reason{Reason::Kind::Result, declaration.body->span});
      }
      type = inference.function_type(declaration.parameters, parameter_types,
                                     declared ? declared : body, existentials);
    }
    scheme.type = type;
    scheme.type_parameters = type_names(declaration.type_parameters);
    scheme.size_parameters = sizes_of(declaration.type_parameters, anonymous);
    if (declaration.parameters.empty())
      scheme.size_parameters.insert(scheme.size_parameters.end(), existentials.begin(),
                                    existentials.end());
  }
  inference.apply_defaults(scheme.type);
  // An anonymous size that an inner ascription has named is none.
  std::erase_if(scheme.size_parameters, [&](const Variable* size) {
    if (!size->name.empty()) return false;
    bool used = false;
    for_each_variable(scheme.type, [&](const Variable* v) { used = used || v == size; });
    return !used;
  });
  scheme = inference.generalise(scheme.type, std::move(scheme.type_parameters),
                                std::move(scheme.size_parameters));
  variable->scheme = scheme;
  inference.finish();
  inference.recursive_uses().check(declaration, *context.diagnostics);
  if (!inference.has_met_error()) check_size_parameters(context, declaration, variable->scheme);
  const Scheme unknown{{}, {}, inference.error()};
  const bool has_errors = context.diagnostics->error_count() > errors_before;
  if (has_errors || inference.has_met_error()) {
    if (has_errors && !has_type) variable->scheme = unknown;
    variable->has_unknown_sizes = !has_sizes;
  } else if (declaration.body->type) {
    const bool are_known = check_sizes(context, declaration);
    const bool is_declared = has_sizes && context.diagnostics->error_count() == errors_before;
    variable->has_unknown_sizes = !are_known && !is_declared;
  }
  return {variable, inference.has_met_error()};
}

// Functions are in scope of themselves only since the language has recursion.  Programs from before
// define, say, `map` of a container by the `map` of arrays.  Where the name is known outside and
// the function is right with that meaning only, that meaning is taken.
CheckedValue check_either_meaning(Context& context, const Scope& scope,
                                  syntax::ValueDeclaration& declaration, bool defer_body) {
  const bool sees_itself = !declaration.parameters.empty();
  if (!sees_itself || defer_body || !scope.value(declaration.name))
    return check_value(context, scope, declaration, defer_body, sees_itself);
  Diagnostics* const outer = context.diagnostics;
  context.has_errors = context.has_errors || outer->has_errors();
  struct Restore {
    Context& context;
    Diagnostics* outer;
    ~Restore() { context.diagnostics = outer; }
  } restore{context, outer};
  Diagnostics as_recursive, as_before;
  context.diagnostics = &as_recursive;
  CheckedValue value = check_value(context, scope, declaration, false, true);
  const Diagnostics* found = &as_recursive;
  if (as_recursive.has_errors()) {
    context.diagnostics = &as_before;
    value = check_value(context, scope, declaration, false, false);
    if (!as_before.has_errors()) {
      found = &as_before;
      outer->warning("outer-meaning", declaration.name_span,
                     "`" + std::string(declaration.name) +
                         "` is not used recursively here: inside, the name means what it means "
                         "outside, as its own definition does not fit there");
    }
  }
  for (const Diagnostic& diagnostic : found->all())
    outer->add(diagnostic);
  return value;
}

} // namespace

Variable* check_value_declaration(Context& context, const Scope& scope,
                                  syntax::ValueDeclaration& declaration, bool defer_body) {
  const std::size_t errors = context.diagnostics->error_count();
  const CheckedValue value = check_either_meaning(context, scope, declaration, defer_body);
  const bool is_deferred = declaration.body->type == nullptr;
  if (!is_deferred && !value.has_met_error && context.diagnostics->error_count() == errors)
    value.variable->scheme.type = check_uniqueness(context, declaration);
  return value.variable;
}

void check_deferred_body(Context& context, const Scope& scope,
                         syntax::ValueDeclaration& declaration) {
  const std::size_t errors = context.diagnostics->error_count();
  Inference inference(context, scope);
  Inference::Layer self(inference);
  if (!declaration.parameters.empty())
    self.scope.names.bind(declaration.name, declaration.variable);
  Inference::Layer layer(inference);
  inference.rebind_parameters(declaration.type_parameters);
  for (const Variable* size : declaration.variable->scheme.size_parameters)
    if (size->name.empty() && size->kind == Variable::Kind::SizeParameter)
      inference.bind(const_cast<Variable*>(size));
  for (syntax::Pattern* parameter : declaration.parameters)
    inference.rebind_pattern(*parameter);
  std::vector<const Variable*> existentials;
  inference.check_body(declaration.result_type, *declaration.body, existentials);
  inference.apply_defaults();
  inference.finish();
  if (context.diagnostics->error_count() == errors && !inference.has_met_error())
    check_body_sizes(context, declaration);
  if (context.diagnostics->error_count() == errors) check_uniqueness(context, declaration);
}

bool check_toplevel_expression(Context& context, const Scope& scope, syntax::Expr& expression) {
  std::size_t before = context.diagnostics->error_count();
  try {
    Inference inference(context, scope);
    inference.check_expression(expression);
    inference.apply_defaults();
    inference.finish();
    if (context.diagnostics->error_count() == before && !inference.has_met_error())
      check_sizes(context, expression);
  } catch (const TooLarge& too_large) {
    report_too_large(*context.diagnostics, expression.span, too_large);
  }
  return context.diagnostics->error_count() == before;
}

} // namespace sinter::check
