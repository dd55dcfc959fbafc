// What names mean: the scopes of values, types, modules and module types that the checker builds.
#pragma once

#include "lang/syntax/ast.h"
#include "lang/types/type.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::check {

/// A type abbreviation or abstract type: `body` over its parameters.
struct TypeBinding {
  types::Lifting lifting = types::Lifting::None;
  std::vector<syntax::TypeParameter> parameters; ///< with their annotations filled in
  const types::Type* body = nullptr;
  Span span;
};

class Module;
class ModuleType;

/// A set of names.  Also what a structure module *is*.  Values and modules share one name space:
/// `bind` keeps it so that a name has at most one of the two meanings.
struct Environment {
  std::unordered_map<std::string_view, types::Variable*> values;
  std::unordered_map<std::string_view, TypeBinding> types;
  std::unordered_map<std::string_view, const Module*> modules;
  std::unordered_map<std::string_view, const ModuleType*> module_types;

  void bind(std::string_view name, types::Variable* value) {
    values[name] = value;
    if (!modules.empty()) modules.erase(name);
  }
  void bind(std::string_view name, const Module* module) {
    modules[name] = module;
    if (!values.empty()) values.erase(name);
  }
};

/// A parametric module's type.  Applying it to a module that matches `parameter` gives `result`, in
/// which the types of `parameter_types` are replaced by the argument's and those of `result_types`
/// are made anew.  The path of a result type that no name leads to is empty.
struct Functor {
  const ModuleType* parameter = nullptr;
  const Module* result = nullptr;
  std::vector<types::AbstractType> parameter_types;
  std::vector<types::AbstractType> result_types;
};

/// What a module name means.  Modules of the prelude are checked when their shape is first asked
/// for; everybody else's have their shape from the start.
class Module {
public:
  using Shape = std::variant<Environment, Functor>;
  /// `level` is the number of parametric modules (and module types) around the module: copying
  /// what a parametric module makes stops at modules from outside of it.
  Module(Shape shape, std::uint32_t level) : shape_(std::move(shape)), level_(level) {}
  explicit Module(std::function<Shape()> check) : check_(std::move(check)) {}

  const Shape& shape() const {
    if (check_) shape_ = std::exchange(check_, nullptr)();
    return shape_;
  }
  /// The members of a structure; null for a parametric module.
  const Environment* environment() const { return std::get_if<Environment>(&shape()); }
  /// Null for a structure.
  const Functor* functor() const { return std::get_if<Functor>(&shape()); }
  std::uint32_t level() const { return level_; }
  bool is_checked() const { return !check_; }

  /// Errors in its definition left out names: those that it lacks are not reported again.
  bool is_erroneous = false;

private:
  mutable Shape shape_;
  mutable std::function<Shape()> check_;
  std::uint32_t level_ = 0;
};

/// A module type: a module whose types listed in `abstract_types` are left open.  Those of the
/// prelude are checked when they are first needed.
class ModuleType {
public:
  struct Shape {
    std::vector<types::AbstractType> abstract_types;
    const Module* module = nullptr;
  };
  ModuleType(Shape shape, std::uint32_t level) : shape_(std::move(shape)), level_(level) {}
  explicit ModuleType(std::function<Shape()> check) : check_(std::move(check)) {}

  const std::vector<types::AbstractType>& abstract_types() const { return shape().abstract_types; }
  const Module* module() const { return shape().module; }
  std::uint32_t level() const { return level_; }
  bool is_checked() const { return !check_; }

private:
  const Shape& shape() const {
    if (check_) shape_ = std::exchange(check_, nullptr)();
    return shape_;
  }
  mutable Shape shape_;
  mutable std::function<Shape()> check_;
  std::uint32_t level_ = 0;
};

} // namespace sinter::check
