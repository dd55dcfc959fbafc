// Top-level declarations of values and types, and specifications of them.
#include "lang/check/inference.h"
#include "lang/check/size_checker.h"
#include "lang/check/type_facts.h"
#include "lang/check/uniqueness.h"
#include "lang/types/brief.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

std::vector<const TypeName*> type_names(const std::vector<syntax::TypeParameter>& parameters) {
  std::vector<const TypeName*> names;
  for (const syntax::TypeParameter& parameter : parameters)
    if (parameter.type_name) names.push_back(parameter.type_name);
  return names;
}

std::vector<const Variable*> sizes_of(const std::vector<syntax::TypeParameter>& parameters,
                                      const std::vector<Variable*>& anonymous = {}) {
  std::vector<const Variable*> sizes;
  for (const syntax::TypeParameter& parameter : parameters)
    if (parameter.size) sizes.push_back(parameter.size);
  sizes.insert(sizes.end(), anonymous.begin(), anonymous.end());
  return sizes;
}

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

const Variable* name_of(const syntax::Pattern& pattern) {
  if (const auto* n = std::get_if<syntax::NamePattern>(&pattern.node)) return n->variable;
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return name_of(*a->pattern);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return name_of(*p->inner);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return name_of(*b->pattern);
  return nullptr;
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

} // namespace

void Inference::check_recursion(const syntax::ValueDeclaration& declaration) {
  if (recursions_.empty()) return;
  const Type* result = declaration.variable->scheme.type;
  std::vector<bool> functional;
  for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
    const auto* f = as<FunctionType>(result);
    if (!f) return;
    functional.push_back(may_be_functional(f->parameter));
    result = f->result;
  }
  std::string name = in_quotes(declaration.name);
  if (may_be_functional(result))
    diagnostics()
        .error("recursive-result", declaration.name_span,
               "Recursive function " + name + " returns type " + in_quotes(print_briefly(result)) +
                   ", which is not first-order")
        .hint = "write the function's parameters as further parameters of " + name;
  if (std::find(functional.begin(), functional.end(), true) == functional.end()) return;
  for (const auto& [reference, application] : recursions_) {
    if (!application) {
      diagnostics().error("recursive-reference", reference->span,
                          "Recursive reference to " + name +
                              " must be a fully saturated application, as it has a higher-order "
                              "parameter");
      continue;
    }
    if (application->arguments.size() != functional.size()) {
      diagnostics().error("recursive-reference", reference->span,
                          "Recursive application of " + name +
                              " is not fully saturated: expected " +
                              std::to_string(functional.size()) + " arguments but got " +
                              std::to_string(application->arguments.size()));
      continue;
    }
    for (std::size_t i = 0; i < functional.size(); ++i) {
      if (!functional[i]) continue;
      const auto* v = std::get_if<syntax::VariableExpr>(&application->arguments[i]->node);
      if (v && v->variable && v->variable == name_of(*declaration.parameters[i])) continue;
      diagnostics().error("recursive-argument", application->arguments[i]->span,
                          "Higher-order argument in recursive application of " + name +
                              " must be passed unchanged: it must be the corresponding parameter");
    }
  }
}

