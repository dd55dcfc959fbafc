// Copies of modules in which types and sizes are replaced.

#include "lang/check/modules.h"
#include "lang/types/rewrite.h"

namespace sinter::check {
namespace {

bool is_size(const types::Variable& variable) {
  if (!variable.scheme.type_parameters.empty() || !variable.scheme.type) return false;
  auto* primitive = std::get_if<types::PrimitiveType>(&types::resolve(variable.scheme.type)->node);
  return primitive && primitive->element == ElementType::I64;
}

class Copier {
public:
  Copier(ModuleContext& modules, Substitution& substitution, std::uint32_t base)
      : modules_(modules), substitution_(substitution), base_(base) {}

  const Module* copy(const Module& module) {
    rename_sizes(module);
    visited_.clear();
    return copy_module(module);
  }

private:
  bool is_outside(const Module& module) const { return module.level() < base_; }
  std::uint32_t moved(std::uint32_t level) const { return level - base_ + modules_.level; }

  // Sizes come first, as any type may mention them.
  void rename_sizes(const Module& module) {
    if (is_outside(module) || visited_.contains(&module)) return;
    visited_.emplace(&module, nullptr);
    if (const Functor* functor = module.functor()) {
      rename_sizes(*functor->parameter->module());
      rename_sizes(*functor->result);
      return;
    }
    for (const auto& [name, variable] : module.environment()->values) {
      if (!is_size(*variable) || substitution_.sizes.contains(variable)) continue;
      types::Variable* fresh = modules_.context.types.make<types::Variable>(*variable);
      substitution_.sizes.emplace(
          variable, modules_.context.types.make<types::Size>(types::VariableSize{fresh}));
      fresh_sizes_.emplace(variable, fresh);
    }
    for (const auto& [name, inner] : module.environment()->modules)
      rename_sizes(*inner);
  }

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

  types::Variable* copy_value(types::Variable* variable) {
    if (auto fresh = fresh_sizes_.find(variable); fresh != fresh_sizes_.end()) return fresh->second;
    if (auto known = values_.find(variable); known != values_.end()) return known->second;
    types::Variable* copied = variable;
    types::Scheme scheme = substitute(modules_.context, variable->scheme, substitution_);
    std::shared_ptr<const types::Scheme> exact = variable->exact;
    if (exact) {
      types::Scheme replaced = substitute(modules_.context, *exact, substitution_);
      if (replaced.type != exact->type)
        exact = std::make_shared<const types::Scheme>(std::move(replaced));
    }
    if (scheme.type != variable->scheme.type || exact != variable->exact) {
      copied = modules_.context.types.make<types::Variable>(*variable);
      copied->scheme = std::move(scheme);
      copied->exact = std::move(exact);
    }
    values_.emplace(variable, copied);
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
  /// Members that may still be copied: parametric modules inside others could double them again and
  /// again.
  std::size_t fuel_ = 20'000;
  types::WrittenSize written_size_;
  std::unordered_map<const Module*, const Module*> visited_;
  std::unordered_map<const types::Variable*, types::Variable*> fresh_sizes_;
  std::unordered_map<const types::Variable*, types::Variable*> values_;
};

} // namespace

const Module* copy_module(ModuleContext& modules, const Module& module, Substitution& substitution,
                          std::uint32_t base) {
  return Copier(modules, substitution, base).copy(module);
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
