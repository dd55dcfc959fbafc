#include "lang/core/concrete_types.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sinter::core {

const TypeEnvironment::TypeTerm* TypeEnvironment::find(const types::TypeName* name) const {
  for (const TypeEnvironment* layer = this; layer; layer = layer->outer)
    for (const auto& [bound, term] : layer->types)
      if (bound == name) return &term;
  return nullptr;
}

const SizeTerm* TypeEnvironment::find(const types::Variable* variable) const {
  for (const TypeEnvironment* layer = this; layer; layer = layer->outer)
    for (const auto& [bound, term] : layer->sizes)
      if (bound == variable) return &term;
  return nullptr;
}

const TypeEnvironment* TypeWorld::environment(TypeEnvironment environment) {
  return &environments_.emplace_back(std::move(environment));
}

SizeTerm TypeWorld::variable_size(const types::Variable* variable,
                                  const TypeEnvironment* environment) {
  return {&sizes_.emplace_back(types::Size{types::VariableSize{variable}}), environment};
}

SizeTerm TypeWorld::resolve(SizeTerm term) const {
  while (term.size) {
    const auto* variable = std::get_if<types::VariableSize>(&term.size->node);
    if (!variable || !term.environment) break;
    const SizeTerm* bound = term.environment->find(variable->variable);
    if (!bound) break;
    term = *bound;
  }
  return term;
}

const TypeEnvironment* TypeWorld::inside(const types::ExpressionSize& size,
                                         const TypeEnvironment* environment) {
  TypeEnvironment result{.outer = environment,
                         .modules = environment ? environment->modules : nullptr};
  for (const auto& [variable, replacement] : size.substitution)
    result.sizes.emplace_back(variable, SizeTerm{replacement, environment});
  return this->environment(std::move(result));
}

SizeTerm TypeWorld::expression_size(const syntax::Expr* expression,
                                    const TypeEnvironment* environment) {
  if (const auto* name = std::get_if<syntax::VariableExpr>(&expression->node))
    if (name->variable && name->field_count == 0) return variable_size(name->variable, environment);
  return {&sizes_.emplace_back(types::Size{types::ExpressionSize{expression, {}}}), environment};
}

// ---- building -----------------------------------------------------------------------------------

const ConcreteType* TypeWorld::scalar_or_unit(std::optional<ElementType> element) {
  if (element)
    return make(
        {.kind = ConcreteType::Kind::Scalar, .representation = representations_.scalar(*element)});
  return make({.kind = ConcreteType::Kind::Record, .representation = representations_.unit()});
}

const ConcreteType* TypeWorld::function(const std::vector<const ConcreteType*>& parameters,
                                        const ConcreteType* result) {
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter)
    result = make({.kind = ConcreteType::Kind::Function,
                   .representation = representations_.function(),
                   .parts = {*parameter, result}});
  return result;
}

const ConcreteType* TypeWorld::array_of(SizeTerm size, const ConcreteType* element) {
  return make({.kind = ConcreteType::Kind::Array,
               .representation = representations_.array(1, element->representation),
               .size = size,
               .parts = {element}});
}

const ConcreteType* TypeWorld::concrete(const types::Type* type,
                                        const TypeEnvironment* environment) {
  if (!type) throw std::logic_error("a type is missing");
  type = types::resolve(type);
  if (auto known = environment->known.find(type); known != environment->known.end())
    return known->second;
  const ConcreteType* result = build(type, environment);
  environment->known.emplace(type, result);
  return result;
}

