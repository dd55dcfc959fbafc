#include "lang/check/names/scope.h"

#include "lang/check/names/prompt_names.h"
#include "lang/syntax/token.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace sinter::check {
namespace {

template <typename Map>
auto find_in(const Map& map, std::string_view name) -> const typename Map::mapped_type* {
  if (map.empty()) return nullptr;
  auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

/// What a name means in a layer: in the one or the other of its maps.
template <typename Map, typename PromptMap>
auto find_in(const Scope& layer, Map Environment::*map, PromptMap PromptNames::*prompt_map,
             std::string_view name) -> const typename Map::mapped_type* {
  if (auto* found = find_in(layer.names.*map, name)) return found;
  if (!layer.prompt_names) return nullptr;
  const auto* found = (layer.prompt_names->*prompt_map).find(name);
  if constexpr (std::is_same_v<Map, decltype(Environment::types)>)
    return found ? found->get() : nullptr;
  else
    return found;
}
const auto* value_in(const Scope& layer, std::string_view name) {
  return find_in(layer, &Environment::values, &PromptNames::values, name);
}
const auto* module_in(const Scope& layer, std::string_view name) {
  return find_in(layer, &Environment::modules, &PromptNames::modules, name);
}
const auto* type_in(const Scope& layer, std::string_view name) {
  return find_in(layer, &Environment::types, &PromptNames::types, name);
}
const auto* module_type_in(const Scope& layer, std::string_view name) {
  return find_in(layer, &Environment::module_types, &PromptNames::module_types, name);
}

std::string_view noun(NameKind kind) {
  switch (kind) {
  case NameKind::Value:
    return "value";
  case NameKind::Type:
    return "type";
  case NameKind::Module:
    return "module";
  case NameKind::ModuleType:
    return "module type";
  }
  return {};
}

/// As it is called where it is not found.
std::string described(NameKind kind) {
  return kind == NameKind::Value ? "name" : std::string(noun(kind));
}

std::string_view unknown_id(NameKind kind) {
  switch (kind) {
  case NameKind::Value:
    return "unknown-name";
  case NameKind::Type:
    return "unknown-type";
  case NameKind::Module:
    return "unknown-module";
  case NameKind::ModuleType:
    return "unknown-module-type";
  }
  return {};
}

void append_names(const Environment& environment, NameKind kind,
                  std::vector<std::string_view>& names) {
  auto append = [&](const auto& map) {
    for (const auto& entry : map)
      names.push_back(entry.first);
  };
  switch (kind) {
  case NameKind::Value:
    return append(environment.values);
  case NameKind::Type:
    return append(environment.types);
  case NameKind::Module:
    return append(environment.modules);
  case NameKind::ModuleType:
    return append(environment.module_types);
  }
}

void append_names(const PromptNames& prompt_names, NameKind kind,
                  std::vector<std::string_view>& names) {
  Environment environment;
  prompt_names.add_to(environment);
  append_names(environment, kind, names);
}

std::vector<std::string_view> sorted(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool has(const Environment& environment, std::string_view name, NameKind kind) {
  switch (kind) {
  case NameKind::Value:
    return environment.values.contains(name);
  case NameKind::Type:
    return environment.types.contains(name);
  case NameKind::Module:
    return environment.modules.contains(name);
  case NameKind::ModuleType:
    return environment.module_types.contains(name);
  }
  return false;
}

bool has(const Scope& scope, std::string_view name, NameKind kind) {
  for (const Scope* layer = &scope; layer; layer = layer->parent)
    switch (kind) {
    case NameKind::Value:
      if (value_in(*layer, name)) return true;
      break;
    case NameKind::Type:
      if (type_in(*layer, name)) return true;
      break;
    case NameKind::Module:
      if (module_in(*layer, name)) return true;
      break;
    case NameKind::ModuleType:
      if (module_type_in(*layer, name)) return true;
      break;
    }
  return false;
}

bool is_erroneous(const Scope& scope) {
  for (const Scope* layer = &scope; layer; layer = layer->parent)
    if (layer->is_erroneous) return true;
  return false;
}

std::string joined(const syntax::QualifiedName& name, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += '.';
    text += name.qualifiers[i];
  }
  return text;
}

/// Where a look-up that failed has looked: in a module, or (null) in the scopes.
struct Place {
  const Module* module = nullptr;
  std::string path; ///< of the module, as written
};

/// What other languages call so.
std::string_view counterpart(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"xor", "`!=`"},
      {"mod", "`%`"},
      {"len", "`length`"},
      {"range", "`iota`"},
      {"fold", "`foldl`"},
      {"print", "`#[trace]` before an expression"},
      {"append", "`++`"},
      {"arange", "`iota`"},
      {"zeros", "`replicate n 0`"},
      {"lambda", "`\\x -> …`"},
      {"concatenate", "`++`"},
  };
  for (const auto& [theirs, ours] : known)
    if (theirs == name) return ours;
  return {};
}

