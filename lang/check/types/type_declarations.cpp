#include "lang/check/types/type_declarations.h"

#include "lang/check/types/inference.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"

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
  inference.annotations().put(binding.body, body);
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
