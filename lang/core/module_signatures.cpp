// What module types hide.  A sealed module, or the argument of a parametric one, shows only the
// names of its module type: in `m.(x)` and after `open m` other names keep their outer meaning.
#include "lang/core/module_environment.h"

namespace sinter::core {

ModuleValue* ModuleWorld::restrict(ModuleValue* module, const Signature* signature) {
  if (!module || !signature) return module;
  return new_module(module->value, signature);
}

const Signature* ModuleWorld::signature(const syntax::ModuleTypeExpr* type,
                                        const Environment* environment) {
  if (!type) return nullptr;
  if (const auto* parenthesized = std::get_if<syntax::ModuleTypeParenthesized>(&type->node))
    return signature(parenthesized->inner, environment);
  if (const auto* with = std::get_if<syntax::ModuleTypeWith>(&type->node))
    return signature(with->base, environment);
  if (const auto* name = std::get_if<syntax::ModuleTypeName>(&type->node)) {
    ModuleTypeEntry entry = find_module_type(environment, name->name);
    if (!entry.declaration) return nullptr;
    const auto key = std::pair(entry.declaration, entry.environment);
    if (auto known = declared_signatures_.find(key); known != declared_signatures_.end())
      return known->second;
    const Signature* result = signature(entry.declaration->type, entry.environment);
    return declared_signatures_[key] = result;
  }
  Signature& result = signatures_.emplace_back();
  if (const auto* function = std::get_if<syntax::ModuleTypeFunction>(&type->node)) {
    result.result = function->result;
    result.environment = environment;
    return &result;
  }
  for (const syntax::Specification* specification :
       std::get<syntax::ModuleTypeBody>(type->node).specifications)
    add_specification(result, *specification, environment);
  return &result;
}

void ModuleWorld::add_specification(Signature& result, const syntax::Specification& specification,
                                    const Environment* environment) {
  if (const auto* value = std::get_if<syntax::ValueSpecification>(&specification.node)) {
    result.values.insert(value->name);
  } else if (const auto* type = std::get_if<syntax::TypeSpecification>(&specification.node)) {
    result.types.insert(type->name);
  } else if (const auto* module = std::get_if<syntax::ModuleSpecification>(&specification.node)) {
    result.modules.emplace(module->name, signature(module->type, environment));
  } else {
    const auto& include = std::get<syntax::IncludeSpecification>(specification.node);
    const Signature* included = signature(include.type, environment);
    if (!included) return;
    result.values.insert(included->values.begin(), included->values.end());
    result.types.insert(included->types.begin(), included->types.end());
    result.modules.insert(included->modules.begin(), included->modules.end());
  }
}

ModuleTypeEntry ModuleWorld::find_module_type(const Environment* environment,
                                              const syntax::QualifiedName& name) {
  if (!name.qualifiers.empty()) {
    ModuleValue* module = find_module(environment, name.qualifiers);
    auto* structure = module ? std::get_if<Structure*>(&module->value) : nullptr;
    return structure ? (*structure)->find_module_type({.name = name.name}) : ModuleTypeEntry{};
  }
  for (; environment; environment = environment->outer) {
    ModuleTypeEntry found;
    if (environment->structure)
      found = environment->structure->find_module_type(
          {.name = name.name, .limit = environment->limit, .exported_only = false});
    else if (environment->opened)
      if (auto* structure = std::get_if<Structure*>(&environment->opened->value))
        found = (*structure)->find_module_type({.name = name.name});
    if (found.declaration) return found;
  }
  return {};
}

} // namespace sinter::core
