#include "jit/trace/layout.h"

#include "jit/ir/ir.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace sinter::jit {

namespace {

void combine(std::size_t& hash, std::size_t more) {
  hash ^= more + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
}

} // namespace

std::size_t hash(const Layout& layout) {
  std::size_t result = static_cast<std::size_t>(layout.kind);
  combine(result, static_cast<std::size_t>(layout.scalar));
  combine(result, std::hash<const void*>()(layout.array));
  combine(result, layout.tag);
  combine(result, std::hash<const void*>()(layout.function));
  combine(result, layout.capture_count);
  combine(result, hash(std::span<const Layout>(layout.parts)));
  return result;
}

std::size_t hash(std::span<const Layout> layouts) {
  std::size_t result = layouts.size();
  for (const Layout& layout : layouts)
    combine(result, hash(layout));
  return result;
}

std::size_t place_count(const Layout& layout) {
  std::size_t count = 0;
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    break;
  case Layout::Kind::Scalar:
    return 1;
  case Layout::Kind::Array:
    count = layout.array->extent_count;
    for (const LeafLayout& leaf : layout.array->leaves)
      count += leaf.is_unit ? 0 : 1;
    break;
  case Layout::Kind::OpenSum:
    count = 1;
    break;
  case Layout::Kind::Record:
  case Layout::Kind::Sum:
  case Layout::Kind::Function:
    break;
  }
  for (const Layout& part : layout.parts)
    count += place_count(part);
  return count;
}

// ---- layouts of values -------------------------------------------------------------------------

bool has_layout(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Accumulator:
    return false;
  case Value::Kind::Array:
    return std::ranges::all_of(value.array()->leaves, [](const Leaf& leaf) {
      return std::ranges::all_of(leaf.extents,
                                 [](std::int64_t extent) { return extent < ir::extent_limit; });
    });
  case Value::Kind::Record:
  case Value::Kind::Sum:
    return std::ranges::all_of(value.fields(), has_layout);
  case Value::Kind::Function:
    return std::ranges::all_of(value.function().captures, has_layout) &&
           std::ranges::all_of(value.function().arguments, has_layout);
  case Value::Kind::Nothing:
  case Value::Kind::Scalar:
    return true;
  }
  __builtin_unreachable();
}

Layout layout_of(const Value& value, const Representation* type, Representations& table) {
  auto part_type = [&](std::size_t i) -> const Representation* {
    if (!type) return nullptr;
    return type->is_record() ? type->record().fields[i].type
                             : type->sum().constructors[value.tag()].payload[i];
  };
  Layout layout;
  switch (value.kind()) {
  case Value::Kind::Nothing:
  case Value::Kind::Accumulator:
    break;
  case Value::Kind::Scalar:
    if (!type) break;
    layout.kind = Layout::Kind::Scalar;
    layout.scalar = type->scalar();
    break;
  case Value::Kind::Array:
    layout.kind = Layout::Kind::Array;
    layout.array = table.array(static_cast<std::uint32_t>(value.array()->shape.size()),
                               value.array()->element);
    break;
  case Value::Kind::Record:
  case Value::Kind::Sum:
    layout.kind = value.kind() == Value::Kind::Record ? Layout::Kind::Record : Layout::Kind::Sum;
    if (value.kind() == Value::Kind::Sum) layout.tag = value.tag();
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      layout.parts.push_back(layout_of(value.fields()[i], part_type(i), table));
    break;
  case Value::Kind::Function: {
    const FunctionObject<Concrete>& object = value.function();
    const core::Function& code = *object.function;
    layout.kind = Layout::Kind::Function;
    layout.function = &code;
    layout.capture_count = static_cast<std::uint32_t>(object.captures.size());
    for (std::size_t i = 0; i < object.captures.size(); ++i)
      layout.parts.push_back(layout_of(object.captures[i], code.capture_types[i], table));
    for (std::size_t i = 0; i < object.arguments.size(); ++i)
      layout.parts.push_back(layout_of(object.arguments[i], code.parameters[i]->type, table));
    break;
  }
  }
  return layout;
}

// ---- data --------------------------------------------------------------------------------------

