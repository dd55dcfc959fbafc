// How symbolic values lie in the leaves of arrays (as lang/values/elements.h has it for numbers),
// and in the places of a layout.
#include "jit/trace/symbolic_domain.h"

#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// An open sum without payloads yet.
SymbolicValue open_sum(SymbolicScalar tag, std::size_t alternatives) {
  SymbolicValue sum = SymbolicValue::sum_of_size(open_tag, 1 + alternatives);
  sum.fields()[0] = tag;
  return sum;
}

ir::Operand zero(ElementType element) {
  return ir::Operand::constant(element, Scalar{});
}

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

// ---- values to leaves --------------------------------------------------------------------------

void SymbolicDomain::flatten_zeros(const Representation* type, Parts& parts) {
  if (type->extent_count > 0) refuse("an array of sums that hold arrays");
  for (const LeafLayout& leaf : type->leaves)
    parts.leaves.push_back(zero(leaf.element));
}

void SymbolicDomain::flatten(const Value& value, const Representation* type, Parts& parts) {
  if (type->is_scalar()) {
    parts.leaves.push_back(operand(value));
  } else if (type->is_array()) {
    const SymbolicArray& array = *value.array();
    parts.extents.insert(parts.extents.end(), array.extents.begin(), array.extents.end());
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      parts.leaves.push_back(type->leaves[i].is_unit ? zero(ElementType::Bool)
                                                     : Operand(array.leaves[i]));
  } else if (type->is_record()) {
    const std::vector<FieldRepresentation>& fields = type->record().fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
      flatten(value.fields()[i], fields[i].type, parts);
    if (fields.empty()) parts.leaves.push_back(zero(ElementType::Bool));
  } else if (type->is_sum()) {
    // The payloads of other constructors are zeros, so that equal elements have equal leaves.
    const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
    const ElementType tag_type = tag_element(type->sum());
    if (tag_type != ElementType::U8) refuse("a sum of more than 256 constructors");
    if (type->extent_count > 0) refuse("an array of sums that hold arrays");
    parts.leaves.push_back(is_open(value) ? operand(value.fields()[0])
                                          : Operand::constant(tag_type, Scalar::of(value.tag())));
    for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
      const std::optional<bool> is_this = decided(has_tag(value, tag));
      const std::vector<const Representation*>& payload = constructors[tag].payload;
      for (std::size_t i = 0; i < payload.size(); ++i) {
        if (is_this == false) {
          flatten_zeros(payload[i], parts);
          continue;
        }
        const std::size_t first = parts.leaves.size();
        flatten(this->payload(value, tag)[i], payload[i], parts);
        if (is_this) continue;
        const Operand condition = operand(has_tag(value, tag));
        for (std::size_t leaf = first; leaf < parts.leaves.size(); ++leaf) {
          Operand& part = parts.leaves[leaf];
          part = select(condition, part, zero(builder_.type(part).element));
        }
      }
    }
  } else {
    refuse("a function in an array");
  }
}

// ---- leaves to values --------------------------------------------------------------------------

SymbolicValue SymbolicDomain::unflatten(const Representation* type,
                                        std::span<const Operand> extents,
                                        std::span<const Operand> leaves) {
  if (type->is_scalar()) return Value(handle(leaves[0]));
  if (type->is_array()) {
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      values.push_back(type->leaves[i].is_unit ? SymbolicArray::no_leaf : leaves[i].value());
    return make_array(type, {extents.begin(), extents.end()}, std::move(values));
  }
  auto take = [&](const Representation* part) {
    Value value =
        unflatten(part, extents.first(part->extent_count), leaves.first(part->leaf_count));
    extents = extents.subspan(part->extent_count);
    leaves = leaves.subspan(part->leaf_count);
    return value;
  };
  if (type->is_record()) {
    const std::vector<FieldRepresentation>& fields = type->record().fields;
    Value record = Value::record_of_size(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i)
      record.fields()[i] = take(fields[i].type);
    return record;
  }
  if (!type->is_sum()) refuse("a function in an array");
  if (type->extent_count > 0) refuse("an array of sums that hold arrays");
  const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
  if (tag_element(type->sum()) != ElementType::U8) refuse("a sum of more than 256 constructors");
  const bool is_known = constructors.size() == 1 || leaves[0].is_constant();
  const auto known_tag =
      leaves[0].is_constant() ? static_cast<std::uint32_t>(leaves[0].scalar().bits) : 0;
  Value sum = open_sum(handle(leaves[0]), constructors.size());
  leaves = leaves.subspan(1);
  for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
    Value payload = Value::record_of_size(constructors[tag].payload.size());
    for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i)
      payload.fields()[i] = take(constructors[tag].payload[i]);
    if (is_known && tag == known_tag) {
      Value closed = Value::sum_of_size(tag, payload.fields().size());
      std::copy(payload.fields().begin(), payload.fields().end(), closed.fields().begin());
      return closed;
    }
    sum.fields()[1 + tag] = std::move(payload);
  }
  return sum;
}

