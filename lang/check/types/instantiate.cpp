// The state of an inference: scopes, new inference variables, and instances of polymorphic values.
#include "lang/check/types/inference.h"

#include "lang/primitives/primitives.h"
#include "lang/syntax/parser.h"
#include "lang/types/facts.h"

namespace sinter::check {

using namespace types;

Inference::Inference(Context& context, const Scope& scope)
    : context_(context), scope_(&scope), error_(error_type(context.types)),
      unifier_(context, error_), deferred_(context) {
  for (ElementType element : all_element_types)
    primitives_[static_cast<std::size_t>(element)] = types::primitive(arena(), element);
  unit_ = types::unit(arena());
  unknown_size_ = anonymous(arena());
}

Inference::Layer::Layer(Inference& inference)
    : inference_(inference), outer_(inference.scope_), outer_layer_(inference.layer_) {
  scope.parent = inference.scope_;
  inference.scope_ = &scope;
  inference.layer_ = this;
  ++inference.unifier_.level;
}

Inference::Layer::~Layer() {
  for (Variable* variable : bound_)
    variable->level = Variable::out_of_scope;
  inference_.scope_ = outer_;
  inference_.layer_ = outer_layer_;
  --inference_.unifier_.level;
}

const Type* Inference::primitive(ElementType element) {
  return primitives_[static_cast<std::size_t>(element)];
}

Variable* Inference::new_variable(Variable::Kind kind, std::string_view name, Span span,
                                  const Type* type) {
  Variable* variable = arena().make<Variable>(kind, name, span);
  variable->level = unifier_.level;
  annotations_.put(variable->scheme.type, type);
  return variable;
}

void Inference::bind(Variable* variable) {
  bind_as(variable->name, variable);
}

void Inference::bind_as(std::string_view name, Variable* variable) {
  variable->level = unifier_.level;
  layer_->bound_.push_back(variable);
  if (!name.empty()) layer_->scope.names.bind(name, variable);
}

std::uint16_t allowed_elements(Constraint constraint) {
  switch (constraint) {
  case Constraint::None:
  case Constraint::Equality:
    return 0;
  case Constraint::Number:
    return number_elements;
  case Constraint::Integer:
    return integer_elements;
  case Constraint::Float:
    return float_elements;
  case Constraint::Primitive:
    return number_elements | bool_element;
  }
  return 0;
}

namespace {

/// Puts new inference variables in the place of a scheme's parameters.
class Instantiator : public Rewriter {
public:
  using Rewriter::Rewriter;
  std::vector<std::pair<const TypeName*, const Type*>> types;
  std::vector<std::pair<const Variable*, const Size*>> sizes;

protected:
  const Type* on_named(const Type* type, const TypeName* name, std::vector<TypeArgument> arguments,
                       bool changed) override {
    for (const auto& [parameter, stands_for] : types)
      if (parameter == name) return stands_for;
    return Rewriter::on_named(type, name, std::move(arguments), changed);
  }
  const Size* on_variable(const Size* size, const Variable* variable) override {
    for (const auto& [parameter, stands_for] : sizes)
      if (parameter == variable) return stands_for;
    return size;
  }
};

} // namespace

const Type* Inference::instantiate(Variable& variable, Span span) {
  switch (variable.kind) {
  case Variable::Kind::Overloaded: {
    for (const primitives::OverloadedOperator& op : primitives::all_operators()) {
      if (op.symbol != variable.name) continue;
      const Type* operand;
      if (op.constraint == Constraint::Equality) {
        operand = unifier_.new_meta(span, Lifting::None);
        deferred_.add_equality(operand, span);
      } else {
        operand = unifier_.new_overloaded(span, allowed_elements(op.constraint));
      }
      const Type* result = op.compares ? primitive(ElementType::Bool) : operand;
      return function(arena(), operand, function(arena(), operand, result));
    }
    return error_;
  }
  case Variable::Kind::Intrinsic:
    load_intrinsic(context_, variable);
    break;
  case Variable::Kind::Local:
  case Variable::Kind::SizeParameter:
  case Variable::Kind::UnknownSize:
  case Variable::Kind::Global:
    break;
  }
  const Scheme& scheme = variable.scheme;
  if (!scheme.type) return error_;
  const bool has_error = unifier_.is_erroneous(scheme.type);
  if (has_error) unifier_.note_error();
  if (scheme.type_parameters.empty() && scheme.size_parameters.empty()) return scheme.type;
  Instantiator instantiator(arena());
  for (const TypeName* parameter : scheme.type_parameters) {
    const Type* meta = unifier_.new_meta(span, parameter->lifting);
    if (parameter->lifting != Lifting::FullyLifted)
      deferred_.oblige(meta, parameter->lifting, span, "when instantiating a type parameter of ",
                       variable.name);
    instantiator.types.emplace_back(parameter, meta);
  }
  for (const Variable* size : scheme.size_parameters) {
    // (Messages tell unknown sizes apart.)
    const Variable* unknown = arena().make<Variable>(Variable::Kind::UnknownSize);
    instantiator.sizes.emplace_back(size, types::variable(arena(), unknown));
  }
  const Type* type = instantiator.type(scheme.type);
  // What determines the other parts may be what is not known.
  if (has_error) unifier_.excuse(type);
  return type;
}

} // namespace sinter::check