const ConcreteType* TypeWorld::build(const types::Type* type, const TypeEnvironment* environment) {
  using Kind = ConcreteType::Kind;
  struct Builder {
    TypeWorld& world;
    const TypeEnvironment* environment;

    const ConcreteType* operator()(const types::PrimitiveType& primitive) {
      return world.scalar(primitive.element);
    }
    const ConcreteType* operator()(const types::NamedType& named) {
      return world.named(named, environment);
    }
    const ConcreteType* operator()(const types::ArrayType& array) {
      return world.array_of({array.size, environment}, world.concrete(array.element, environment));
    }
    const ConcreteType* operator()(const types::RecordType& record) {
      ConcreteType result{.kind = Kind::Record};
      std::vector<FieldRepresentation> fields;
      for (const types::Field& field : record.fields) {
        result.parts.push_back(world.concrete(field.type, environment));
        fields.push_back({std::string(field.name), result.parts.back()->representation});
      }
      result.representation = world.representations_.record(std::move(fields));
      return world.make(std::move(result));
    }
    const ConcreteType* operator()(const types::SumType& sum) {
      ConcreteType result{.kind = Kind::Sum};
      std::vector<ConstructorRepresentation> constructors;
      for (const types::Constructor& constructor : sum.constructors) {
        ConstructorRepresentation representation{std::string(constructor.name), {}};
        auto& payload = result.payloads.emplace_back();
        for (const types::Type* part : constructor.payload) {
          payload.push_back(world.concrete(part, environment));
          representation.payload.push_back(payload.back()->representation);
        }
        constructors.push_back(std::move(representation));
      }
      result.representation = world.representations_.sum(std::move(constructors));
      return world.make(std::move(result));
    }
    const ConcreteType* operator()(const types::FunctionType& function) {
      return world.make({.kind = Kind::Function,
                         .representation = world.representations_.function(),
                         .parts = {world.concrete(function.parameter, environment),
                                   world.concrete(function.result, environment)}});
    }
    const ConcreteType* operator()(const types::UniqueType& unique) {
      return world.concrete(unique.inner, environment);
    }
    // Nothing was ever known about it, so no value of it is ever looked at.
    const ConcreteType* operator()(const types::MetaType& meta) {
      for (ElementType element : {ElementType::I32, ElementType::F64})
        if (meta.elements >> static_cast<unsigned>(element) & 1) return world.scalar(element);
      return world.unit();
    }
    const ConcreteType* operator()(const types::ErrorType&) { return world.unit(); }
  };
  return std::visit(Builder{*this, environment}, type->node);
}

const ConcreteType* TypeWorld::named(const types::NamedType& type,
                                     const TypeEnvironment* environment) {
  if (type.name->kind == types::TypeName::Kind::Builtin) {
    ConcreteType result{.kind = ConcreteType::Kind::Accumulator,
                        .representation = representations_.accumulator()};
    for (const types::TypeArgument& argument : type.arguments)
      if (argument.type) result.parts.push_back(concrete(argument.type, environment));
    return make(std::move(result));
  }
  TypeEnvironment::TypeTerm term = unfold(type, environment);
  return term.concrete ? term.concrete : concrete(term.type, term.environment);
}

TypeEnvironment::TypeTerm TypeWorld::unfold(const types::NamedType& type,
                                            const TypeEnvironment* environment) {
  if (const TypeEnvironment::TypeTerm* bound = environment->find(type.name)) return *bound;
  const Environment* modules = environment->modules;
  ModuleWorld::TypeMeaning meaning = modules_.meaning(modules, type.name);
  if (!meaning.entry) {
    if (!meaning.name || meaning.name == type.name)
      throw std::logic_error("no meaning for the type " + type.name->display);
    // The same type under another name, in another scope; its arguments keep their own scope.
    types::NamedType renamed{meaning.name, {}};
    TypeEnvironment there{.modules = meaning.environment};
    for (const types::TypeArgument& argument : type.arguments) {
      if (argument.type) {
        const types::TypeName& stand_in = names_.emplace_back();
        there.types.emplace_back(&stand_in, TypeEnvironment::TypeTerm{.type = argument.type,
                                                                      .environment = environment});
        renamed.arguments.push_back(
            {.type = &types_.emplace_back(types::Type{types::NamedType{&stand_in, {}}})});
      } else {
        const types::Variable& stand_in = variables_.emplace_back();
        there.sizes.emplace_back(&stand_in, SizeTerm{argument.size, environment});
        renamed.arguments.push_back({.size = variable_size(&stand_in, nullptr).size});
      }
    }
    const types::Type& node = types_.emplace_back(types::Type{std::move(renamed)});
    return {.type = &node, .environment = this->environment(std::move(there))};
  }
  const syntax::TypeDeclaration& declaration = *meaning.entry->declaration;
  TypeEnvironment inside{.modules = meaning.entry->environment};
  const std::size_t count = std::min(declaration.parameters.size(), type.arguments.size());
  for (std::size_t i = 0; i < count; ++i) {
    const syntax::TypeParameter& parameter = declaration.parameters[i];
    const types::TypeArgument& argument = type.arguments[i];
    if (argument.type && parameter.type_name)
      inside.types.emplace_back(
          parameter.type_name,
          TypeEnvironment::TypeTerm{.type = argument.type, .environment = environment});
    else if (argument.size && parameter.size)
      inside.sizes.emplace_back(parameter.size, SizeTerm{argument.size, environment});
  }
  if (!declaration.definition || !declaration.definition->type)
    throw std::logic_error("the type " + type.name->display + " has no checked definition");
  return {.type = declaration.definition->type,
          .environment = this->environment(std::move(inside))};
}

