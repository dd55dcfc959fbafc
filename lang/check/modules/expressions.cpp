// Checking of module expressions: names, bodies, application, sealing, parametric modules.

#include "lang/check/modules/checked_file.h"
#include "lang/check/modules/modules.h"

#include <unordered_set>

namespace sinter::check {

Scope& ModuleChecker::new_layer(const Scope& parent) {
  return *modules_.arena.make<Scope>(&parent, Environment{});
}

const Module* ModuleChecker::erroneous_module() {
  Module* module = modules_.arena.make<Module>(Environment{}, modules_.level);
  module->is_erroneous = true;
  return module;
}

const Environment* ModuleChecker::structure(const Module& module, Span span,
                                            std::string_view what) {
  if (const Environment* environment = module.environment()) return environment;
  Diagnostic& diagnostic = diagnostics().error(
      "module-is-parametric", span, std::string(what) + " is parametric and must be applied first");
  diagnostic.hint = "apply it to a module: `F(M)`";
  return nullptr;
}

const Module* ModuleChecker::check_module(const Scope& scope, syntax::ModuleExpr& expression) {
  return std::visit([&](auto& node) { return check_node(scope, expression.span, node); },
                    expression.node);
}

const Module* ModuleChecker::check_node(const Scope& scope, Span span, syntax::ModuleName& node) {
  const Module* module = find_module(scope, node.name, diagnostics());
  if (!module) return erroneous_module();
  if (node.name.qualifiers.empty() && node.name.name == "intrinsics" && !deferred_)
    diagnostics().error("intrinsics-as-module", span,
                        "The 'intrinsics' module may not be used in module expressions");
  return module;
}

const Module* ModuleChecker::check_node(const Scope& scope, Span,
                                        syntax::ModuleParenthesized& node) {
  return check_module(scope, *node.inner);
}

const Module* ModuleChecker::check_node(const Scope&, Span, syntax::ModuleImport& node) {
  node.file = importer_.import(node.path, node.path_span);
  return node.file ? node.file->module : erroneous_module();
}

const Module* ModuleChecker::check_node(const Scope& scope, Span, syntax::ModuleBody& node) {
  const bool was_at_top_level = std::exchange(at_top_level_, false);
  Environment members;
  check_duplicates(node.declarations);
  Scope& layer = new_layer(scope);
  check_declarations(node.declarations, layer, members);
  at_top_level_ = was_at_top_level;
  Module* module = modules_.arena.make<Module>(std::move(members), modules_.level);
  module->is_erroneous = layer.is_erroneous;
  return module;
}

const Module* ModuleChecker::check_node(const Scope& scope, Span span, syntax::ModuleApply& node) {
  const Module* functor = check_module(scope, *node.functor);
  const Module* argument = check_module(scope, *node.argument);
  if (!functor->functor()) {
    if (!functor->is_erroneous)
      diagnostics().error("not-parametric", span, "Cannot apply non-parametric module");
    return erroneous_module();
  }
  return apply(*functor, *argument, node);
}

const Module* ModuleChecker::check_node(const Scope& scope, Span span,
                                        syntax::ModuleAscribe& node) {
  const Module* body = check_module(scope, *node.body);
  return seal(scope, *body, span, *node.type, node.sealed);
}

const Module* ModuleChecker::check_node(const Scope& scope, Span, syntax::ModuleLambda& node) {
  const bool was_at_top_level = std::exchange(at_top_level_, false);
  const Module* functor =
      check_functor(scope, {{&node.parameter}, node.result_type, node.body, &node.sealed}, 0);
  at_top_level_ = was_at_top_level;
  return functor;
}

const Module* ModuleChecker::check_node(const Scope&, Span, syntax::ErrorModule&) {
  return erroneous_module();
}

const Module* ModuleChecker::seal(const Scope& scope, const Module& module, Span span,
                                  syntax::ModuleTypeExpr& type, types::ModuleSite& sealed) {
  // The abstract types belong to the level of the sealed module, so they are not copied again.
  ModuleType::Shape shape = check_module_type(scope, type, path_);
  const Module* result = shape.module;
  sealed.types = shape.abstract_types;
  for (const types::AbstractType& abstract : sealed.types)
    generated_.push_back(abstract.name);
  place_members(modules_, *result, sealed);
  match_module(modules_, module, ModuleType(std::move(shape), modules_.level), span);
  return result;
}

// ---- parametric modules -----------------------------------------------------------------------

const Module* ModuleChecker::check_functor(const Scope& scope, const FunctorParts& parts,
                                           std::size_t index) {
  syntax::ModuleParameter& parameter = *parts.parameters[index];
  std::vector<const types::TypeName*> outer_generated = std::exchange(generated_, {});
  ++modules_.level;
  ModuleType::Shape type =
      check_module_type(scope, *parameter.type, std::string(parameter.name) + ".");
  parameter.site.types = type.abstract_types;
  place_members(modules_, *type.module, parameter.site);
  Scope& layer = new_layer(scope);
  layer.names.bind(parameter.name, type.module);

  Functor functor;
  if (index + 1 < parts.parameters.size()) {
    functor.result = check_functor(layer, parts, index + 1);
  } else {
    const Module* body = check_module(layer, *parts.body);
    if (parts.result_type) {
      functor.result = seal(layer, *body, parts.body->span, *parts.result_type, *parts.sealed);
      functor.result_types = parts.sealed->types;
    } else {
      functor.result = body;
      functor.result_types = paths_to_generated(*body);
    }
  }
  --modules_.level;
  generated_ = std::move(outer_generated);

  functor.parameter_types = type.abstract_types;
  functor.parameter = modules_.arena.make<ModuleType>(std::move(type), modules_.level);
  return modules_.arena.make<Module>(std::move(functor), modules_.level);
}

std::vector<types::AbstractType> ModuleChecker::paths_to_generated(const Module& result) const {
  std::unordered_set<const types::TypeName*> wanted(generated_.begin(), generated_.end());
  std::vector<types::AbstractType> found;
  if (wanted.empty()) return found;
  std::vector<types::Name> path;
  auto search = [&](const Module& module, const auto& self) -> void {
    const Environment* environment = module.environment();
    if (!environment || module.level() < modules_.level) return;
    for (const auto& [name, binding] : environment->types) {
      auto* named = std::get_if<types::NamedType>(&types::resolve(binding.body)->node);
      if (!named || named->arguments.size() != binding.parameters.size()) continue;
      // `type u = t` leads to `t`; `type u 'a = t (a, a)` does not.
      bool is_plain = true;
      for (std::size_t i = 0; i < named->arguments.size(); ++i) {
        const syntax::TypeParameter& parameter = binding.parameters[i];
        const types::TypeArgument& argument = named->arguments[i];
        if (argument.type) {
          auto* inner = std::get_if<types::NamedType>(&types::resolve(argument.type)->node);
          is_plain = is_plain && inner && inner->name == parameter.type_name;
        } else {
          auto* inner = std::get_if<types::VariableSize>(&argument.size->node);
          is_plain = is_plain && inner && inner->variable == parameter.size;
        }
      }
      if (!is_plain || !wanted.erase(named->name)) continue;
      path.push_back(name);
      found.push_back({path, named->name, nullptr});
      path.pop_back();
    }
    for (const auto& [name, inner] : environment->modules) {
      path.push_back(name);
      self(*inner, self);
      path.pop_back();
    }
  };
  search(result, search);
  for (const types::TypeName* name : generated_)
    if (wanted.contains(name)) found.push_back({{}, name, nullptr});
  return found;
}

const Module* ModuleChecker::apply(const Module& module, const Module& argument,
                                   syntax::ModuleApply& node) {
  const Functor& functor = *module.functor();
  MatchResult match = match_module(modules_, argument, *functor.parameter, node.argument->span);
  // A type may be reachable by several paths; it is made once.
  std::unordered_map<const types::TypeName*, const types::TypeName*> made;
  for (const types::AbstractType& type : functor.result_types) {
    const types::TypeName*& name = made[type.name];
    if (!name) {
      std::string display = path_;
      for (std::size_t i = 0; i < type.path.size(); ++i)
        display += (i > 0 ? "." : "") + std::string(type.path[i]);
      if (type.path.empty()) display = type.name->display;
      FreshType fresh = fresh_type(modules_, *type.name, std::move(display));
      match.substitution.types.insert_or_assign(type.name, std::move(fresh.binding));
      name = fresh.name;
      generated_.push_back(name);
    }
    node.site.types.push_back({type.path, name, type.name});
  }
  const Module* result =
      copy_module(modules_, *functor.result, match.substitution, module.level() + 1, &node.site);
  place_members(modules_, *result, node.site);
  return result;
}

} // namespace sinter::check
