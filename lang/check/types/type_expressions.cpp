// Type expressions: abbreviations are expanded, sizes become sizes, liftedness is checked.
#include "lang/check/types/binder_names.h"
#include "lang/check/types/inference.h"
#include "lang/check/types/size_expressions.h"
#include "lang/check/types/substitute.h"
#include "lang/types/brief.h"
#include "lang/types/facts.h"
#include "lang/types/stars.h"

#include <algorithm>
#include <unordered_set>

namespace sinter::check {

using namespace types;

namespace {

const syntax::TypeExpr& without_parentheses(const syntax::TypeExpr& type) {
  const syntax::TypeExpr* inner = &type;
  while (const auto* p = std::get_if<syntax::ParenthesizedType>(&inner->node))
    inner = p->inner;
  return *inner;
}

/// Checks one type expression.
class TypeChecker {
public:
  TypeChecker(Inference& inference, AnonymousSizes mode, std::vector<Variable*>* made)
      : inference_(inference), arena_(inference.arena()), mode_(mode), made_(made) {}

  struct Result {
    const Type* type = nullptr;
    Lifting lifting = Lifting::None;
  };

  Result check(syntax::TypeExpr& expression) {
    Result result =
        std::visit([&](auto& node) { return check_node(expression, node); }, expression.node);
    inference_.annotations().put(expression.type, result.type);
    return result;
  }

private:
  Result error() { return {inference_.error(), Lifting::None}; }
  Diagnostic& report(std::string_view id, Span span, std::string message) {
    return inference_.diagnostics().error(id, span, std::move(message));
  }

  Result check_node(syntax::TypeExpr& expression, syntax::NamedType& node) {
    const TypeBinding* binding = find_type(inference_.scope(), node.name, inference_.diagnostics());
    if (!binding) return error();
    if (!binding->parameters.empty()) {
      report("type-arguments", expression.span,
             "Type constructor " + in_quotes(excerpt_of(inference_.context(), node.name.span)) +
                 " used without any arguments; it requires " +
                 std::to_string(binding->parameters.size()));
      return error();
    }
    return apply(*binding, {}, binding->lifting);
  }

  Result check_node(syntax::TypeExpr& expression, syntax::TypeApplication& node) {
    const TypeBinding* binding = find_type(inference_.scope(), node.name, inference_.diagnostics());
    if (!binding) {
      for (syntax::TypeArgument& argument : node.arguments)
        if (argument.type) check(*argument.type);
      return error();
    }
    std::string name = in_quotes(excerpt_of(inference_.context(), node.name.span));
    if (binding->parameters.size() != node.arguments.size()) {
      report("type-arguments", expression.span,
             "Type constructor " + name + " requires " +
                 std::to_string(binding->parameters.size()) + " arguments, but provided " +
                 std::to_string(node.arguments.size()) + ".");
      return error();
    }
    std::vector<TypeArgument> arguments;
    Lifting lifting = binding->lifting;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      syntax::TypeArgument& argument = node.arguments[i];
      const syntax::TypeParameter& parameter = binding->parameters[i];
      bool wants_size = parameter.kind == syntax::TypeParameter::Kind::Size;
      if (wants_size != argument.is_size) {
        report("type-arguments", argument.span,
               "Type argument " + excerpt_of(inference_.context(), argument.span) +
                   " not valid for a type parameter " + in_quotes(parameter.name) +
                   ": it takes a " + (wants_size ? "size" : "type"));
        return error();
      }
      if (wants_size) {
        arguments.push_back({nullptr, size(argument.size)});
        if (!arguments.back().size) return error();
      } else {
        Result part = check(*argument.type);
        lifting = std::max(lifting, part.lifting);
        arguments.push_back({strip_unique(arena_, part.type), nullptr});
      }
    }
    return apply(*binding, arguments, lifting);
  }

  Result apply(const TypeBinding& binding, const std::vector<TypeArgument>& arguments,
               Lifting lifting) {
    std::vector<Variable*> sizes;
    const Type* type = expand(inference_.context(), binding, arguments, sizes);
    return {adopt(type, sizes), lifting};
  }

  /// Gives new sizes to the definition that the type stands in, as the mode wants.
  const Type* adopt(const Type* type, const std::vector<Variable*>& sizes) {
    for (Variable* variable : sizes) {
      switch (mode_) {
      case AnonymousSizes::Parameter:
        variable->kind = Variable::Kind::SizeParameter;
        variable->level = inference_.level();
        made_->push_back(variable);
        break;
      case AnonymousSizes::Open:
      case AnonymousSizes::Existential:
        made_->push_back(variable);
        break;
      }
    }
    return type;
  }

