// Checking of module types.

#include "lang/check/modules/matches.h"
#include "lang/check/modules/modules.h"
#include "lang/check/types/type_declarations.h"

#include <algorithm>
#include <type_traits>

namespace sinter::check {

struct ModuleChecker::Specifying {
  Scope& scope; ///< what the specifications that follow can see
  Environment members;
  std::vector<types::AbstractType> abstract_types;
  std::string prefix; ///< for the names of abstract types
};

ModuleType::Shape ModuleChecker::empty_module_type() {
  Module* module = modules_.arena.make<Module>(Environment{}, modules_.level);
  module->is_erroneous = true;
  return {{}, module};
}

ModuleType::Shape ModuleChecker::check_module_type(const Scope& scope,
                                                   syntax::ModuleTypeExpr& expression,
                                                   const std::string& prefix) {
  return std::visit(
      [&](auto& node) { return check_type_node(scope, expression.span, node, prefix); },
      expression.node);
}

ModuleType::Shape ModuleChecker::check_type_node(const Scope& scope, Span,
                                                 syntax::ModuleTypeName& node,
                                                 const std::string& prefix) {
  const ModuleType* type = find_module_type(scope, node.name, diagnostics());
  if (!type) return empty_module_type();
  return instantiate(modules_, *type, prefix);
}

ModuleType::Shape ModuleChecker::check_type_node(const Scope& scope, Span,
                                                 syntax::ModuleTypeParenthesized& node,
                                                 const std::string& prefix) {
  return check_module_type(scope, *node.inner, prefix);
}

// ---- bodies -----------------------------------------------------------------------------------

void ModuleChecker::specify(syntax::ValueSpecification& node, Span, Specifying& target) {
  types::Variable* variable = modules_.context.types.make<types::Variable>();
  variable->kind = types::Variable::Kind::Global;
  variable->name = node.name;
  variable->span = node.name_span;
  variable->module_level = modules_.level;
  variable->scheme = check_value_specification(modules_.context, target.scope, node);
  target.scope.names.bind(node.name, variable);
  target.members.bind(node.name, variable);
}

void ModuleChecker::specify(syntax::TypeSpecification& node, Span, Specifying& target) {
  TypeBinding binding =
      check_type_binding(modules_.context, target.scope, target.prefix + std::string(node.name),
                         node.name_span, node.lifting, node.parameters, node.definition);
  if (!node.definition)
    if (auto* named = std::get_if<types::NamedType>(&types::resolve(binding.body)->node))
      target.abstract_types.push_back({{node.name}, named->name, nullptr});
  target.scope.names.types.insert_or_assign(node.name, binding);
  target.members.types.insert_or_assign(node.name, std::move(binding));
}

void ModuleChecker::specify(syntax::ModuleSpecification& node, Span, Specifying& target) {
  ModuleType::Shape shape =
      check_module_type(target.scope, *node.type, target.prefix + std::string(node.name) + ".");
  for (types::AbstractType& abstract : shape.abstract_types) {
    abstract.path.insert(abstract.path.begin(), node.name);
    target.abstract_types.push_back(std::move(abstract));
  }
  target.scope.names.bind(node.name, shape.module);
  target.members.bind(node.name, shape.module);
}

void ModuleChecker::specify(syntax::IncludeSpecification& node, Span span, Specifying& target) {
  ModuleType::Shape shape = check_module_type(target.scope, *node.type, target.prefix);
  const Environment* members =
      structure(*shape.module, node.type->span, "the included module type");
  if (!members || shape.module->is_erroneous) target.scope.is_erroneous = true;
  if (!members) return;
  for (const types::AbstractType& abstract : shape.abstract_types)
    if (abstract.path.size() == 1 && target.members.types.contains(abstract.path.front()))
      diagnostics().warning("shadowed-type", span,
                            "Inclusion shadows type \"" + std::string(abstract.path.front()) +
                                "\"");
  add_all(target.scope.names, *members);
  add_all(target.members, *members);
  target.abstract_types.insert(target.abstract_types.end(), shape.abstract_types.begin(),
                               shape.abstract_types.end());
}

void ModuleChecker::check_duplicate_specifications(
    const std::vector<syntax::Specification*>& specifications) {
  std::unordered_map<std::string_view, Span> values, types;
  auto add = [&](auto& known, std::string_view kind, std::string_view name, Span span) {
    auto [found, is_new] = known.emplace(name, span);
    if (is_new) return;
    Diagnostic& diagnostic =
        diagnostics().error("duplicate-definition", span,
                            "Duplicate definition of " + std::string(kind) + " \"" +
                                std::string(name) + "\" in a module type");
    diagnostic.notes.push_back({found->second, "previously specified here"});
  };
  for (const syntax::Specification* specification : specifications) {
    if (auto* value = std::get_if<syntax::ValueSpecification>(&specification->node))
      add(values, "value", value->name, value->name_span);
    else if (auto* module = std::get_if<syntax::ModuleSpecification>(&specification->node))
      add(values, "module", module->name, module->name_span);
    else if (auto* type = std::get_if<syntax::TypeSpecification>(&specification->node))
      add(types, "type", type->name, type->name_span);
  }
}

ModuleType::Shape ModuleChecker::check_type_node(const Scope& scope, Span,
                                                 syntax::ModuleTypeBody& node,
                                                 const std::string& prefix) {
  check_duplicate_specifications(node.specifications);
  Scope layer{&scope, {}};
  Specifying target{layer, {}, {}, prefix};
  for (syntax::Specification* specification : node.specifications)
    std::visit([&](auto& inner) { specify(inner, specification->span, target); },
               specification->node);
  Module* module = modules_.arena.make<Module>(std::move(target.members), modules_.level);
  module->is_erroneous = layer.is_erroneous || node.is_incomplete;
  return {std::move(target.abstract_types), module};
}

namespace {

std::string describe_parameters(const std::vector<syntax::TypeParameter>& parameters) {
  if (parameters.empty()) return "no type parameters";
  std::string text = parameters.size() == 1 ? "type parameter " : "type parameters ";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) text += ' ';
    const std::string name(parameters[i].name);
    switch (parameters[i].kind) {
    case syntax::TypeParameter::Kind::Size:
      text += "[" + name + "]";
      break;
    case syntax::TypeParameter::Kind::Type:
      text += "'" + name;
      break;
    case syntax::TypeParameter::Kind::SizeLifted:
      text += "'~" + name;
      break;
    case syntax::TypeParameter::Kind::FullyLifted:
      text += "'^" + name;
      break;
    }
  }
  return text;
}

} // namespace