const ConcreteType* TypeWorld::with_fresh_extents(const Representation* representation,
                                                  std::vector<const types::Variable*>& extents) {
  using Kind = ConcreteType::Kind;
  struct Builder {
    TypeWorld& world;
    const Representation* whole;
    std::vector<const types::Variable*>& extents;

    const ConcreteType* part(const Representation* representation) {
      return world.with_fresh_extents(representation, extents);
    }
    const ConcreteType* operator()(const ScalarRepresentation& scalar) {
      return world.scalar(scalar.element);
    }
    const ConcreteType* operator()(const ArrayRepresentation& array) {
      std::vector<const types::Variable*> sizes;
      for (std::uint32_t i = 0; i < array.rank; ++i) {
        types::Variable& variable = world.variables_.emplace_back();
        variable.kind = types::Variable::Kind::SizeParameter;
        variable.name = "extent";
        sizes.push_back(&variable);
        extents.push_back(&variable);
      }
      const ConcreteType* result = part(array.element);
      for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
        result = world.array_of(world.variable_size(*size, nullptr), result);
      return result;
    }
    const ConcreteType* operator()(const RecordRepresentation& record) {
      ConcreteType result{.kind = Kind::Record, .representation = whole};
      for (const FieldRepresentation& field : record.fields)
        result.parts.push_back(part(field.type));
      return world.make(std::move(result));
    }
    const ConcreteType* operator()(const SumRepresentation& sum) {
      ConcreteType result{.kind = Kind::Sum, .representation = whole};
      for (const ConstructorRepresentation& constructor : sum.constructors) {
        auto& payload = result.payloads.emplace_back();
        for (const Representation* type : constructor.payload)
          payload.push_back(part(type));
      }
      return world.make(std::move(result));
    }
    const ConcreteType* operator()(const FunctionRepresentation&) {
      return world.make({.kind = Kind::Function, .representation = whole});
    }
    const ConcreteType* operator()(const AccumulatorRepresentation&) {
      return world.make({.kind = Kind::Accumulator, .representation = whole});
    }
  };
  return std::visit(Builder{*this, representation, extents}, representation->node);
}

void collect_extents(const ConcreteType& type, std::vector<SizeTerm>& extents) {
  switch (type.kind) {
  case ConcreteType::Kind::Array:
    extents.push_back(type.size);
    collect_extents(type.element(), extents);
    break;
  case ConcreteType::Kind::Record:
    for (const ConcreteType* part : type.parts)
      collect_extents(*part, extents);
    break;
  case ConcreteType::Kind::Sum:
    for (const auto& payload : type.payloads)
      for (const ConcreteType* part : payload)
        collect_extents(*part, extents);
    break;
  case ConcreteType::Kind::Scalar:
  case ConcreteType::Kind::Function:
  case ConcreteType::Kind::Accumulator:
    break;
  }
}

// ---- matching -----------------------------------------------------------------------------------

struct TypeWorld::Matcher {
  TypeWorld& world;
  const types::Scheme& scheme;
  Instantiation& result;

  void match(const types::Type* type, const TypeEnvironment* environment, const ConcreteType* use) {
    type = types::resolve(type);
    if (const auto* unique = std::get_if<types::UniqueType>(&type->node))
      return match(unique->inner, environment, use);
    if (const auto* named = std::get_if<types::NamedType>(&type->node))
      return match(*named, environment, use);
    if (const auto* array = std::get_if<types::ArrayType>(&type->node)) {
      if (use->kind != ConcreteType::Kind::Array) return;
      match_size({array->size, environment}, use->size);
      return match(array->element, environment, &use->element());
    }
    if (const auto* record = std::get_if<types::RecordType>(&type->node)) {
      if (use->kind != ConcreteType::Kind::Record) return;
      const std::size_t count = std::min(record->fields.size(), use->parts.size());
      for (std::size_t i = 0; i < count; ++i)
        match(record->fields[i].type, environment, use->parts[i]);
      return;
    }
    if (const auto* sum = std::get_if<types::SumType>(&type->node)) {
      if (use->kind != ConcreteType::Kind::Sum) return;
      const std::size_t count = std::min(sum->constructors.size(), use->payloads.size());
      for (std::size_t i = 0; i < count; ++i) {
        const auto& payload = sum->constructors[i].payload;
        for (std::size_t j = 0; j < std::min(payload.size(), use->payloads[i].size()); ++j)
          match(payload[j], environment, use->payloads[i][j]);
      }
      return;
    }
    if (const auto* function = std::get_if<types::FunctionType>(&type->node)) {
      if (use->kind != ConcreteType::Kind::Function || use->parts.size() != 2) return;
      match(function->parameter, environment, use->parts[0]);
      match(function->result, environment, use->parts[1]);
    }
  }