  const Size* anonymous_size(Span span) {
    bool parameter = mode_ == AnonymousSizes::Parameter;
    Variable* variable = inference_.new_variable(parameter ? Variable::Kind::SizeParameter
                                                           : Variable::Kind::UnknownSize,
                                                 {}, span, inference_.primitive(ElementType::I64));
    variable->level = parameter ? inference_.level() : Variable::out_of_scope;
    made_->push_back(variable);
    return types::variable(arena_, variable);
  }

  /// Null after an error.
  const Size* size(syntax::Expr* expression) {
    if (!expression) return anonymous_size({});
    inference_.require(*expression, ElementType::I64);
    if (mentions_error(*expression)) return nullptr;
    const Size* size = size_of(arena_, *expression);
    return size ? size : anonymous_size(expression->span);
  }

  Result check_node(syntax::TypeExpr&, syntax::ArrayType& node) {
    const Size* extent = size(node.size);
    Result element = check(*node.element);
    if (!extent) return error();
    if (element.lifting != Lifting::None) {
      bool functional = element.lifting == Lifting::FullyLifted;
      report("lifted-element", node.element->span,
             std::string("Cannot create array with elements of ") +
                 (functional ? "lifted" : "size-lifted") + " type " +
                 in_quotes(excerpt_of(inference_.context(), node.element->span)) +
                 (functional ? " (might contain function)" : " (might cause irregular array)"));
      return error();
    }
    return {array(arena_, extent, strip_unique(arena_, element.type)), Lifting::None};
  }

  Result check_node(syntax::TypeExpr& expression, syntax::UniqueType& node) {
    Result inner = check(*node.inner);
    const Type* type = unique(arena_, inner.type);
    // A star that a type parameter's instance gets stays; one on a number was never any use.
    if (is_unique(type) || as<ErrorType>(inner.type)) return {type, inner.lifting};
    inference_.diagnostics().warning("useless-unique", expression.span,
                                     "Declaring " + in_quotes(print_briefly(inner.type)) +
                                         " as unique has no effect.");
    return inner;
  }

  Result check_node(syntax::TypeExpr&, syntax::TupleType& node) {
    std::vector<const Type*> elements;
    Lifting lifting = Lifting::None;
    for (syntax::TypeExpr* element : node.elements) {
      Result part = check(*element);
      elements.push_back(part.type);
      lifting = std::max(lifting, part.lifting);
    }
    return {tuple(arena_, elements), lifting};
  }

  Result check_node(syntax::TypeExpr&, syntax::RecordType& node) {
    std::vector<Field> fields;
    std::unordered_set<Name> names;
    Lifting lifting = Lifting::None;
    for (syntax::FieldType& field : node.fields) {
      if (!names.insert(field.name).second) {
        report("duplicate-field", field.name_span,
               "Duplicate record fields: " + in_quotes(field.name) + " is defined twice");
        continue;
      }
      Result part = check(*field.type);
      fields.push_back({field.name, part.type});
      lifting = std::max(lifting, part.lifting);
    }
    return {record(arena_, std::move(fields)), lifting};
  }

  Result check_node(syntax::TypeExpr& expression, syntax::SumType& node) {
    std::vector<Constructor> constructors;
    std::unordered_set<Name> names;
    Lifting lifting = Lifting::None;
    for (syntax::ConstructorType& constructor : node.constructors) {
      if (!names.insert(constructor.name).second) {
        report("duplicate-constructor", constructor.name_span,
               "Duplicate constructors: " + in_quotes("#" + std::string(constructor.name)) +
                   " is listed twice");
        continue;
      }
      Constructor checked{constructor.name, {}};
      for (syntax::TypeExpr* payload : constructor.payload) {
        Result part = check(*payload);
        checked.payload.push_back(part.type);
        lifting = std::max(lifting, part.lifting);
      }
      constructors.push_back(std::move(checked));
    }
    if (constructors.size() >= 256)
      report("too-many-constructors", expression.span,
             "Sum types must have less than 256 constructors.");
    return {sum(arena_, std::move(constructors)), lifting};
  }

  Result check_node(syntax::TypeExpr&, syntax::FunctionType& node) {
    Result parameter = check(*node.parameter);
    Inference::Layer layer(inference_);
    Variable* name = nullptr;
    if (!node.parameter_name.empty()) {
      name = inference_.new_variable(Variable::Kind::Local, node.parameter_name,
                                     node.parameter->span, strip_unique(arena_, parameter.type));
      inference_.bind(name);
    }
    const syntax::TypeExpr& shape = without_parentheses(*node.result);
    if (std::holds_alternative<syntax::FunctionType>(shape.node)) {
      Result result = check(*node.result);
      return {function(arena_, parameter.type, result.type, name), Lifting::FullyLifted};
    }
    std::vector<Variable*> existentials;
    Result result =
        TypeChecker(inference_, AnonymousSizes::Existential, &existentials).check(*node.result);
    return {function(arena_, parameter.type, result.type, name,
                     {existentials.begin(), existentials.end()}),
            Lifting::FullyLifted};
  }