// ---- refinement -------------------------------------------------------------------------------

namespace {

/// Whether a module on a path had errors.
bool leads_into_error(const Module& module, const std::vector<types::Name>& path) {
  const Module* at = &module;
  for (types::Name name : path) {
    const Environment* environment = at->environment();
    if (at->is_erroneous || !environment) break;
    auto next = environment->modules.find(name);
    if (next == environment->modules.end()) break;
    at = next->second;
  }
  return at->is_erroneous;
}

} // namespace

void ModuleChecker::refine(const Scope& scope, syntax::ModuleTypeWith& node, const Module& module,
                           const std::vector<types::AbstractType>& abstract_types,
                           Substitution& substitution) {
  const syntax::QualifiedName& name = node.type_name;
  std::string display;
  for (std::string_view qualifier : name.qualifiers)
    display += std::string(qualifier) + ".";
  display += name.name;
  TypeBinding definition =
      check_type_binding(modules_.context, scope, display, name.span, types::Lifting::FullyLifted,
                         node.parameters, node.type);

  std::vector<types::Name> path = name.qualifiers;
  path.push_back(name.name);
  const TypeBinding* found = type_at(module, path);
  if (!found) {
    if (!leads_into_error(module, name.qualifiers))
      diagnostics().error("not-abstract", name.span,
                          "Unknown type \"" + display + "\" in the module type");
    return;
  }
  auto* named = std::get_if<types::NamedType>(&types::resolve(found->body)->node);
  auto is_named = [&](const types::AbstractType& abstract) { return abstract.name == named->name; };
  if (!named || std::none_of(abstract_types.begin(), abstract_types.end(), is_named) ||
      substitution.types.contains(named->name)) {
    diagnostics().error("not-abstract", name.span,
                        "\"" + display + "\" is not an abstract type in the module type");
    return;
  }
  // The refinement takes what the module type's type takes, or more.
  using Kind = syntax::TypeParameter::Kind;
  auto takes = [](const syntax::TypeParameter& wanted, const syntax::TypeParameter& given) {
    return (wanted.kind == Kind::Size) == (given.kind == Kind::Size) && wanted.kind <= given.kind;
  };
  if (!std::equal(found->parameters.begin(), found->parameters.end(), definition.parameters.begin(),
                  definition.parameters.end(), takes)) {
    diagnostics().error("type-parameters-mismatch", name.span,
                        "Cannot refine a type having " + describe_parameters(found->parameters) +
                            " with a type having " + describe_parameters(definition.parameters));
    return;
  }
  definition.lifting = named->name->lifting;
  substitution.types.emplace(named->name, std::move(definition));
}

