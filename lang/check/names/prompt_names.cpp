#include "lang/check/names/prompt_names.h"

#include "lang/check/names/scope.h"

namespace sinter::check {

void PromptNames::add(const Environment& names) {
  for (const auto& [name, value] : names.values)
    bind(name, value);
  for (const auto& [name, binding] : names.types)
    types.set(name, std::make_shared<const TypeBinding>(binding));
  for (const auto& [name, module] : names.modules) {
    modules.set(name, module);
    values.erase(name);
  }
  for (const auto& [name, type] : names.module_types)
    module_types.set(name, type);
}

void PromptNames::erase(std::string_view name) {
  values.erase(name);
  types.erase(name);
  modules.erase(name);
  module_types.erase(name);
}

void PromptNames::add_to(Environment& names) const {
  values.for_each([&](std::string_view name, types::Variable* value) { names.bind(name, value); });
  types.for_each([&](std::string_view name, const auto& binding) {
    names.types.insert_or_assign(name, *binding);
  });
  modules.for_each([&](std::string_view name, const Module* module) { names.bind(name, module); });
  module_types.for_each([&](std::string_view name, const ModuleType* type) {
    names.module_types.insert_or_assign(name, type);
  });
}

Environment news(const Scope& scope, const Environment& names) {
  Environment found;
  for (const auto& [name, value] : names.values)
    if (scope.value(name) != value) found.bind(name, value);
  for (const auto& [name, module] : names.modules)
    if (scope.module(name) != module) found.bind(name, module);
  for (const auto& [name, binding] : names.types)
    if (const TypeBinding* before = scope.type(name); !before || before->body != binding.body)
      found.types.emplace(name, binding);
  for (const auto& [name, type] : names.module_types)
    if (scope.module_type(name) != type) found.module_types.emplace(name, type);
  return found;
}

} // namespace sinter::check
