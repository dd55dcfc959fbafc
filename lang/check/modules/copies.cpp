// Copies of modules in which types and sizes are replaced, and where their values come from.

#include "lang/check/modules/modules.h"
#include "lang/types/rewrite.h"

#include <unordered_set>

namespace sinter::check {
namespace {

bool is_size(const types::Variable& variable) {
  if (!variable.scheme.type_parameters.empty() || !variable.scheme.type) return false;
  auto* primitive = std::get_if<types::PrimitiveType>(&types::resolve(variable.scheme.type)->node);
  return primitive && primitive->element == ElementType::I64;
}

class Copier {
public:
  Copier(ModuleContext& modules, Substitution& substitution, std::uint32_t base,
         const types::ModuleSite* site)
      : modules_(modules), substitution_(substitution), base_(base), site_(site) {
    // A type may mention what comes later, and what has no name outside of the module.
    substitution.other_member = [this](const types::Variable& variable) {
      return copy_value(const_cast<types::Variable*>(&variable));
    };
  }
  ~Copier() { substitution_.other_member = nullptr; }
  Copier(const Copier&) = delete;
  Copier& operator=(const Copier&) = delete;

  const Module* copy(const Module& module) { return copy_module(module); }

private:
  bool is_outside(const Module& module) const { return module.level() < base_; }
  std::uint32_t moved(std::uint32_t level) const { return level - base_ + modules_.level; }

  const Module* copy_module(const Module& module) {
    types::require_stack();
    if (is_outside(module)) return &module;
    if (auto known = visited_.find(&module); known != visited_.end()) return known->second;
    Module::Shape shape = module.functor() ? Module::Shape(copy_functor(*module.functor()))
                                           : Module::Shape(copy_structure(*module.environment()));
    Module* copied = modules_.arena.make<Module>(std::move(shape), moved(module.level()));
    copied->is_erroneous = module.is_erroneous;
    visited_.emplace(&module, copied);
    return copied;
  }

  // The bound abstract types can be shared: they are replaced whenever the functor is applied.
  Functor copy_functor(const Functor& functor) {
    return {copy_type(*functor.parameter), copy_module(*functor.result), functor.parameter_types,
            functor.result_types};
  }

  const ModuleType* copy_type(const ModuleType& type) {
    if (type.level() < base_) return &type;
    return modules_.arena.make<ModuleType>(
        ModuleType::Shape{type.abstract_types(), copy_module(*type.module())}, moved(type.level()));
  }

  Environment copy_structure(const Environment& source) {
    const std::size_t members = source.values.size() + source.types.size() + 1;
    if (members > fuel_) throw types::TooLarge{types::TooLarge::What::Modules};
    fuel_ -= members;
    Environment target;
    target.values.reserve(source.values.size());
    for (const auto& [name, variable] : source.values)
      target.values.emplace(name, copy_value(variable));
    target.types = source.types;
    for (auto& [name, binding] : target.types)
      binding.body = not_too_large(substitute(modules_.context, binding.body, substitution_));
    for (const auto& [name, inner] : source.modules)
      target.modules.emplace(name, copy_module(*inner));
    for (const auto& [name, type] : source.module_types)
      target.module_types.emplace(name, copy_type(*type));
    return target;
  }

  // The copy is there before its type, which may lead back to it.
  types::Variable* copy_value(types::Variable* variable) {
    if (variable->kind != types::Variable::Kind::Global || variable->module_level < base_)
      return variable;
    if (auto known = values_.find(variable); known != values_.end()) return known->second;
    auto stands_for = substitution_.members.find(variable);
    if (stands_for != substitution_.members.end() && is_size(*variable)) return stands_for->second;
    types::TypeArena& arena = modules_.context.types;
    types::Variable* copied = arena.make<types::Variable>(*variable);
    copied->module_level = moved(variable->module_level);
    copied->member =
        site_ ? arena.make<types::Member>(site_, std::vector<types::Name>{}, variable) : nullptr;
    values_.emplace(variable, copied);
    substitution_.members.emplace(variable, copied);
    copied->scheme = substitute(modules_.context, variable->scheme, substitution_);
    return copied;
  }

  const types::Type* not_too_large(const types::Type* type) {
    if (written_size_(type) >= types::WrittenSize::limit)
      throw types::TooLarge{types::TooLarge::What::Types};
    return type;
  }