SymbolicValue SymbolicDomain::element(const SymbolicArray& array,
                                      const std::vector<Operand>& indices) {
  const auto count = static_cast<std::uint32_t>(indices.size());
  const Representation* type = indexed(representations_, array.type, count);
  std::vector<Operand> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i) {
    if (array.type->leaves[i].is_unit) {
      leaves.push_back(zero(ElementType::Bool));
      continue;
    }
    const ValueId leaf = array.leaves[i];
    if (auto known = patterns_.find(leaf.index);
        known != patterns_.end() && builder_.type(leaf).rank() == 1)
      leaves.push_back(known->second.is_iota ? indices[0] : known->second.uniform);
    else
      leaves.push_back(builder_.index(leaf, indices, span_));
  }
  const std::span<const Operand> extents = array.extents;
  return unflatten(type, extents.subspan(count), leaves);
}

ir::Operand SymbolicDomain::with_extents(const Operand& leaf, const ir::Type& type) {
  if (leaf.is_constant()) return leaf;
  const ir::Type& own = builder_.type(leaf.value());
  assert(own.rank() == type.rank());
  bool is_same = true;
  for (std::size_t i = 0; i < type.rank(); ++i)
    is_same &= sizes_.are_equal(own.extents[i], type.extents[i]);
  if (is_same) return leaf;
  return builder_.append_one(ir::Reshape{leaf.value()}, type, span_);
}

// ---- rebuilding --------------------------------------------------------------------------------

SymbolicValue SymbolicDomain::rebuild(const Value& value, const Change& change) {
  switch (value.kind()) {
  case Value::Kind::Nothing:
    return value;
  case Value::Kind::Accumulator:
    refuse("an accumulator");
  case Value::Kind::Scalar: {
    if (value.scalar().kind == SymbolicScalar::Kind::None) return value;
    const Operand old = operand(value);
    return Value(handle(change(old, is_placeholder(old) ? ir::Type() : builder_.type(old), false)));
  }
  case Value::Kind::Array: {
    const SymbolicArray& array = *value.array();
    std::vector<Operand> extents;
    for (const Operand& extent : array.extents)
      extents.push_back(change(extent, {ElementType::I64, {}}, true));
    std::vector<ValueId> leaves;
    for (std::size_t i = 0; i < array.leaves.size(); ++i) {
      const LeafLayout& leaf = array.type->leaves[i];
      leaves.push_back(leaf.is_unit
                           ? SymbolicArray::no_leaf
                           : change(array.leaves[i], leaf_type(leaf, extents), false).value());
    }
    return make_array(array.type, std::move(extents), std::move(leaves));
  }
  case Value::Kind::Record:
  case Value::Kind::Sum: {
    Value result = value.kind() == Value::Kind::Record
                       ? Value::record_of_size(value.fields().size())
                       : Value::sum_of_size(value.tag(), value.fields().size());
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      result.fields()[i] = rebuild(value.fields()[i], change);
    return result;
  }
  case Value::Kind::Function: {
    const FunctionObject<Symbolic>& object = value.function();
    std::vector<Value> captures, arguments;
    for (const Value& capture : object.captures)
      captures.push_back(rebuild(capture, change));
    for (const Value& argument : object.arguments)
      arguments.push_back(rebuild(argument, change));
    return Value::function(object.function, std::move(captures), std::move(arguments));
  }
  }
  __builtin_unreachable();
}

// ---- layouts -----------------------------------------------------------------------------------

