#include "jit/trace/leaves.h"

#include "lang/core/core.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

namespace {

ir::Operand zero(ElementType element) {
  return ir::Operand::constant(element, Scalar{});
}

} // namespace

SymbolicValue open_sum(SymbolicScalar tag, std::size_t alternatives) {
  SymbolicValue sum = SymbolicValue::sum_of_size(open_tag, 1 + alternatives);
  sum.fields()[0] = tag;
  return sum;
}

SymbolicValue alternative(const SymbolicValue& sum, std::uint32_t tag) {
  if (is_open(sum)) return tag < alternative_count(sum) ? sum.fields()[1 + tag] : SymbolicValue();
  if (sum.tag() != tag) return {};
  SymbolicValue payload = SymbolicValue::record_of_size(sum.fields().size());
  std::copy(sum.fields().begin(), sum.fields().end(), payload.fields().begin());
  return payload;
}

std::uint32_t alternatives(const SymbolicValue& sum) {
  return is_open(sum) ? alternative_count(sum) : sum.tag() + 1;
}

// ---- values to leaves --------------------------------------------------------------------------

void Leaves::flatten_zeros(const Representation* type, Parts& parts) {
  if (type->extent_count > 0) code_.refuse(Reason::ArrayOfSumsOfArrays);
  for (const LeafLayout& leaf : type->leaves)
    parts.leaves.push_back(zero(leaf.element));
}

void Leaves::flatten(const Value& value, const Representation* type, Parts& parts) {
  if (type->is_scalar()) {
    parts.leaves.push_back(code_.operand(value));
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
    flatten_sum(value, type, parts);
  } else {
    code_.refuse(Reason::FunctionInArray);
  }
}

void Leaves::flatten_sum(const Value& value, const Representation* type, Parts& parts) {
  // The payloads of other constructors are zeros, so that equal elements have equal leaves.
  const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
  const ElementType tag_type = tag_element(type->sum());
  if (tag_type != ElementType::U8) code_.refuse(Reason::ManyConstructors);
  if (type->extent_count > 0) code_.refuse(Reason::ArrayOfSumsOfArrays);
  parts.leaves.push_back(is_open(value) ? code_.operand(value.fields()[0])
                                        : Operand::constant(tag_type, Scalar::of(value.tag())));
  for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
    const std::optional<bool> is_this = code_.decided(code_.has_tag(value, tag));
    const std::vector<const Representation*>& types = constructors[tag].payload;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (is_this == false) {
        flatten_zeros(types[i], parts);
        continue;
      }
      const std::size_t first = parts.leaves.size();
      flatten(payload(value, tag)[i], types[i], parts);
      if (is_this) continue;
      const Operand condition = code_.operand(code_.has_tag(value, tag));
      for (std::size_t leaf = first; leaf < parts.leaves.size(); ++leaf) {
        Operand& part = parts.leaves[leaf];
        part = code_.select(condition, part, zero(builder_.type(part).element));
      }
    }
  }
}

// ---- leaves to values --------------------------------------------------------------------------

SymbolicValue Leaves::unflatten(const Representation* type, std::span<const Operand> extents,
                                std::span<const Operand> leaves) {
  if (type->is_scalar()) return Value(code_.handle(leaves[0]));
  if (type->is_array()) {
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      values.push_back(type->leaves[i].is_unit ? SymbolicArray::no_leaf : leaves[i].value());
    return code_.make_array(type, {extents.begin(), extents.end()}, std::move(values));
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
  if (!type->is_sum()) code_.refuse(Reason::FunctionInArray);
  return unflatten_sum(type, leaves);
}

SymbolicValue Leaves::unflatten_sum(const Representation* type, std::span<const Operand> leaves) {
  if (type->extent_count > 0) code_.refuse(Reason::ArrayOfSumsOfArrays);
  const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
  if (tag_element(type->sum()) != ElementType::U8) code_.refuse(Reason::ManyConstructors);
  const bool is_known = constructors.size() == 1 || leaves[0].is_constant();
  const auto known_tag =
      leaves[0].is_constant() ? static_cast<std::uint32_t>(leaves[0].scalar().bits) : 0;
  Value sum = open_sum(code_.handle(leaves[0]), constructors.size());
  leaves = leaves.subspan(1);
  for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
    Value payload = Value::record_of_size(constructors[tag].payload.size());
    for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i) {
      const Representation* part = constructors[tag].payload[i];
      payload.fields()[i] = unflatten(part, {}, leaves.first(part->leaf_count));
      leaves = leaves.subspan(part->leaf_count);
    }
    if (is_known && tag == known_tag) {
      Value closed = Value::sum_of_size(tag, payload.fields().size());
      std::copy(payload.fields().begin(), payload.fields().end(), closed.fields().begin());
      return closed;
    }
    sum.fields()[1 + tag] = std::move(payload);
  }
  return sum;
}