namespace {

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
          *parameter, inference.new_meta(parameter->span),
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
      const Type* result = declared ? declared : inference.new_meta(declaration.name_span);
      Inference::Layer self(inference);
      if (sees_itself) {
        inference.set_self(variable);
        variable->scheme.size_parameters = sizes_of(declaration.type_parameters, anonymous);
        variable->scheme.type =
            inference.function_type(declaration.parameters, parameter_types, result, existentials);
        self.scope.names.bind(declaration.name, variable);
        // The parameters may have the function's own name.
        for (const auto& [name, parameter] : layer.scope.names.values)
          if (name == declaration.name) self.scope.names.bind(name, parameter);
      }
      std::vector<const Variable*> body_existentials;
      const Type* body = inference.check_body(declaration.parameters, declaration.result_type,
                                              *declaration.body, body_existentials);
      if (!declared) {
        existentials = std::move(body_existentials);
        inference.unify(result, body, Reason{Reason::Kind::Result, declaration.body->span});
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
  inference.check_recursion(declaration);
  if (!inference.has_met_error()) check_size_parameters(context, declaration, variable->scheme);
  const Scheme unknown{{}, {}, inference.error()};
  const bool has_errors = context.diagnostics->error_count() > errors_before;
  if (has_errors || inference.has_met_error()) {
    if (has_errors && !has_type) variable->scheme = unknown;
    if (!has_sizes) variable->exact = std::make_shared<const Scheme>(unknown);
  } else if (declaration.body->type) {
    variable->exact = check_sizes(context, inference.written(), declaration);
    const bool is_unknown = variable->exact && as<ErrorType>(variable->exact->type);
    if (is_unknown && has_sizes && context.diagnostics->error_count() == errors_before)
      variable->exact = nullptr;
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
  inference.check_body(declaration.parameters, declaration.result_type, *declaration.body,
                       existentials);
  inference.apply_defaults();
  inference.finish();
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
      check_sizes(context, inference.written(), expression);
  } catch (const TooLarge& too_large) {
    report_too_large(*context.diagnostics, expression.span, too_large);
  }
  return context.diagnostics->error_count() == before;
}

void report_too_large(Diagnostics& diagnostics, Span span, const TooLarge& too_large) {
  std::string what;
  switch (too_large.what) {
  case TooLarge::What::Types:
    what = "types are too large: written out, one has more than " +
           std::to_string(WrittenSize::limit) + " parts or is nested too deeply";
    break;
  case TooLarge::What::Sizes:
    what = "sizes are too large: written out, one is a sum or product of too many";
    break;
  case TooLarge::What::Modules:
    what = "modules are too large: copied for each application, they have too many members";
    break;
  }
  diagnostics.error("too-large", span, "cannot check this, as its " + what).hint =
      "something here doubles what another definition has doubled before";
}

Scheme check_value_specification(Context& context, const Scope& scope,
                                 syntax::ValueSpecification& specification) {
  Inference inference(context, scope);
  Scheme scheme;
  {
    Inference::Layer layer(inference);
    inference.bind_parameters(specification.type_parameters);
    // Anonymous sizes left of an arrow become parameters; in the result of a function they are
    // existentials of its type, and in a constant's type its own.
    const syntax::TypeExpr* shape = specification.type;
    while (const auto* p = std::get_if<syntax::ParenthesizedType>(&shape->node))
      shape = p->inner;
    bool is_function = std::holds_alternative<syntax::FunctionType>(shape->node);
    std::vector<Variable*> made;
    scheme.type = inference.check_type(
        *specification.type, is_function ? AnonymousSizes::Parameter : AnonymousSizes::Existential,
        &made);
    if (!made.empty() && !inference.has_met_error())
      context.diagnostics
          ->error("anonymous-size", specification.type->span,
                  "All function parameters must have non-anonymous sizes")
          .hint = "add size parameters to " + in_quotes(specification.name);
    scheme.type_parameters = type_names(specification.type_parameters);
    scheme.size_parameters = sizes_of(specification.type_parameters, made);
  }
  const Type* type = scheme.type;
  inference.annotate(scheme.type, type);
  inference.apply_defaults();
  inference.finish();
  return scheme;
}

TypeBinding check_type_binding(Context& context, const Scope& scope, std::string display, Span span,
                               Lifting lifting, std::vector<syntax::TypeParameter>& parameters,
                               syntax::TypeExpr* definition) {
  Inference inference(context, scope);
  TypeBinding binding;
  binding.lifting = lifting;
  binding.span = span;
  Inference::Layer layer(inference);
  inference.bind_parameters(parameters);
  binding.parameters = parameters;
  if (!definition) {
    std::vector<bool> is_size;
    std::vector<TypeArgument> arguments;
    for (const syntax::TypeParameter& parameter : parameters) {
      is_size.push_back(parameter.size != nullptr);
      if (parameter.size)
        arguments.push_back({nullptr, variable(context.types, parameter.size)});
      else
        arguments.push_back({named(context.types, parameter.type_name), nullptr});
    }
    const TypeName* name = context.types.make<TypeName>(
        TypeName::Kind::Abstract, std::move(display), span, lifting, std::move(is_size));
    binding.body = named(context.types, name, std::move(arguments));
    inference.finish();
    return binding;
  }
  std::vector<Variable*> made;
  Lifting found = Lifting::None;
  // Uniqueness belongs to parameters and results; in an abbreviation it means nothing.
  binding.body = strip_unique(
      context.types, inference.check_type(*definition, AnonymousSizes::Existential, &made, &found));
  const Type* body = binding.body;
  inference.annotate(binding.body, body);
  inference.apply_defaults();
  inference.finish();
  if (inference.has_met_error()) return binding;
  const SizeUses uses = size_uses(binding.body);
  for (const Variable* size : made)
    if (!uses.constructive.contains(size)) {
      context.diagnostics->error("anonymous-nonconstructive",
                                 size->span.is_known() ? size->span : definition->span,
                                 "Type abbreviation contains an anonymous size not used "
                                 "constructively as an array size");
      break;
    }
  for (const syntax::TypeParameter& parameter : parameters) {
    if (!parameter.size) continue;
    bool used = false;
    for_each_variable(binding.body, [&](const Variable* v) { used = used || v == parameter.size; });
    if (!used)
      context.diagnostics->error(
          "unused-size-parameter", parameter.span,
          "Size parameter " + in_quotes("[" + std::string(parameter.name) + "]") + " unused.");
  }
  std::set<const Variable*> witnessed = witnessed_sizes(binding.body);
  for (const Variable* size : made) {
    bool occurs = false;
    for_each_variable(binding.body, [&](const Variable* v) { occurs = occurs || v == size; });
    if (!occurs || witnessed.contains(size)) continue;
    context.diagnostics->error("anonymous-nonconstructive", definition->span,
                               "Type abbreviation contains an anonymous size not used "
                               "constructively as an array size");
    return binding;
  }
  if (found == Lifting::FullyLifted && lifting < Lifting::FullyLifted)
    context.diagnostics
        ->error("lifted-abbreviation", definition->span,
                "Non-lifted type abbreviations may not contain functions.")
        .hint = "consider using `type^`";
  else if (found == Lifting::SizeLifted && lifting < Lifting::SizeLifted)
    context.diagnostics
        ->error("lifted-abbreviation", definition->span,
                "Non-size-lifted type abbreviations may not contain size-lifted types.")
        .hint = "consider using `type~`";
  else if (lifting == Lifting::None && !made.empty())
    context.diagnostics
        ->error("lifted-abbreviation", definition->span,
                "Non-lifted type abbreviations may not use existential sizes in their definition.")
        .hint = "use `type~`, or add size parameters to " + in_quotes(display);
  return binding;
}

TypeBinding check_type_declaration(Context& context, const Scope& scope,
                                   syntax::TypeDeclaration& declaration) {
  return check_type_binding(context, scope, std::string(declaration.name), declaration.name_span,
                            declaration.lifting, declaration.parameters, declaration.definition);
}

} // namespace sinter::check
