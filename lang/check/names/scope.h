// Scopes: environments linked from the innermost outwards, and the look-up of qualified names.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/check/names/environment.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sinter::check {

struct PromptNames;

/// A layer of names over the layers around it.  Layers live on the stack of whoever checks a
/// construct, or in the arena for those that outlive it (files, modules with unchecked bodies).
struct Scope {
  const Scope* parent = nullptr;
  Environment names;
  /// Something that should have added names had errors: unknown names are not reported again.
  bool is_erroneous = false;
  /// Of a prompt's scope: its names, instead of `names`.
  const PromptNames* prompt_names = nullptr;

  types::Variable* value(std::string_view name) const;
  const TypeBinding* type(std::string_view name) const;
  const Module* module(std::string_view name) const;
  const ModuleType* module_type(std::string_view name) const;
};

/// All names of a kind that can be seen from a scope, for hints and completion.
enum class NameKind { Value, Type, Module, ModuleType };
std::vector<std::string_view> visible_names(const Scope& scope, NameKind kind);

/// What a dotted path means when read as far as it goes: modules first, then one value, then
/// fields.  `a.b.c` gives the value and how many of the trailing components are record fields.
struct ResolvedValue {
  types::Variable* variable = nullptr;
  std::uint32_t field_count = 0;
};
/// Each reports an "unknown-name" (or "unknown-type", …) diagnostic with similar names and gives
/// null/nullopt when there is no such thing; silently so for members of a module that has errors.
std::optional<ResolvedValue> find_value(const Scope& scope, const syntax::QualifiedName& name,
                                        Diagnostics& diagnostics);
const TypeBinding* find_type(const Scope& scope, const syntax::QualifiedName& name,
                             Diagnostics& diagnostics);
const Module* find_module(const Scope& scope, const syntax::QualifiedName& name,
                          Diagnostics& diagnostics);
const ModuleType* find_module_type(const Scope& scope, const syntax::QualifiedName& name,
                                   Diagnostics& diagnostics);
/// The variable of a pattern that is no more than a name, maybe with a type or an attribute; else
/// null.
types::Variable* named_variable(const syntax::Pattern& pattern);
/// Adds all names of a structure to a layer (`open`, `m.(e)`).
void add_all(Environment& target, const Environment& source);

} // namespace sinter::check