  ModuleContext& modules_;
  Substitution& substitution_;
  std::uint32_t base_;
  const types::ModuleSite* site_; ///< null: the copies have no place yet
  /// Members that may still be copied: parametric modules inside others could double them again and
  /// again.
  std::size_t fuel_ = 20'000;
  types::WrittenSize written_size_;
  std::unordered_map<const Module*, const Module*> visited_;
  std::unordered_map<const types::Variable*, types::Variable*> values_; ///< the copies
};

} // namespace

const Module* copy_module(ModuleContext& modules, const Module& module, Substitution& substitution,
                          std::uint32_t base, const types::ModuleSite* site) {
  return Copier(modules, substitution, base, site).copy(module);
}

namespace {

void place_members(ModuleContext& modules, const Module& module, const types::ModuleSite& site,
                   std::vector<types::Name>& path, std::unordered_set<const Module*>& visited) {
  const Environment* environment = module.environment();
  if (!environment || module.level() < modules.level || !visited.insert(&module).second) return;
  for (const auto& [name, variable] : environment->values) {
    const types::Member* known = variable->member;
    const bool is_new = known ? known->site == &site && known->path.empty()
                              : !variable->declaration && variable->module_level >= modules.level;
    if (!is_new) continue;
    path.push_back(name);
    variable->member =
        modules.context.types.make<types::Member>(&site, path, known ? known->inner : nullptr);
    path.pop_back();
  }
  for (const auto& [name, inner] : environment->modules) {
    path.push_back(name);
    place_members(modules, *inner, site, path, visited);
    path.pop_back();
  }
}

} // namespace

void place_members(ModuleContext& modules, const Module& module, const types::ModuleSite& site) {
  std::vector<types::Name> path;
  std::unordered_set<const Module*> visited;
  place_members(modules, module, site, path, visited);
}

FreshType fresh_type(ModuleContext& modules, const types::TypeName& name, std::string display) {
  types::TypeArena& arena = modules.context.types;
  types::TypeName* fresh = arena.make<types::TypeName>(name);
  fresh->display = std::move(display);
  TypeBinding binding{name.lifting, {}, nullptr, name.span};
  types::NamedType body{fresh, {}};
  for (bool is_size : name.parameter_is_size) {
    syntax::TypeParameter parameter;
    parameter.span = name.span;
    if (is_size) {
      parameter.kind = syntax::TypeParameter::Kind::Size;
      parameter.name = "n";
      parameter.size = arena.make<types::Variable>();
      parameter.size->kind = types::Variable::Kind::SizeParameter;
      parameter.size->name = parameter.name;
      parameter.size->scheme.type = arena.make<types::Type>(types::PrimitiveType{ElementType::I64});
      body.arguments.push_back(
          {nullptr, arena.make<types::Size>(types::VariableSize{parameter.size})});
    } else {
      parameter.kind = syntax::TypeParameter::Kind::Type;
      parameter.name = "a";
      types::TypeName* argument = arena.make<types::TypeName>();
      argument->display = "a";
      parameter.type_name = argument;
      body.arguments.push_back({arena.make<types::Type>(types::NamedType{argument, {}}), nullptr});
    }
    binding.parameters.push_back(parameter);
  }
  binding.body = arena.make<types::Type>(std::move(body));
  return {fresh, std::move(binding)};
}

ModuleType::Shape instantiate(ModuleContext& modules, const ModuleType& type,
                              std::string_view prefix, Substitution substitution) {
  ModuleType::Shape shape;
  // Two paths may lead to one type: they go on doing so.
  std::unordered_map<const types::TypeName*, const types::TypeName*> renamed;
  for (const types::AbstractType& abstract : type.abstract_types()) {
    auto known = renamed.find(abstract.name);
    if (known == renamed.end()) {
      if (substitution.types.contains(abstract.name)) continue;
      std::string display(prefix);
      for (std::size_t i = 0; i < abstract.path.size(); ++i)
        display += (i > 0 ? "." : "") + std::string(abstract.path[i]);
      FreshType fresh = fresh_type(modules, *abstract.name, std::move(display));
      substitution.types.emplace(abstract.name, std::move(fresh.binding));
      known = renamed.emplace(abstract.name, fresh.name).first;
    }
    shape.abstract_types.push_back({abstract.path, known->second, nullptr});
  }
  shape.module = copy_module(modules, *type.module(), substitution, type.level() + 1);
  return shape;
}

} // namespace sinter::check