/// Members of that name of modules in scope: "`f64.sqrt` or `f32.sqrt`".  Of types, those that
/// numbers usually have come first.
std::string members_called(const Scope& scope, std::string_view name) {
  std::vector<std::string_view> modules = visible_names(scope, NameKind::Module);
  const auto rank = [](std::string_view module) {
    constexpr std::string_view usual[] = {"f64", "i64", "f32", "i32"};
    return std::find(std::begin(usual), std::end(usual), module) - std::begin(usual);
  };
  std::stable_sort(modules.begin(), modules.end(),
                   [&](std::string_view a, std::string_view b) { return rank(a) < rank(b); });
  constexpr std::size_t most = 2;
  std::string found;
  std::size_t count = 0;
  for (std::string_view each : modules) {
    const Module* module = scope.module(each);
    const Environment* environment = module ? module->environment() : nullptr;
    if (!environment || each == "intrinsics" || !has(*environment, name, NameKind::Value)) continue;
    found += (count > 0 ? " or `" : "`") + std::string(each) + "." + std::string(name) + "`";
    if (++count == most) break;
  }
  return found;
}

void report_unknown(const Scope& scope, const Place& place, std::string_view name, Span span,
                    NameKind kind, Diagnostics& diagnostics) {
  if (place.module ? place.module->is_erroneous : is_erroneous(scope)) return;
  std::string message;
  std::vector<std::string_view> candidates;
  const Environment* environment = place.module ? place.module->environment() : nullptr;
  if (environment) {
    message = "Unknown " + described(kind) + " \"" + place.path + "." + std::string(name) +
              "\": module \"" + place.path + "\" does not define it";
    append_names(*environment, kind, candidates);
    candidates = sorted(std::move(candidates));
  } else {
    message = "Unknown " + described(kind) + " \"" + std::string(name) + "\"";
    candidates = visible_names(scope, kind);
  }
  Diagnostic& diagnostic = diagnostics.error(unknown_id(kind), span, std::move(message));
  auto is_known_as = [&](NameKind other) {
    return environment ? has(*environment, name, other) : has(scope, name, other);
  };
  for (NameKind other : {NameKind::Value, NameKind::Type, NameKind::Module, NameKind::ModuleType})
    if (other != kind && is_known_as(other)) {
      diagnostic.hint = "`" + std::string(name) + "` is a " + std::string(noun(other));
      if (kind == NameKind::Value && other == NameKind::Module)
        diagnostic.hint += "; a member of it is written `" + std::string(name) + ".member`";
      return;
    }
  if (!environment && kind == NameKind::Value) {
    const std::string_view ours = counterpart(name);
    const std::string members = ours.empty() ? members_called(scope, name) : std::string();
    if (!ours.empty()) diagnostic.hint = "here that is written " + std::string(ours);
    if (!members.empty()) diagnostic.hint = "did you mean " + members + "?";
    if (!diagnostic.hint.empty()) return;
  }
  std::erase_if(candidates,
                [](std::string_view known) { return !syntax::is_writable_name(known); });
  auto similar = similar_names(name, candidates);
  if (similar.empty()) return;
  diagnostic.hint = "did you mean ";
  for (std::size_t i = 0; i < similar.size(); ++i) {
    if (i > 0) diagnostic.hint += i + 1 == similar.size() ? " or " : ", ";
    diagnostic.hint += '`';
    if (environment) diagnostic.hint += place.path + ".";
    diagnostic.hint += std::string(similar[i]) + "`";
  }
  diagnostic.hint += '?';
}

/// The structure of a module that a path goes through; null with a diagnostic for a parametric one.
const Environment* members(const Module& module, const std::string& path, Span span,
                           Diagnostics& diagnostics) {
  if (const Environment* environment = module.environment()) return environment;
  diagnostics.error("module-is-parametric", span,
                    "Module \"" + path +
                        "\" is a parametric module: it has members only once it is applied");
  return nullptr;
}

/// Follows the qualifiers from the scope to the module that should have `name.name`.  Null module:
/// no qualifiers.  Nullopt after an error.
std::optional<Place> find_place(const Scope& scope, const syntax::QualifiedName& name,
                                Diagnostics& diagnostics) {
  Place place;
  for (std::size_t i = 0; i < name.qualifiers.size(); ++i) {
    std::string_view qualifier = name.qualifiers[i];
    const Module* next = nullptr;
    if (i == 0) {
      next = scope.module(qualifier);
    } else {
      const Environment* environment = members(*place.module, place.path, name.span, diagnostics);
      if (!environment) return std::nullopt;
      if (auto* found = find_in(environment->modules, qualifier)) next = *found;
    }
    if (!next) {
      report_unknown(scope, place, qualifier, name.span, NameKind::Module, diagnostics);
      return std::nullopt;
    }
    place = {next, joined(name, i + 1)};
  }
  return place;
}

