#include "jit/trace/joiner.h"

#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

SymbolicValue Joiner::join(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) code_.refuse(Reason::SidesDiffer);
  switch (a.kind()) {
  case Value::Kind::Nothing:
    return a;
  case Value::Kind::Scalar:
    return join_scalars(a, b);
  case Value::Kind::Array:
    return join_arrays(*a.array(), *b.array());
  case Value::Kind::Record:
    return join_fields(a, b);
  case Value::Kind::Sum:
    return join_sums(a, b);
  case Value::Kind::Function:
    return join_functions(a.function(), b.function());
  case Value::Kind::Accumulator:
    break;
  }
  code_.refuse(Reason::AccumulatorFromBranch);
}

// ---- what both sides have ----------------------------------------------------------------------

ir::Operand Joiner::add(const Operand& then_value, const Operand& else_value, ir::Type type) {
  results_.push_back({then_value, else_value, std::move(type)});
  return ValueId{first_placeholder + static_cast<std::uint32_t>(results_.size() - 1)};
}

ir::Operand Joiner::either(const Operand& then_value, const Operand& else_value, ir::Type type) {
  if (then_value == else_value) return then_value;
  return add(then_value, else_value, std::move(type));
}

SymbolicValue Joiner::join_scalars(const Value& a, const Value& b) {
  const Operand then_value = code_.operand(a), else_value = code_.operand(b);
  return code_.handle(either(then_value, else_value, {element(then_value), {}}));
}

ir::Operand Joiner::join_extents(const Operand& a, const Operand& b) {
  if (code_.sizes().are_equal(a, b))
    for (const Operand& side : {a, b})
      if (!is_inside(side)) return side;
  return add(a, b, {ElementType::I64, {}});
}

SymbolicValue Joiner::join_arrays(const SymbolicArray& a, const SymbolicArray& b) {
  if (a.type != b.type) code_.refuse(Reason::SidesDifferInType);
  std::vector<Operand> extents;
  for (std::size_t i = 0; i < a.extents.size(); ++i)
    extents.push_back(join_extents(a.extents[i], b.extents[i]));
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < a.leaves.size(); ++i) {
    const LeafLayout& leaf = a.type->leaves[i];
    if (leaf.is_unit) {
      leaves.push_back(SymbolicArray::no_leaf);
      continue;
    }
    ir::Type type = leaf_type(leaf, extents);
    const bool may_stay = a.leaves[i] == b.leaves[i] &&
                          std::none_of(type.extents.begin(), type.extents.end(), is_placeholder);
    leaves.push_back(may_stay ? a.leaves[i]
                              : add(a.leaves[i], b.leaves[i], std::move(type)).value());
  }
  return code_.make_array(a.type, std::move(extents), std::move(leaves));
}

SymbolicValue Joiner::join_fields(const Value& a, const Value& b) {
  Value result = a.kind() == Value::Kind::Record ? Value::record_of_size(a.fields().size())
                                                 : Value::sum_of_size(a.tag(), a.fields().size());
  for (std::size_t i = 0; i < a.fields().size(); ++i)
    result.fields()[i] = join(a.fields()[i], b.fields()[i]);
  return result;
}

ir::Operand Joiner::tag_of(const Value& sum) const {
  if (is_open(sum)) return code_.operand(sum.fields()[0]);
  return Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(sum.tag())));
}

SymbolicValue Joiner::join_sums(const Value& a, const Value& b) {
  if (!is_open(a) && !is_open(b) && a.tag() == b.tag()) return join_fields(a, b);
  const std::uint32_t count = std::max(alternatives(a), alternatives(b));
  if (count > 256) code_.refuse(Reason::ManyConstructors);
  Value result = open_sum(code_.handle(either(tag_of(a), tag_of(b), {ElementType::U8, {}})), count);
  for (std::uint32_t tag = 0; tag < count; ++tag) {
    const Value then_payload = alternative(a, tag), else_payload = alternative(b, tag);
    const bool in_then = is_there(then_payload), in_else = is_there(else_payload);
    if (in_then && in_else)
      result.fields()[1 + tag] = join(then_payload, else_payload);
    else if (in_then || in_else)
      result.fields()[1 + tag] = one_side(in_then ? then_payload : else_payload, in_then);
  }
  return result;
}

SymbolicValue Joiner::join_functions(const FunctionObject<Symbolic>& a,
                                     const FunctionObject<Symbolic>& b) {
  if (a.function != b.function || a.arguments.size() != b.arguments.size())
    code_.refuse(Reason::FunctionsChosen);
  std::vector<Value> captures, arguments;
  for (std::size_t i = 0; i < a.captures.size(); ++i)
    captures.push_back(join(a.captures[i], b.captures[i]));
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    arguments.push_back(join(a.arguments[i], b.arguments[i]));
  return Value::function(a.function, std::move(captures), std::move(arguments));
}

// ---- what one side has -------------------------------------------------------------------------

ir::Operand Joiner::give(const Operand& one, const Operand& other, ir::Type type, bool is_then) {
  return is_then ? add(one, other, std::move(type)) : add(other, one, std::move(type));
}

SymbolicValue Joiner::one_array(const SymbolicArray& array, bool is_then) {
  const bool stays = std::ranges::none_of(
                         array.extents, [&](const Operand& extent) { return is_inside(extent); }) &&
                     std::ranges::none_of(array.leaves, [&](ValueId leaf) {
                       return leaf != SymbolicArray::no_leaf && is_inside(leaf);
                     });
  if (stays) return code_.make_array(array.type, array.extents, array.leaves);
  const std::vector<Operand> none(array.extents.size(), Operand::i64(0));
  std::vector<Operand> extents;
  for (const Operand& extent : array.extents)
    extents.push_back(give(extent, Operand::i64(0), {ElementType::I64, {}}, is_then));
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i) {
    const LeafLayout& leaf = array.type->leaves[i];
    leaves.push_back(leaf.is_unit
                         ? SymbolicArray::no_leaf
                         : give(array.leaves[i], leaves_.empty_array(leaf_type(leaf, none)),
                                leaf_type(leaf, extents), is_then)
                               .value());
  }
  return code_.make_array(array.type, std::move(extents), std::move(leaves));
}

SymbolicValue Joiner::one_side(const Value& value, bool is_then) {
  switch (value.kind()) {
  case Value::Kind::Nothing:
    return value;
  case Value::Kind::Scalar: {
    const Operand operand = code_.operand(value);
    if (!is_inside(operand)) return value;
    const ElementType type = element(operand);
    return code_.handle(give(operand, Operand::constant(type, {}), {type, {}}, is_then));
  }
  case Value::Kind::Array:
    return one_array(*value.array(), is_then);
  case Value::Kind::Record:
  case Value::Kind::Sum: {
    Value result = value.kind() == Value::Kind::Record
                       ? Value::record_of_size(value.fields().size())
                       : Value::sum_of_size(value.tag(), value.fields().size());
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      result.fields()[i] = one_side(value.fields()[i], is_then);
    return result;
  }
  case Value::Kind::Function: {
    const FunctionObject<Symbolic>& object = value.function();
    std::vector<Value> captures, arguments;
    for (const Value& capture : object.captures)
      captures.push_back(one_side(capture, is_then));
    for (const Value& argument : object.arguments)
      arguments.push_back(one_side(argument, is_then));
    return Value::function(object.function, std::move(captures), std::move(arguments));
  }
  case Value::Kind::Accumulator:
    break;
  }
  code_.refuse(Reason::AccumulatorFromBranch);
}

} // namespace sinter::jit