SymbolicValue Leaves::element(const SymbolicArray& array, const std::vector<Operand>& indices) {
  const auto count = static_cast<std::uint32_t>(indices.size());
  const Representation* type = indexed(code_.representations(), array.type, count);
  std::vector<Operand> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i) {
    if (array.type->leaves[i].is_unit) {
      leaves.push_back(zero(ElementType::Bool));
      continue;
    }
    const ValueId leaf = array.leaves[i];
    if (const Pattern* known = pattern(leaf); known && builder_.type(leaf).rank() == 1)
      leaves.push_back(known->is_iota ? indices[0] : known->uniform);
    else
      leaves.push_back(builder_.index(leaf, indices, code_.span()));
  }
  const std::span<const Operand> extents = array.extents;
  return unflatten(type, extents.subspan(count), leaves);
}

ir::Operand Leaves::with_extents(const Operand& leaf, const ir::Type& type) {
  if (leaf.is_constant()) return leaf;
  const ir::Type& own = builder_.type(leaf.value());
  assert(own.rank() == type.rank());
  bool is_same = true;
  for (std::size_t i = 0; i < type.rank(); ++i)
    is_same &= code_.sizes().are_equal(own.extents[i], type.extents[i]);
  if (is_same) return leaf;
  return builder_.append_one(ir::Reshape{leaf.value()}, type, code_.span());
}

std::vector<ir::Operand> Leaves::fit(const Value& value, const Representation* type,
                                     std::span<const Operand> extents) {
  const Parts parts = flatten(value, type);
  const std::vector<Operand> wanted(extents.begin(), extents.end());
  std::vector<Operand> result;
  for (std::size_t i = 0; i < parts.leaves.size(); ++i)
    if (!type->leaves[i].is_unit)
      result.push_back(with_extents(parts.leaves[i], leaf_type(type->leaves[i], wanted)));
  return result;
}

SymbolicValue Leaves::from_results(const Representation* type, std::span<const Operand> extents,
                                   std::span<const ValueId> results) {
  std::vector<Operand> leaves;
  std::size_t next = 0;
  for (const LeafLayout& leaf : type->leaves)
    leaves.push_back(leaf.is_unit ? zero(ElementType::Bool) : Operand(results[next++]));
  return unflatten(type, extents, leaves);
}

// ---- arrays ------------------------------------------------------------------------------------

const Pattern* Leaves::pattern(ValueId array) const {
  const auto found = patterns_.find(array.index);
  return found == patterns_.end() ? nullptr : &found->second;
}

SymbolicValue Leaves::array_of(const Representation* type, std::vector<Operand> extents,
                               std::span<const ValueId> results) {
  std::vector<ValueId> leaves;
  std::size_t next = 0;
  for (const LeafLayout& leaf : type->leaves)
    leaves.push_back(leaf.is_unit ? SymbolicArray::no_leaf : results[next++]);
  return code_.make_array(type, std::move(extents), std::move(leaves));
}

std::vector<ir::Type> Leaves::types(const Representation* type,
                                    const std::vector<Operand>& extents) {
  std::vector<ir::Type> types;
  for (const LeafLayout& leaf : type->leaves)
    if (!leaf.is_unit) types.push_back(leaf_type(leaf, extents));
  return types;
}