namespace {

void take_array_apart(ArrayRef array, std::vector<Datum>& places) {
  for (std::int64_t extent : array_extents(array))
    places.emplace_back(Scalar::of(extent));
  const bool is_owner = array.unique();
  for (std::size_t i = 0; i < array->leaves.size(); ++i)
    if (!array->element->leaves[i].is_unit)
      places.emplace_back(is_owner ? std::move(array->leaves[i]) : array->leaves[i]);
}

void take_parts(std::span<Value> values, bool is_owner, std::span<const Layout> layouts,
                std::vector<Datum>& places) {
  for (std::size_t i = 0; i < values.size(); ++i)
    take_apart(is_owner ? std::move(values[i]) : values[i], layouts[i], places);
}

} // namespace

void take_apart(Value value, const Layout& layout, std::vector<Datum>& places) {
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    break;
  case Layout::Kind::Scalar:
    places.emplace_back(value.scalar());
    break;
  case Layout::Kind::Array: {
    ArrayRef array = std::move(value.array());
    value = Value();
    take_array_apart(std::move(array), places);
    break;
  }
  case Layout::Kind::Record:
  case Layout::Kind::Sum:
    take_parts(value.fields(), value.unique(), layout.parts, places);
    break;
  case Layout::Kind::Function: {
    FunctionObject<Concrete>& object = value.function();
    const bool is_owner = value.unique();
    const std::span<const Layout> parts = layout.parts;
    take_parts(object.captures, is_owner, parts.first(layout.capture_count), places);
    take_parts(object.arguments, is_owner, parts.subspan(layout.capture_count), places);
    break;
  }
  case Layout::Kind::OpenSum:
    assert(false && "arguments have one constructor");
    break;
  }
}

namespace {

Value array_from(const Representation* type, std::span<Datum> places, std::size_t& next) {
  Extents extents;
  for (std::uint32_t i = 0; i < type->extent_count; ++i)
    extents.push_back(std::get<Scalar>(places[next++]).as<std::int64_t>());
  ArrayRef array = ArrayRef::adopt(new ArrayObject);
  array->element = type->array().element;
  array->shape = Extents(std::span<const std::int64_t>(extents).first(type->array().rank));
  array->leaves.reserve(type->leaves.size());
  for (const LeafLayout& layout : type->leaves) {
    if (!layout.is_unit) {
      array->leaves.push_back(std::move(std::get<Leaf>(places[next++])));
      continue;
    }
    Leaf& unit = array->leaves.emplace_back();
    unit.element = layout.element;
    for (std::uint32_t dimension : layout.dimensions)
      unit.extents.push_back(extents[dimension]);
    unit.strides.assign(unit.extents.size(), 0);
  }
  return array;
}

} // namespace

Value put_together(const Layout& layout, std::span<Datum> places, std::size_t& next) {
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    return {};
  case Layout::Kind::Scalar:
    return std::get<Scalar>(places[next++]);
  case Layout::Kind::Array:
    return array_from(layout.array, places, next);
  case Layout::Kind::Record:
  case Layout::Kind::Sum: {
    Value value = layout.kind == Layout::Kind::Record
                      ? Value::record_of_size(layout.parts.size())
                      : Value::sum_of_size(layout.tag, layout.parts.size());
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      value.fields()[i] = put_together(layout.parts[i], places, next);
    return value;
  }
  case Layout::Kind::OpenSum: {
    const auto tag = std::get<Scalar>(places[next++]).as<std::uint32_t>();
    Value chosen;
    for (std::size_t i = 0; i < layout.parts.size(); ++i) {
      Value payload = put_together(layout.parts[i], places, next);
      if (i == tag) chosen = std::move(payload);
    }
    // Inside of a payload that is not chosen itself, the tag may be anything.
    if (chosen.kind() != Value::Kind::Record) return {};
    std::span<Value> fields = chosen.fields();
    return Value::sum(
        tag, {std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end())});
  }
  case Layout::Kind::Function: {
    std::vector<Value> captures, arguments;
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      (i < layout.capture_count ? captures : arguments)
          .push_back(put_together(layout.parts[i], places, next));
    return Value::function(layout.function, std::move(captures), std::move(arguments));
  }
  }
  __builtin_unreachable();
}

} // namespace sinter::jit
