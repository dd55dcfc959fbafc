#include "jit/trace/places.h"

#include "jit/trace/leaves.h"
#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

using ir::Operand;
using ir::ValueId;

namespace {

/// Where elements of several arrays meet, such a sum's extents are known from those elements that
/// have the constructor: two arrays of one type may have different ones.
bool holds_sums_of_arrays(const Representation* type) {
  if (type->extent_count == 0) return false;
  if (type->is_sum()) return true;
  if (type->is_array()) return holds_sums_of_arrays(type->array().element);
  return type->is_record() && std::ranges::any_of(type->record().fields, [](const auto& field) {
           return holds_sums_of_arrays(field.type);
         });
}

} // namespace

Layout take_layout(Code& code, const SymbolicValue& value, std::vector<Operand>& places) {
  Layout layout;
  auto parts = [&](std::span<const SymbolicValue> values) {
    for (const SymbolicValue& part : values)
      layout.parts.push_back(take_layout(code, part, places));
  };
  switch (value.kind()) {
  case SymbolicValue::Kind::Nothing:
    break;
  case SymbolicValue::Kind::Accumulator:
    code.refuse(Reason::AccumulatorAsResult);
  case SymbolicValue::Kind::Scalar:
    layout.kind = Layout::Kind::Scalar;
    places.push_back(code.operand(value));
    layout.scalar = code.builder().type(places.back()).element;
    break;
  case SymbolicValue::Kind::Array: {
    const SymbolicArray& array = *value.array();
    layout.kind = Layout::Kind::Array;
    layout.array = array.type;
    places.insert(places.end(), array.extents.begin(), array.extents.end());
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      if (!array.type->leaves[i].is_unit) places.emplace_back(array.leaves[i]);
    break;
  }
  case SymbolicValue::Kind::Record:
    layout.kind = Layout::Kind::Record;
    parts(value.fields());
    break;
  case SymbolicValue::Kind::Sum:
    if (is_open(value)) {
      layout.kind = Layout::Kind::OpenSum;
      places.push_back(code.operand(value.fields()[0]));
      parts(value.fields().subspan(1));
    } else {
      layout.kind = Layout::Kind::Sum;
      layout.tag = value.tag();
      parts(value.fields());
    }
    break;
  case SymbolicValue::Kind::Function: {
    const FunctionObject<Symbolic>& object = value.function();
    layout.kind = Layout::Kind::Function;
    layout.function = object.function;
    layout.capture_count = static_cast<std::uint32_t>(object.captures.size());
    parts(object.captures);
    parts(object.arguments);
    break;
  }
  }
  return layout;
}

SymbolicValue parameters(Code& code, const Layout& layout, const Value* constant) {
  const auto part = [&](std::size_t i) -> const Value* {
    return constant &&
                   (constant->kind() == Value::Kind::Record || constant->kind() == Value::Kind::Sum)
               ? &constant->fields()[i]
               : nullptr;
  };
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    return {};
  case Layout::Kind::Scalar:
    return SymbolicValue(code.handle(code.builder().parameter({layout.scalar, {}})));
  case Layout::Kind::Array: {
    if (holds_sums_of_arrays(layout.array->array().element))
      code.refuse(Reason::ArrayOfSumsOfArrays);
    std::vector<Operand> extents;
    for (std::uint32_t i = 0; i < layout.array->extent_count; ++i)
      extents.emplace_back(code.builder().parameter({ElementType::I64, {}}));
    if (constant && constant->array()->shape.size() == extents.size())
      for (std::size_t i = 0; i < extents.size(); ++i)
        extents[i] = Operand::i64(constant->array()->shape[i]);
    std::vector<ValueId> leaves;
    for (const LeafLayout& leaf : layout.array->leaves)
      leaves.push_back(leaf.is_unit ? SymbolicArray::no_leaf
                                    : code.builder().parameter(leaf_type(leaf, extents)));
    return code.make_array(layout.array, std::move(extents), std::move(leaves));
  }
  case Layout::Kind::Record:
  case Layout::Kind::Sum: {
    SymbolicValue value = layout.kind == Layout::Kind::Record
                              ? SymbolicValue::record_of_size(layout.parts.size())
                              : SymbolicValue::sum_of_size(layout.tag, layout.parts.size());
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      value.fields()[i] = parameters(code, layout.parts[i], part(i));
    return value;
  }
  case Layout::Kind::OpenSum: {
    SymbolicValue sum =
        open_sum(code.handle(code.builder().parameter({ElementType::U8, {}})), layout.parts.size());
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      sum.fields()[1 + i] = parameters(code, layout.parts[i]);
    return sum;
  }
  case Layout::Kind::Function: {
    std::vector<SymbolicValue> captures, arguments;
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      (i < layout.capture_count ? captures : arguments)
          .push_back(parameters(code, layout.parts[i]));
    return SymbolicValue::function(layout.function, std::move(captures), std::move(arguments));
  }
  }
  __builtin_unreachable();
}

