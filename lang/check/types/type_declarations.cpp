#include "lang/check/types/type_declarations.h"

#include "lang/check/types/inference.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

std::vector<const TypeName*> type_names(const std::vector<syntax::TypeParameter>& parameters) {
  std::vector<const TypeName*> names;
  for (const syntax::TypeParameter& parameter : parameters)
    if (parameter.type_name) names.push_back(parameter.type_name);
  return names;
}

std::vector<const Variable*> sizes_of(const std::vector<syntax::TypeParameter>& parameters,
                                      const std::vector<Variable*>& anonymous) {
  std::vector<const Variable*> sizes;
  for (const syntax::TypeParameter& parameter : parameters)
    if (parameter.size) sizes.push_back(parameter.size);
  sizes.insert(sizes.end(), anonymous.begin(), anonymous.end());
  return sizes;
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
  inference.annotations().put(scheme.type, type);
  inference.apply_defaults();
  inference.finish();
  return scheme;
}

namespace {

/// What an abstract type stands for: itself, applied to its parameters.
const Type* abstract_type(TypeArena& types, std::string display, Span span, Lifting lifting,
                          const std::vector<syntax::TypeParameter>& parameters) {
  std::vector<bool> is_size;
  std::vector<TypeArgument> arguments;
  for (const syntax::TypeParameter& parameter : parameters) {
    is_size.push_back(parameter.size != nullptr);
    if (parameter.size)
      arguments.push_back({nullptr, variable(types, parameter.size)});
    else
      arguments.push_back({named(types, parameter.type_name), nullptr});
  }
  const TypeName* name = types.make<TypeName>(TypeName::Kind::Abstract, std::move(display), span,
                                              lifting, std::move(is_size));
  return named(types, name, std::move(arguments));
}

/// Whether each size that the definition of an abbreviation leaves without a name (`made`) is shown
/// by a value of the type; its size parameters are at least to occur.
bool check_sizes(Diagnostics& diagnostics, const Type* body, Span span,
                 const std::vector<syntax::TypeParameter>& parameters,
                 const std::vector<Variable*>& made) {
  const auto fail = [&](Span where) {
    diagnostics.error("anonymous-nonconstructive", where,
                      "Type abbreviation contains an anonymous size not used "
                      "constructively as an array size");
  };
  const SizeUses uses = size_uses(body);
  const auto hidden = std::ranges::find_if_not(
      made, [&](const Variable* size) { return uses.constructive.contains(size); });
  if (hidden != made.end()) fail((*hidden)->span.is_known() ? (*hidden)->span : span);
  for (const syntax::TypeParameter& parameter : parameters)
    if (parameter.size && !occurs(parameter.size, body))
      diagnostics.error("unused-size-parameter", parameter.span,
                        "Size parameter " + in_quotes("[" + std::string(parameter.name) + "]") +
                            " unused.");
  const std::set<const Variable*> witnessed = witnessed_sizes(body);
  const bool is_shown = std::ranges::all_of(
      made, [&](const Variable* size) { return witnessed.contains(size) || !occurs(size, body); });
  if (!is_shown) fail(span);
  return is_shown;
}

/// That an abbreviation's definition (`found`) is not lifted further than the abbreviation.
void check_lifting(Diagnostics& diagnostics, const std::string& display, Span span, Lifting lifting,
                   Lifting found, bool has_existentials) {
  const auto fail = [&](const char* message, std::string hint) {
    diagnostics.error("lifted-abbreviation", span, message).hint = std::move(hint);
  };
  if (found == Lifting::FullyLifted && lifting < Lifting::FullyLifted)
    fail("Non-lifted type abbreviations may not contain functions.", "consider using `type^`");
  else if (found == Lifting::SizeLifted && lifting < Lifting::SizeLifted)
    fail("Non-size-lifted type abbreviations may not contain size-lifted types.",
         "consider using `type~`");
  else if (lifting == Lifting::None && has_existentials)
    fail("Non-lifted type abbreviations may not use existential sizes in their definition.",
         "use `type~`, or add size parameters to " + in_quotes(display));
}

} // namespace

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
    binding.body = abstract_type(context.types, std::move(display), span, lifting, parameters);
    inference.finish();
    return binding;
  }
  std::vector<Variable*> made;
  Lifting found = Lifting::None;
  // Uniqueness belongs to parameters and results; in an abbreviation it means nothing.
  binding.body = strip_unique(
      context.types, inference.check_type(*definition, AnonymousSizes::Existential, &made, &found));
  const Type* body = binding.body;
  inference.annotations().put(binding.body, body);
  inference.apply_defaults();
  inference.finish();
  if (inference.has_met_error()) return binding;
  Diagnostics& diagnostics = *context.diagnostics;
  if (check_sizes(diagnostics, binding.body, definition->span, parameters, made))
    check_lifting(diagnostics, display, definition->span, lifting, found, !made.empty());
  return binding;
}

TypeBinding check_type_declaration(Context& context, const Scope& scope,
                                   syntax::TypeDeclaration& declaration) {
  return check_type_binding(context, scope, std::string(declaration.name), declaration.name_span,
                            declaration.lifting, declaration.parameters, declaration.definition);
}

} // namespace sinter::check