  Result check_node(syntax::TypeExpr&, syntax::ExistentialType& node) {
    Inference::Layer layer(inference_);
    std::vector<Variable*> sizes;
    for (syntax::SizeBinder& binder : node.sizes) {
      binder.variable =
          inference_.new_variable(Variable::Kind::UnknownSize, binder.name, binder.span,
                                  inference_.primitive(ElementType::I64));
      inference_.bind(binder.variable);
      sizes.push_back(binder.variable);
    }
    Result body = check(*node.body);
    std::set<const Variable*> witnessed = witnessed_sizes(body.type);
    for (Variable* variable : sizes) {
      if (!witnessed.contains(variable) && !inference_.unifier().is_erroneous(body.type))
        report("unused-existential", variable->span,
               "Existential size " + in_quotes(variable->name) + " not used as array size.");
      variable->level = Variable::out_of_scope;
    }
    return {adopt(body.type, sizes), std::max(body.lifting, Lifting::SizeLifted)};
  }

  Result check_node(syntax::TypeExpr&, syntax::ParenthesizedType& node) {
    return check(*node.inner);
  }
  Result check_node(syntax::TypeExpr&, syntax::ErrorType&) { return error(); }

  Inference& inference_;
  TypeArena& arena_;
  AnonymousSizes mode_;
  std::vector<Variable*>* made_;
};

} // namespace

const Type* Inference::check_type(syntax::TypeExpr& type, AnonymousSizes mode,
                                  std::vector<Variable*>* made, Lifting* lifting) {
  std::vector<Variable*> sizes;
  check_binder_names(type, diagnostics());
  TypeChecker::Result result = TypeChecker(*this, mode, &sizes).check(type);
  if (unifier_.is_erroneous(result.type)) unifier_.note_error();
  // Abbreviations could double it again and again.
  if (WrittenSize()(result.type) >= WrittenSize::limit) throw TooLarge{TooLarge::What::Types};
  if (made) made->insert(made->end(), sizes.begin(), sizes.end());
  type.open_sizes.assign(sizes.begin(), sizes.end());
  std::erase_if(type.open_sizes, [&](const Variable* size) {
    bool occurs = false;
    for_each_variable(result.type, [&](const Variable* v) { occurs = occurs || v == size; });
    return !occurs;
  });
  if (lifting) *lifting = result.lifting;
  return result.type;
}

void Inference::bind_parameters(std::vector<syntax::TypeParameter>& parameters) {
  for (syntax::TypeParameter& parameter : parameters) {
    for (const syntax::TypeParameter& other : parameters) {
      if (&other == &parameter) break;
      if (other.name == parameter.name && parameter.name != "_")
        diagnostics()
            .error("duplicate-name", parameter.span,
                   "Type parameter " + in_quotes(parameter.name) +
                       " is also bound earlier: it was previously defined in the same list")
            .notes.push_back({other.span, "first bound here"});
    }
    if (parameter.kind == syntax::TypeParameter::Kind::Size) {
      parameter.size = new_variable(Variable::Kind::SizeParameter, parameter.name, parameter.span,
                                    primitive(ElementType::I64));
    } else {
      TypeName* name = arena().make<TypeName>(TypeName::Kind::Parameter,
                                              std::string(parameter.name), parameter.span);
      switch (parameter.kind) {
      case syntax::TypeParameter::Kind::Size:
      case syntax::TypeParameter::Kind::Type:
        break;
      case syntax::TypeParameter::Kind::SizeLifted:
        name->lifting = Lifting::SizeLifted;
        break;
      case syntax::TypeParameter::Kind::FullyLifted:
        name->lifting = Lifting::FullyLifted;
        break;
      }
      parameter.type_name = name;
    }
  }
  rebind_parameters(parameters);
}

void Inference::rebind_parameters(std::vector<syntax::TypeParameter>& parameters) {
  for (syntax::TypeParameter& parameter : parameters) {
    if (parameter.size) {
      bind(parameter.size);
    } else if (parameter.type_name) {
      layer_->scope.names.types[parameter.name] = TypeBinding{
          parameter.type_name->lifting, {}, named(arena(), parameter.type_name), parameter.span};
      unifier_.enter(parameter.type_name);
    }
  }
}

} // namespace sinter::check