SymbolicValue Leaves::with_leaves(const Representation* type, std::vector<Operand> extents,
                                  const SymbolicArray& array,
                                  const std::function<ValueId(ValueId, ir::Type)>& change) {
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i)
    leaves.push_back(type->leaves[i].is_unit
                         ? SymbolicArray::no_leaf
                         : change(array.leaves[i], leaf_type(type->leaves[i], extents)));
  return code_.make_array(type, std::move(extents), std::move(leaves));
}

SymbolicValue Leaves::unzip(const Value& value) {
  const SymbolicArray& array = *value.array();
  const std::uint32_t rank = array.rank();
  const std::vector<FieldRepresentation>& fields = array.type->array().element->record().fields;
  Value result = Value::record_of_size(fields.size());
  auto extent = array.extents.begin() + rank;
  auto leaf = array.leaves.begin();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Representation* field = fields[i].type;
    std::vector<Operand> extents(array.extents.begin(), array.extents.begin() + rank);
    extents.insert(extents.end(), extent, extent + field->extent_count);
    result.fields()[i] = code_.make_array(code_.representations().array(rank, field),
                                          std::move(extents), {leaf, leaf + field->leaf_count});
    extent += field->extent_count;
    leaf += field->leaf_count;
  }
  return result;
}

SymbolicValue Leaves::numbers(ElementType element, const Operand& extent, ValueId leaf) {
  Representations& table = code_.representations();
  return code_.make_array(table.array(1, table.scalar(element)), {extent}, {leaf});
}

// ---- rebuilding --------------------------------------------------------------------------------

SymbolicValue Leaves::rebuild(const Value& value, const Change& change) {
  switch (value.kind()) {
  case Value::Kind::Nothing:
    return value;
  case Value::Kind::Accumulator:
    code_.refuse(Reason::AccumulatorInWay);
  case Value::Kind::Scalar: {
    if (value.scalar().kind == SymbolicScalar::Kind::None) return value;
    const Operand old = code_.operand(value);
    return Value(
        code_.handle(change(old, is_placeholder(old) ? ir::Type() : builder_.type(old), false)));
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
    return code_.make_array(array.type, std::move(extents), std::move(leaves));
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

// ---- arrays of nothing or of one number --------------------------------------------------------

ir::ValueId Leaves::empty_array(const ir::Type& type) {
  ir::Type empty = type;
  empty.extents[0] = Operand::i64(0);
  return builder_.append_one(ir::ArrayLiteral{}, std::move(empty), code_.span());
}

ir::ValueId Leaves::filled(const ir::Type& type, const Operand& scalar) {
  // From the innermost dimension out.
  ir::Soac soac;
  soac.extent = type.extents[0];
  ir::Type row = type;
  row.extents.erase(row.extents.begin());
  BodyScope scope(code_);
  soac.body.parameters.push_back(builder_.parameter({ElementType::I64, {}}));
  const Operand element = row.is_scalar() ? scalar : Operand(filled(row, scalar));
  soac.body = scope.close({element});
  soac.groups.emplace_back(ir::MapGroup{});
  return builder_.append_one(std::move(soac), type, code_.span());
}

std::optional<SymbolicScalar> Leaves::extent(const SymbolicArray& array,
                                             std::span<const std::uint32_t> fields,
                                             std::uint32_t dimension) {
  // Through the element type: which of the representation's extents is meant?
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
  return code_.handle(array.extents[at + dimension]);
}

std::optional<SymbolicScalar>
Leaves::extent(const Value& value, std::span<const std::uint32_t> fields, std::uint32_t dimension) {
  if (value.is_array()) return extent(*value.array(), fields, dimension);
  if (fields.empty()) return std::nullopt;
  if (value.kind() == Value::Kind::Record)
    return extent(value.fields()[fields[0]], fields.subspan(1), dimension);
  if (value.kind() != Value::Kind::Sum || fields.size() < 2) return std::nullopt;
  if (code_.decided(code_.has_tag(value, fields[0])) == false) return std::nullopt;
  return extent(payload(value, fields[0])[fields[1]], fields.subspan(2), dimension);
}

} // namespace sinter::jit