  void match(const types::NamedType& named, const TypeEnvironment* environment,
             const ConcreteType* use) {
    const auto& parameters = scheme.type_parameters;
    if (auto at = std::find(parameters.begin(), parameters.end(), named.name);
        at != parameters.end()) {
      const ConcreteType*& bound = result.types[static_cast<std::size_t>(at - parameters.begin())];
      if (!bound) bound = use;
      return;
    }
    if (named.name->kind == types::TypeName::Kind::Builtin) {
      std::size_t i = 0;
      for (const types::TypeArgument& argument : named.arguments)
        if (argument.type && i < use->parts.size())
          match(argument.type, environment, use->parts[i++]);
      return;
    }
    TypeEnvironment::TypeTerm term = world.unfold(named, environment);
    if (!term.concrete) match(term.type, term.environment, use);
  }

  void match_size(SizeTerm size, SizeTerm use) {
    size = world.resolve(size);
    if (!size.size || !use.size) return;
    if (const auto* variable = std::get_if<types::VariableSize>(&size.size->node)) {
      const auto& parameters = scheme.size_parameters;
      auto at = std::find(parameters.begin(), parameters.end(), variable->variable);
      if (at != parameters.end())
        result.sizes[static_cast<std::size_t>(at - parameters.begin())].push_back(use);
      return;
    }
    use = world.resolve(use);
    if (!use.size) return;
    if (const auto* operation = std::get_if<types::OperationSize>(&size.size->node)) {
      const auto* other = std::get_if<types::OperationSize>(&use.size->node);
      if (!other || operation->op != other->op) return;
      match_size({operation->left, size.environment}, {other->left, use.environment});
      match_size({operation->right, size.environment}, {other->right, use.environment});
    } else if (const auto* expression = std::get_if<types::ExpressionSize>(&size.size->node)) {
      if (const auto* other = std::get_if<types::ExpressionSize>(&use.size->node))
        match_expression(expression->expression, world.inside(*expression, size.environment),
                         other->expression, world.inside(*other, use.environment));
    }
  }

  /// Walks two size expressions side by side as long as they are built alike.
  void match_expression(const syntax::Expr* size, const TypeEnvironment* environment,
                        const syntax::Expr* use, const TypeEnvironment* use_environment) {
    size = without_parentheses(size);
    use = without_parentheses(use);
    if (const auto* name = std::get_if<syntax::VariableExpr>(&size->node)) {
      if (!name->variable || name->field_count > 0) return;
      match_size(world.variable_size(name->variable, environment),
                 world.expression_size(use, use_environment));
      return;
    }
    auto both = [&](const syntax::Expr* part, const syntax::Expr* use_part) {
      match_expression(part, environment, use_part, use_environment);
    };
    if (const auto* call = std::get_if<syntax::ApplyExpr>(&size->node)) {
      const auto* other = std::get_if<syntax::ApplyExpr>(&use->node);
      if (!other || call->arguments.size() != other->arguments.size()) return;
      for (std::size_t i = 0; i < call->arguments.size(); ++i)
        both(call->arguments[i], other->arguments[i]);
    } else if (const auto* binary = std::get_if<syntax::BinaryExpr>(&size->node)) {
      const auto* other = std::get_if<syntax::BinaryExpr>(&use->node);
      if (!other || binary->variable != other->variable) return;
      both(binary->left, other->left);
      both(binary->right, other->right);
    } else if (const auto* unary = std::get_if<syntax::UnaryExpr>(&size->node)) {
      const auto* other = std::get_if<syntax::UnaryExpr>(&use->node);
      if (other && unary->op == other->op) both(unary->operand, other->operand);
    }
  }

  static const syntax::Expr* without_parentheses(const syntax::Expr* expr) {
    while (const auto* parenthesized = std::get_if<syntax::Parenthesized>(&expr->node))
      expr = parenthesized->inner;
    return expr;
  }
};

Instantiation TypeWorld::match(const types::Scheme& scheme, const TypeEnvironment* environment,
                               const ConcreteType* use) {
  Instantiation result;
  result.types.resize(scheme.type_parameters.size());
  result.sizes.resize(scheme.size_parameters.size());
  if (scheme.type_parameters.empty() && scheme.size_parameters.empty()) return result;
  Matcher{*this, scheme, result}.match(scheme.type, environment, use);
  for (const ConcreteType*& type : result.types)
    if (!type) type = unit();
  return result;
}

} // namespace sinter::core