// A chain of refinements is one substitution, so that a big module type is copied only once.
ModuleType::Shape ModuleChecker::check_type_node(const Scope& scope, Span,
                                                 syntax::ModuleTypeWith& node,
                                                 const std::string& prefix) {
  std::vector<syntax::ModuleTypeWith*> refinements{&node};
  syntax::ModuleTypeExpr* base = node.base;
  for (;;) {
    if (auto* with = std::get_if<syntax::ModuleTypeWith>(&base->node)) {
      refinements.push_back(with);
      base = with->base;
    } else if (auto* parenthesized = std::get_if<syntax::ModuleTypeParenthesized>(&base->node)) {
      base = parenthesized->inner;
    } else {
      break;
    }
  }
  std::reverse(refinements.begin(), refinements.end());

  const ModuleType* type = nullptr;
  if (auto* name = std::get_if<syntax::ModuleTypeName>(&base->node)) {
    type = find_module_type(scope, name->name, diagnostics());
    if (!type) return empty_module_type();
  } else {
    ++modules_.level;
    ModuleType::Shape shape = check_module_type(scope, *base, prefix);
    --modules_.level;
    type = modules_.arena.make<ModuleType>(std::move(shape), modules_.level);
  }
  if (!structure(*type->module(), base->span, "the refined module type"))
    return empty_module_type();
  Substitution substitution;
  for (syntax::ModuleTypeWith* with : refinements)
    refine(scope, *with, *type->module(), type->abstract_types(), substitution);
  return instantiate(modules_, *type, prefix, std::move(substitution));
}

// ---- parametric module types ------------------------------------------------------------------

ModuleType::Shape ModuleChecker::check_type_node(const Scope& scope, Span,
                                                 syntax::ModuleTypeFunction& node,
                                                 const std::string& prefix) {
  ++modules_.level;
  std::string parameter_prefix =
      node.parameter_name.empty() ? prefix : std::string(node.parameter_name) + ".";
  ModuleType::Shape parameter = check_module_type(scope, *node.parameter, parameter_prefix);
  Scope layer{&scope, {}};
  if (!node.parameter_name.empty()) layer.names.bind(node.parameter_name, parameter.module);
  ModuleType::Shape result = check_module_type(layer, *node.result, prefix);
  --modules_.level;

  Functor functor;
  functor.parameter_types = parameter.abstract_types;
  functor.parameter = modules_.arena.make<ModuleType>(std::move(parameter), modules_.level);
  functor.result = result.module;
  functor.result_types = std::move(result.abstract_types);
  return {{}, modules_.arena.make<Module>(std::move(functor), modules_.level)};
}

} // namespace sinter::check
