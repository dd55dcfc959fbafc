// Sizes: from size expressions in types to expressions over slots, and from the shapes of values to
// slots.
#include "lang/base/unknown_names.h"
#include "lang/core/translator.h"

#include <utility>

namespace sinter::core {

namespace {

/// Calls `visit(size, path)` for each dimension of the arrays in a value, as far as they can be
/// reached without looking into constructors.  Dimensions are those of the array that the fields
/// lead to, without those of an array of records around it.
template <typename Visit>
void each_dimension(const ConcreteType& type, SizePath& path, Visit&& visit) {
  switch (type.kind) {
  case ConcreteType::Kind::Array: {
    visit(type, path);
    ++path.dimension;
    each_dimension(type.element(), path, visit);
    --path.dimension;
    break;
  }
  case ConcreteType::Kind::Record: {
    const std::uint32_t outer = std::exchange(path.dimension, 0);
    for (std::uint32_t i = 0; i < type.parts.size(); ++i) {
      path.fields.push_back(i);
      each_dimension(*type.parts[i], path, visit);
      path.fields.pop_back();
    }
    path.dimension = outer;
    break;
  }
  case ConcreteType::Kind::Scalar:
  case ConcreteType::Kind::Sum:
  case ConcreteType::Kind::Function:
  case ConcreteType::Kind::Accumulator:
    break;
  }
}

std::string_view symbol(types::SizeOperator op) {
  switch (op) {
  case types::SizeOperator::Add:
    return "+";
  case types::SizeOperator::Subtract:
    return "-";
  case types::SizeOperator::Multiply:
    return "*";
  case types::SizeOperator::Divide:
    return "/";
  case types::SizeOperator::Remainder:
    return "%";
  }
  return "";
}

} // namespace

const Expr* Translator::size(SizeTerm term, Span span, SizeUse use) {
  term = definitions_.types.resolve(term);
  if (!term.size) return nullptr;
  if (const auto* constant = std::get_if<types::ConstantSize>(&term.size->node))
    return integer(constant->value, span);
  if (const auto* variable = std::get_if<types::VariableSize>(&term.size->node))
    return size_variable(*variable->variable, term.environment, span, use);
  if (const auto* operation = std::get_if<types::OperationSize>(&term.size->node)) {
    const Expr* left = size({operation->left, term.environment}, span, use);
    const Expr* right = left ? size({operation->right, term.environment}, span, use) : nullptr;
    if (!right) return nullptr;
    return make(definitions_.scalar_type(ElementType::I64), span,
                PrimitiveCall{primitives::find_operator(symbol(operation->op), ElementType::I64),
                              {left, right}});
  }
  if (const auto* expression = std::get_if<types::ExpressionSize>(&term.size->node)) {
    // The expression was written elsewhere: its names mean what the substitution says.
    const TypeEnvironment* there = definitions_.types.inside(*expression, term.environment);
    Translator inside(definitions_, frame_, there->modules ? there->modules : modules_, there);
    const std::size_t mark = frame_.mark();
    const Expr* result = nullptr;
    try {
      result = inside.expr(*expression->expression);
    } catch (const UnknownVariable&) {
      // It depends on something that is not in scope here.
    }
    frame_.release(mark);
    return result;
  }
  return nullptr;
}

const Expr* Translator::size_variable(const types::Variable& variable,
                                      const TypeEnvironment* environment, Span span, SizeUse use) {
  const Representation* i64 = definitions_.scalar_type(ElementType::I64);
  if (auto place = frame_.find(&variable, use)) {
    if (place->is_captured) return make(i64, span, Captured{place->index});
    return make(i64, span, Local{place->index});
  }
  if (variable.kind != types::Variable::Kind::Global) return nullptr;
  // A size that is a constant of some module.
  const FoundValue found =
      definitions_.modules.meaning(environment ? environment->modules : types_->modules, variable);
  const auto* entry = std::get_if<const ValueEntry*>(&found);
  if (!entry || !(*entry)->declaration->parameters.empty()) return nullptr;
  Specialisation& constant = definitions_.specialise(**entry, {});
  if (!constant.global) return nullptr;
  return make(definitions_.scalar_type(ElementType::I64), span, GlobalValue{constant.global});
}

SizedType Translator::sized(const ConcreteType& type, Span span) {
  SizedType result{type.representation, {}};
  std::vector<SizeTerm> extents;
  collect_extents(type, extents);
  for (const SizeTerm& extent : extents)
    result.extents.push_back(size(extent, span, SizeUse::Extent));
  return result;
}

std::vector<SizeBinding> Translator::bind_sizes(const ConcreteType& type) {
  std::vector<SizeBinding> result;
  SizePath path;
  each_dimension(type, path, [&](const ConcreteType& array, const SizePath& place) {
    const SizeTerm term = definitions_.types.resolve(array.size);
    const auto* size = term.size ? std::get_if<types::VariableSize>(&term.size->node) : nullptr;
    if (!size) return;
    switch (size->variable->kind) {
    case types::Variable::Kind::SizeParameter:
    case types::Variable::Kind::UnknownSize:
      break;
    case types::Variable::Kind::Local:
    case types::Variable::Kind::Global:
    case types::Variable::Kind::Intrinsic:
    case types::Variable::Kind::Overloaded:
      return;
    }
    if (frame_.reaches(size->variable)) return;
    result.push_back(
        {frame_.bind(size->variable, definitions_.scalar_type(ElementType::I64)), place});
  });
  return result;
}

std::vector<SizeCheck> Translator::size_checks(const ConcreteType& type, Span span,
                                               const std::vector<SizeBinding>& bound) {
  std::vector<SizeCheck> result;
  SizePath path;
  types::NumberedNames names; // one size is called the same in all dimensions
  auto text = [&](const ConcreteType& array) {
    const SizeTerm term = definitions_.types.resolve(array.size);
    return "[" + (term.size ? types::print(term.size, names) : "") + "]";
  };
  std::string shape; // of the array that the dimensions are of
  const ConcreteType* next = nullptr;
  each_dimension(type, path, [&](const ConcreteType& array, const SizePath& place) {
    if (&array != next) {
      shape.clear();
      for (const ConcreteType* inner = &array; inner->kind == ConcreteType::Kind::Array;
           inner = &inner->element())
        shape += text(*inner);
    }
    next = &array.element();
    for (const SizeBinding& binding : bound)
      if (binding.path.fields == place.fields && binding.path.dimension == place.dimension) return;
    const Expr* expected = size(array.size, span, SizeUse::Value);
    if (expected) result.push_back({place, expected, with_named_unknowns(shape)});
  });
  return result;
}

} // namespace sinter::core