Layout SymbolicDomain::take_layout(const Value& value, std::vector<Operand>& places) {
  Layout layout;
  auto parts = [&](std::span<const Value> values) {
    for (const Value& part : values)
      layout.parts.push_back(take_layout(part, places));
  };
  switch (value.kind()) {
  case Value::Kind::Nothing:
    break;
  case Value::Kind::Accumulator:
    refuse("an accumulator as a result");
  case Value::Kind::Scalar:
    layout.kind = Layout::Kind::Scalar;
    places.push_back(operand(value));
    layout.scalar = builder_.type(places.back()).element;
    break;
  case Value::Kind::Array: {
    const SymbolicArray& array = *value.array();
    layout.kind = Layout::Kind::Array;
    layout.array = array.type;
    places.insert(places.end(), array.extents.begin(), array.extents.end());
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      if (!array.type->leaves[i].is_unit) places.emplace_back(array.leaves[i]);
    break;
  }
  case Value::Kind::Record:
    layout.kind = Layout::Kind::Record;
    parts(value.fields());
    break;
  case Value::Kind::Sum:
    if (is_open(value)) {
      layout.kind = Layout::Kind::OpenSum;
      places.push_back(operand(value.fields()[0]));
      parts(value.fields().subspan(1));
    } else {
      layout.kind = Layout::Kind::Sum;
      layout.tag = value.tag();
      parts(value.fields());
    }
    break;
  case Value::Kind::Function: {
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

SymbolicValue SymbolicDomain::parameters(const Layout& layout) {
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    return {};
  case Layout::Kind::Scalar:
    return Value(handle(builder_.parameter({layout.scalar, {}})));
  case Layout::Kind::Array: {
    if (holds_sums_of_arrays(layout.array->array().element))
      refuse("an array of sums that hold arrays");
    std::vector<Operand> extents;
    for (std::uint32_t i = 0; i < layout.array->extent_count; ++i)
      extents.emplace_back(builder_.parameter({ElementType::I64, {}}));
    std::vector<ValueId> leaves;
    for (const LeafLayout& leaf : layout.array->leaves)
      leaves.push_back(leaf.is_unit ? SymbolicArray::no_leaf
                                    : builder_.parameter(leaf_type(leaf, extents)));
    return make_array(layout.array, std::move(extents), std::move(leaves));
  }
  case Layout::Kind::Record:
  case Layout::Kind::Sum: {
    Value value = layout.kind == Layout::Kind::Record
                      ? Value::record_of_size(layout.parts.size())
                      : Value::sum_of_size(layout.tag, layout.parts.size());
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      value.fields()[i] = parameters(layout.parts[i]);
    return value;
  }
  case Layout::Kind::OpenSum: {
    Value sum = open_sum(handle(builder_.parameter({ElementType::U8, {}})), layout.parts.size());
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      sum.fields()[1 + i] = parameters(layout.parts[i]);
    return sum;
  }
  case Layout::Kind::Function: {
    std::vector<Value> captures, arguments;
    for (std::size_t i = 0; i < layout.parts.size(); ++i)
      (i < layout.capture_count ? captures : arguments).push_back(parameters(layout.parts[i]));
    return Value::function(layout.function, std::move(captures), std::move(arguments));
  }
  }
  __builtin_unreachable();
}

// ---- arrays of nothing or of one number --------------------------------------------------------

ir::ValueId SymbolicDomain::empty_array(const ir::Type& type) {
  ir::Type empty = type;
  empty.extents[0] = Operand::i64(0);
  return builder_.append_one(ir::ArrayLiteral{}, std::move(empty), span_);
}

ir::ValueId SymbolicDomain::filled(const ir::Type& type, const Operand& scalar) {
  // From the innermost dimension out.
  ir::Soac soac;
  soac.extent = type.extents[0];
  ir::Type row = type;
  row.extents.erase(row.extents.begin());
  BodyScope scope(*this);
  soac.body.parameters.push_back(builder_.parameter({ElementType::I64, {}}));
  const Operand element = row.is_scalar() ? scalar : Operand(filled(row, scalar));
  soac.body = scope.close({element});
  soac.groups.emplace_back(ir::MapGroup{});
  return builder_.append_one(std::move(soac), type, span_);
}

std::optional<SymbolicScalar> SymbolicDomain::extent(const Value& value,
                                                     std::span<const std::uint32_t> fields,
                                                     std::uint32_t dimension) {
  if (value.is_array()) {
    // Through the element type: which of the representation's extents is meant?
    const SymbolicArray& array = *value.array();
    const Representation* type = array.type;
    std::size_t at = 0;
    while (!fields.empty()) {
      if (type->is_array()) {
        at += type->array().rank;
        type = type->array().element;
      }
      if (type->is_record()) {
        for (std::uint32_t i = 0; i < fields[0]; ++i)
          at += type->record().fields[i].type->extent_count;
        type = type->record().fields[fields[0]].type;
        fields = fields.subspan(1);
      } else if (type->is_sum()) {
        const auto& constructors = type->sum().constructors;
        for (std::uint32_t tag = 0; tag < fields[0]; ++tag)
          for (const Representation* part : constructors[tag].payload)
            at += part->extent_count;
        for (std::uint32_t i = 0; i < fields[1]; ++i)
          at += constructors[fields[0]].payload[i]->extent_count;
        type = constructors[fields[0]].payload[fields[1]];
        fields = fields.subspan(2);
      } else {
        return std::nullopt;
      }
    }
    if (!type->is_array() || dimension >= type->array().rank) return std::nullopt;
    return handle(array.extents[at + dimension]);
  }
  if (fields.empty()) return std::nullopt;
  if (value.kind() == Value::Kind::Record)
    return extent(value.fields()[fields[0]], fields.subspan(1), dimension);
  if (value.kind() != Value::Kind::Sum || fields.size() < 2) return std::nullopt;
  if (decided(has_tag(value, fields[0])) == false) return std::nullopt;
  return extent(payload(value, fields[0])[fields[1]], fields.subspan(2), dimension);
}

} // namespace sinter::jit