/// Finds `name` in the place that its qualifiers lead to, or in the scopes.
template <typename InScope, typename InModule>
auto find_qualified(const Scope& scope, const syntax::QualifiedName& name, NameKind kind,
                    Diagnostics& diagnostics, InScope in_scope, InModule in_module)
    -> decltype(in_scope()) {
  std::optional<Place> place = find_place(scope, name, diagnostics);
  if (!place) return nullptr;
  decltype(in_scope()) found = nullptr;
  if (!place->module) {
    found = in_scope();
  } else {
    const Environment* environment = members(*place->module, place->path, name.span, diagnostics);
    if (!environment) return nullptr;
    found = in_module(*environment);
  }
  if (!found) report_unknown(scope, *place, name.name, name.span, kind, diagnostics);
  return found;
}

} // namespace

// A layer that has the name as a module hides a value of that name further out, and the reverse.
types::Variable* Scope::value(std::string_view name) const {
  for (const Scope* layer = this; layer; layer = layer->parent) {
    if (auto* found = value_in(*layer, name)) return *found;
    if (module_in(*layer, name)) return nullptr;
  }
  return nullptr;
}

const TypeBinding* Scope::type(std::string_view name) const {
  for (const Scope* layer = this; layer; layer = layer->parent)
    if (auto* found = type_in(*layer, name)) return found;
  return nullptr;
}

const Module* Scope::module(std::string_view name) const {
  for (const Scope* layer = this; layer; layer = layer->parent) {
    if (auto* found = module_in(*layer, name)) return *found;
    if (value_in(*layer, name)) return nullptr;
  }
  return nullptr;
}

const ModuleType* Scope::module_type(std::string_view name) const {
  for (const Scope* layer = this; layer; layer = layer->parent)
    if (auto* found = module_type_in(*layer, name)) return *found;
  return nullptr;
}

std::vector<std::string_view> visible_names(const Scope& scope, NameKind kind) {
  std::vector<std::string_view> names;
  for (const Scope* layer = &scope; layer; layer = layer->parent) {
    append_names(layer->names, kind, names);
    if (layer->prompt_names) append_names(*layer->prompt_names, kind, names);
  }
  return sorted(std::move(names));
}

std::optional<ResolvedValue> find_value(const Scope& scope, const syntax::QualifiedName& name,
                                        Diagnostics& diagnostics) {
  const std::size_t count = name.qualifiers.size() + 1;
  auto component = [&](std::size_t i) {
    return i < name.qualifiers.size() ? name.qualifiers[i] : name.name;
  };
  Place place;
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view part = component(i);
    const Module* module = nullptr;
    types::Variable* variable = nullptr;
    if (i == 0) {
      module = scope.module(part);
      if (!module) variable = scope.value(part);
    } else {
      const Environment* environment = members(*place.module, place.path, name.span, diagnostics);
      if (!environment) return std::nullopt;
      if (auto* found = find_in(environment->values, part))
        variable = *found;
      else if (auto* inner = find_in(environment->modules, part))
        module = *inner;
    }
    if (variable) return ResolvedValue{variable, static_cast<std::uint32_t>(count - 1 - i)};
    if (!module || i + 1 == count) {
      report_unknown(scope, place, part, name.span, NameKind::Value, diagnostics);
      return std::nullopt;
    }
    place = {module, joined(name, i + 1)};
  }
  return std::nullopt;
}

const TypeBinding* find_type(const Scope& scope, const syntax::QualifiedName& name,
                             Diagnostics& diagnostics) {
  return find_qualified(
      scope, name, NameKind::Type, diagnostics, [&] { return scope.type(name.name); },
      [&](const Environment& environment) { return find_in(environment.types, name.name); });
}

const Module* find_module(const Scope& scope, const syntax::QualifiedName& name,
                          Diagnostics& diagnostics) {
  return find_qualified(
      scope, name, NameKind::Module, diagnostics, [&] { return scope.module(name.name); },
      [&](const Environment& environment) -> const Module* {
        auto* found = find_in(environment.modules, name.name);
        return found ? *found : nullptr;
      });
}

const ModuleType* find_module_type(const Scope& scope, const syntax::QualifiedName& name,
                                   Diagnostics& diagnostics) {
  return find_qualified(
      scope, name, NameKind::ModuleType, diagnostics, [&] { return scope.module_type(name.name); },
      [&](const Environment& environment) -> const ModuleType* {
        auto* found = find_in(environment.module_types, name.name);
        return found ? *found : nullptr;
      });
}

types::Variable* named_variable(const syntax::Pattern& pattern) {
  if (const auto* n = std::get_if<syntax::NamePattern>(&pattern.node)) return n->variable;
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return named_variable(*a->pattern);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return named_variable(*p->inner);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return named_variable(*b->pattern);
  return nullptr;
}

void add_all(Environment& target, const Environment& source) {
  target.values.reserve(target.values.size() + source.values.size());
  for (const auto& [name, value] : source.values)
    target.bind(name, value);
  for (const auto& [name, binding] : source.types)
    target.types.insert_or_assign(name, binding);
  for (const auto& [name, module] : source.modules)
    target.bind(name, module);
  for (const auto& [name, type] : source.module_types)
    target.module_types.insert_or_assign(name, type);
}

} // namespace sinter::check