std::optional<SymbolicValue> constant_value(Code& code, const Value& value,
                                            const Representation* type) {
  using Kind = Value::Kind;
  switch (value.kind()) {
  case Kind::Scalar:
    if (!type) return SymbolicValue();
    return SymbolicValue(code.literal(type->scalar(), value.scalar()));
  case Kind::Record:
  case Kind::Sum: {
    SymbolicValue result = value.kind() == Kind::Record
                               ? SymbolicValue::record_of_size(value.fields().size())
                               : SymbolicValue::sum_of_size(value.tag(), value.fields().size());
    for (std::size_t i = 0; i < value.fields().size(); ++i) {
      const Representation* part = !type ? nullptr
                                   : type->is_record()
                                       ? type->record().fields[i].type
                                       : type->sum().constructors[value.tag()].payload[i];
      std::optional<SymbolicValue> field = constant_value(code, value.fields()[i], part);
      if (!field) return std::nullopt;
      result.fields()[i] = std::move(*field);
    }
    return result;
  }
  case Kind::Function: {
    const FunctionObject<Concrete>& object = value.function();
    std::vector<SymbolicValue> captures, arguments;
    for (std::size_t i = 0; i < object.captures.size(); ++i) {
      auto capture = constant_value(code, object.captures[i], object.function->capture_types[i]);
      if (!capture) return std::nullopt;
      captures.push_back(std::move(*capture));
    }
    for (std::size_t i = 0; i < object.arguments.size(); ++i) {
      auto argument =
          constant_value(code, object.arguments[i], object.function->parameters[i]->type);
      if (!argument) return std::nullopt;
      arguments.push_back(std::move(*argument));
    }
    return SymbolicValue::function(object.function, std::move(captures), std::move(arguments));
  }
  case Kind::Array:
  case Kind::Nothing:
  case Kind::Accumulator:
    return std::nullopt;
  }
  __builtin_unreachable();
}

std::optional<SymbolicValue> table_value(Code& code, const Value& value,
                                         const Representation* type) {
  constexpr std::int64_t most_elements = 64;
  if (value.kind() != Value::Kind::Array || !type || !type->is_array()) return std::nullopt;
  const ArrayObject& array = *value.array();
  if (array.shape.size() != 1 || !array.element->is_scalar() || array.leaves.size() != 1)
    return std::nullopt;
  const Leaf& leaf = array.leaves[0];
  const std::int64_t count = array.shape[0];
  if (count == 0 || count > most_elements) return std::nullopt;
  ir::ArrayLiteral literal;
  for (std::int64_t i = 0; i < count; ++i)
    literal.elements.push_back(
        Operand::constant(leaf.element, load_scalar(leaf.element, leaf.buffer->contents(),
                                                    leaf.offset + i * leaf.strides[0])));
  const Operand extent = Operand::i64(count);
  const ValueId table =
      code.builder().append_one(std::move(literal), {leaf.element, {extent}}, code.span());
  return code.make_array(type, {extent}, {table});
}

} // namespace sinter::jit
