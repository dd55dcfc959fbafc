// The names of a prompt's scope: many, and copied with each input, for it to be taken back.
#pragma once

#include "lang/base/persistent_map.h"
#include "lang/check/names/environment.h"

#include <memory>
#include <string_view>

namespace sinter::check {

struct Scope;

/// An Environment that is copied at no cost.
struct PromptNames {
  PersistentMap<std::string_view, types::Variable*> values;
  /// (Bindings stay where they are as long as any copy has them.)
  PersistentMap<std::string_view, std::shared_ptr<const TypeBinding>> types;
  PersistentMap<std::string_view, const Module*> modules;
  PersistentMap<std::string_view, const ModuleType*> module_types;

  bool empty() const {
    return values.empty() && types.empty() && modules.empty() && module_types.empty();
  }
  void bind(std::string_view name, types::Variable* value) {
    values.set(name, value);
    modules.erase(name);
  }
  void add(const Environment& names);
  /// Takes a name of any kind out.
  void erase(std::string_view name);
  /// Adds all to an environment.
  void add_to(Environment& names) const;
};

/// What of `names`, if they are added to the scope, means something else than there now.
Environment news(const Scope& scope, const Environment& names);

} // namespace sinter::check
