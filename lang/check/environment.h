// What names mean: the scopes of values, types, modules and module types that the checker builds.
#pragma once

#include "lang/syntax/ast.h"
#include "lang/types/type.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::check {

/// A type abbreviation or abstract type: `body` over its parameters.
struct TypeBinding {
  types::Lifting lifting = types::Lifting::None;
  std::vector<syntax::TypeParameter> parameters; ///< with their annotations filled in
  const types::Type* body = nullptr;
  Span span;
};

struct Module;
struct ModuleType;

/// A set of names.  Also what a structure module *is*.
struct Environment {
  std::unordered_map<std::string_view, types::Variable*> values;
  std::unordered_map<std::string_view, TypeBinding> types;
  std::unordered_map<std::string_view, const Module*> modules;
  std::unordered_map<std::string_view, const ModuleType*> module_types;
};

/// A parametric module's type: applying it to a module that matches `parameter` gives `result`, in
/// which `abstract_types` of the parameter are replaced by the argument's and `result_types` are
/// made anew.
struct Functor {
  const ModuleType* parameter = nullptr;
  const Module* result = nullptr;
  std::vector<types::AbstractType> parameter_types;
  std::vector<types::AbstractType> result_types;
};

struct Module {
  std::variant<Environment, Functor> shape;
};

/// A module type: a module whose types listed in `abstract_types` are left open.
struct ModuleType {
  std::vector<types::AbstractType> abstract_types;
  const Module* module = nullptr;
};

} // namespace sinter::check
