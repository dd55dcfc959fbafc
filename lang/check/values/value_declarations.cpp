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

/// One definition, through inference and sizes.
class ValueCheck {
public:
  ValueCheck(Context& context, const Scope& scope, syntax::ValueDeclaration& declaration,
             bool sees_itself)
      : context_(context), inference_(context, scope), declaration_(declaration),
        sees_itself_(sees_itself), errors_before_(context.diagnostics->error_count()) {}

  CheckedValue check(bool defer_body) {
    inference_.must_be_redefinable(declaration_.name, declaration_.name_span);
    Variable* variable = inference_.new_variable(Variable::Kind::Global, declaration_.name,
                                                 declaration_.name_span, nullptr);
    variable->level = 0;
    variable->declaration = &declaration_;
    declaration_.variable = variable;
    Scheme scheme = infer(defer_body);
    inference_.apply_defaults(scheme.type);
    // An anonymous size that an inner ascription has named is none.
    std::erase_if(scheme.size_parameters, [&](const Variable* size) {
      if (!size->name.empty()) return false;
      bool used = false;
      for_each_variable(scheme.type, [&](const Variable* v) { used = used || v == size; });
      return !used;
    });
    variable->scheme = inference_.generalise(scheme.type, std::move(scheme.type_parameters),
                                             std::move(scheme.size_parameters));
    inference_.finish();
    inference_.recursive_uses().check(declaration_, *context_.diagnostics);
    // What sizes a result that is not written has is found by the exact check.
    if (declared_ && !inference_.has_met_error())
      check_size_parameters(context_, declaration_, variable->scheme);
    find_sizes();
    return {variable, inference_.has_met_error()};
  }

private:
  bool has_errors() const { return context_.diagnostics->error_count() > errors_before_; }

  Scheme infer(bool defer_body) {
    Inference::Layer layer(inference_);
    inference_.bind_parameters(declaration_.type_parameters);
    for (syntax::Pattern* parameter : declaration_.parameters) {
      parameter_types_.push_back(inference_.check_pattern(
          *parameter, inference_.unifier().new_meta(parameter->span),
          Reason{Reason::Kind::Pattern, parameter->span}, AnonymousSizes::Parameter, &anonymous_));
      inference_.must_be_irrefutable(*parameter);
    }
    std::vector<Variable*> made;
    if (declaration_.result_type)
      declared_ =
          inference_.check_type(*declaration_.result_type, AnonymousSizes::Existential, &made);
    existentials_.assign(made.begin(), made.end());
    const bool is_declared =
        declared_ && std::all_of(declaration_.parameters.begin(), declaration_.parameters.end(),
                                 [](const syntax::Pattern* p) { return is_annotated(*p); });
    has_type_ = is_declared && !has_errors();
    has_sizes_ = has_type_ && anonymous_.empty() && made.empty();
    Scheme scheme;
    scheme.type = function_type(defer_body && is_declared ? declared_ : infer_body(layer));
    scheme.type_parameters = type_names(declaration_.type_parameters);
    scheme.size_parameters = sizes_of(declaration_.type_parameters, anonymous_);
    if (declaration_.parameters.empty())
      scheme.size_parameters.insert(scheme.size_parameters.end(), existentials_.begin(),
                                    existentials_.end());
    return scheme;
  }

  /// Gives the result's type.
  const Type* infer_body(const Inference::Layer& parameters) {
    // A function is in scope of itself, with the types that it will have in the end.
    Variable* variable = declaration_.variable;
    const Type* result =
        declared_ ? declared_ : inference_.unifier().new_meta(declaration_.name_span);
    Inference::Layer self(inference_);
    if (sees_itself_) {
      inference_.recursive_uses().set_self(variable);
      variable->scheme.size_parameters = sizes_of(declaration_.type_parameters, anonymous_);
      variable->scheme.type = function_type(result);
      self.scope.names.bind(declaration_.name, variable);
      // The parameters may have the function's own name.
      for (const auto& [name, parameter] : parameters.scope.names.values)
        if (name == declaration_.name) self.scope.names.bind(name, parameter);
    }
    std::vector<const Variable*> none;
    const Type* body = inference_.check_body(declaration_.result_type, *declaration_.body, none);
    if (declared_) return declared_;
    inference_.unifier().unify(result, body, Reason{Reason::Kind::Result, declaration_.body->span});
    return body;
  }

  const Type* function_type(const Type* result) {
    return inference_.function_type(declaration_.parameters, parameter_types_, result,
                                    existentials_);
  }

  void find_sizes() {
    Variable& variable = *declaration_.variable;
    if (has_errors() || inference_.has_met_error()) {
      if (has_errors() && !has_type_) variable.scheme = Scheme{{}, {}, inference_.error()};
      variable.has_unknown_sizes = !has_sizes_;
    } else if (declaration_.body->type) {
      const bool are_known = check_sizes(context_, declaration_);
      variable.has_unknown_sizes = !are_known && !(has_sizes_ && !has_errors());
    }
  }

  Context& context_;
  Inference inference_;
  syntax::ValueDeclaration& declaration_;
  bool sees_itself_;
  std::size_t errors_before_;
  std::vector<const Type*> parameter_types_;
  const Type* declared_ = nullptr; ///< the result's type
  std::vector<Variable*> anonymous_;
  std::vector<const Variable*> existentials_;
  /// Whatever is wrong with the body: its type, and whether the sizes in it are all named.
  bool has_type_ = false, has_sizes_ = false;
};

CheckedValue check_value(Context& context, const Scope& scope,
                         syntax::ValueDeclaration& declaration, bool defer_body, bool sees_itself) {
  return ValueCheck(context, scope, declaration, sees_itself).check(defer_body);
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
