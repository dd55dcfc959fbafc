// Symbolic arrays: functions of the program applied to elements.
#include "jit/trace/replay.h"
#include "jit/trace/symbolic_domain.h"

#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

// ---- elements ----------------------------------------------------------------------------------

ir::Operand SymbolicDomain::common_length(std::span<const Value> arrays) {
  const Operand first = arrays.front().array()->length();
  for (const Value& array : arrays.subspan(1)) {
    const Operand other = array.array()->length();
    check(same_size(first, other), "shape-mismatch",
          "arrays of different lengths: " + text(ElementType::I64, handle(first)) + " and " +
              text(ElementType::I64, handle(other)));
  }
  return first;
}

ir::Operand SymbolicDomain::element_parameter(ValueId leaf, const Operand& index,
                                              Elements& elements,
                                              std::map<std::uint32_t, Operand>& known) {
  ir::Type type = builder_.type(leaf);
  if (auto pattern = patterns_.find(leaf.index); pattern != patterns_.end() && type.rank() == 1)
    return pattern->second.is_iota ? index : pattern->second.uniform;
  if (auto found = known.find(leaf.index); found != known.end()) return found->second;
  type.extents.erase(type.extents.begin());
  elements.inputs.push_back(leaf);
  const Operand parameter = builder_.parameter(std::move(type));
  known.emplace(leaf.index, parameter);
  return parameter;
}

/// In the body of a SOAC that has just been opened.
SymbolicDomain::Elements SymbolicDomain::open_elements(std::span<const Value> arrays,
                                                       const Operand& extent) {
  Elements elements;
  const ValueId index = builder_.parameter({ElementType::I64, {}});
  elements.index = index;
  index_bounds_.insert_or_assign(index.index, extent);
  std::map<std::uint32_t, Operand> known;
  for (const Value& value : arrays) {
    const SymbolicArray& array = *value.array();
    std::vector<Operand> leaves;
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      leaves.push_back(array.type->leaves[i].is_unit
                           ? Operand::constant(ElementType::Bool, {})
                           : element_parameter(array.leaves[i], index, elements, known));
    elements.values.push_back(unflatten(indexed(representations_, array.type, 1),
                                        std::span<const Operand>(array.extents).subspan(1),
                                        leaves));
  }
  return elements;
}

std::vector<ir::Operand> SymbolicDomain::fit(const Value& value, const Representation* type,
                                             std::span<const Operand> extents) {
  const Parts parts = flatten(value, type);
  const std::vector<Operand> wanted(extents.begin(), extents.end());
  std::vector<Operand> result;
  for (std::size_t i = 0; i < parts.leaves.size(); ++i)
    if (!type->leaves[i].is_unit)
      result.push_back(with_extents(parts.leaves[i], leaf_type(type->leaves[i], wanted)));
  return result;
}

SymbolicValue SymbolicDomain::array_of(const Representation* type, std::vector<Operand> extents,
                                       std::span<const ValueId> results) {
  std::vector<ValueId> leaves;
  std::size_t next = 0;
  for (const LeafLayout& leaf : type->leaves)
    leaves.push_back(leaf.is_unit ? SymbolicArray::no_leaf : results[next++]);
  return make_array(type, std::move(extents), std::move(leaves));
}

std::vector<ir::Type> SymbolicDomain::leaf_types(const Representation* type,
                                                 const std::vector<Operand>& extents) {
  std::vector<ir::Type> types;
  for (const LeafLayout& leaf : type->leaves)
    if (!leaf.is_unit) types.push_back(leaf_type(leaf, extents));
  return types;
}

SymbolicValue SymbolicDomain::map_elements(const Operand& extent, std::span<const Value> arrays,
                                           const Representation* type,
                                           const std::vector<std::optional<Operand>>& known,
                                           const std::function<Value(Elements&)>& function) {
  limit_statements();
  const Representation* element = indexed(representations_, type, 1);
  ir::Soac soac;
  soac.extent = extent;
  std::vector<Operand> extents{extent};
  std::vector<std::size_t> computed; // extents that the body computes
  {
    BodyScope scope(*this);
    Elements elements = open_elements(arrays, extent);
    const Parts parts = flatten(function(elements), element);
    std::vector<Operand> inner;
    for (std::size_t i = 0; i < known.size(); ++i) {
      inner.push_back(known[i] ? *known[i] : name_outside(parts.extents[i]));
      if (inner[i].is_value() && builder_.is_defined_within(inner[i].value(), 1))
        computed.push_back(1 + i);
    }
    std::vector<Operand> results;
    for (std::size_t i = 0; i < parts.leaves.size(); ++i)
      if (!element->leaves[i].is_unit)
        results.push_back(with_extents(parts.leaves[i], leaf_type(element->leaves[i], inner)));
    soac.groups.assign(results.size(), ir::MapGroup{});
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(std::move(results));
    extents.insert(extents.end(), inner.begin(), inner.end());
  }
  compute_outside(soac.body, computed, extents);
  std::vector<ValueId> made = builder_.append(std::move(soac), leaf_types(type, extents), span_);
  // Where there is no element, a size without a name is 0, whatever it would have been.
  const Operand is_empty = same_size(extent, Operand::i64(0));
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!known[i]) extents[i + 1] = select(is_empty, Operand::i64(0), extents[i + 1]);
  const std::vector<ir::Type> types = leaf_types(type, extents);
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = with_extents(made[i], types[i]).value();
  return array_of(type, std::move(extents), made);
}

void SymbolicDomain::compute_outside(const ir::Body& body, std::span<const std::size_t> which,
                                     std::vector<Operand>& sizes) {
  if (which.empty()) return;
  Replay outside(builder_, Replay::Reads::No);
  outside.add(body);
  for (const std::size_t i : which) {
    const std::optional<Operand> size = outside(sizes[i]);
    if (!size) refuse("an irregular array: the sizes of its elements may differ");
    check_extent(*size); // where there is no element, nothing else has looked at it
    builder_.rename(sizes[i].value(), *size);
    sizes[i] = *size;
  }
}

SymbolicValue SymbolicDomain::unless_it_fails(const std::function<Operand()>& never_runs,
                                              const std::function<Value()>& trace,
                                              const std::function<Value()>& without) {
  try {
    return trace();
  } catch (const RuntimeError& error) {
    if (error.kind != FailureKind::Program) throw;
    check(never_runs(), failure_site(error));
  }
  return without();
}

/// What `trace` makes of elements.  Where each of them fails, there is a check that there is none,
/// and the result is what is left then.
SymbolicValue SymbolicDomain::unless_all_fail(const Operand& extent,
                                              const std::function<Value()>& trace,
                                              const std::function<Value()>& without_elements) {
  return unless_it_fails([&] { return same_size(extent, Operand::i64(0)); }, trace,
                         without_elements);
}

SymbolicValue SymbolicDomain::without_elements(const Representation* type,
                                               const std::vector<std::optional<Operand>>& inner) {
  std::vector<Operand> extents{Operand::i64(0)};
  for (const std::optional<Operand>& extent : inner)
    extents.push_back(extent.value_or(Operand::i64(0)));
  std::vector<ValueId> leaves;
  for (const ir::Type& leaf : leaf_types(type, extents))
    leaves.push_back(empty_array(leaf));
  return array_of(type, std::move(extents), leaves);
}

// ---- map ---------------------------------------------------------------------------------------

SymbolicValue SymbolicDomain::map(std::span<Value> arguments, SymbolicSite& site) {
  std::span<const Value> arrays = arguments.subspan(1);
  std::vector<std::optional<Operand>> inner(site.type()->extent_count - 1);
  if (!inner.empty()) {
    const std::vector<std::optional<Operand>> all = named_extents(site);
    std::copy(all.begin() + 1, all.end(), inner.begin());
  }
  const Operand extent = common_length(arrays);
  return unless_all_fail(
      extent,
      [&] {
        return map_elements(extent, arrays, site.type(), inner, [&](Elements& elements) {
          return site.call(arguments[0], elements.values);
        });
      },
      [&] { return without_elements(site.type(), inner); });
}

SymbolicValue SymbolicDomain::apply_Map(std::span<Value> arguments, SymbolicSite& site) {
  return map(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Map2(std::span<Value> arguments, SymbolicSite& site) {
  return map(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Map3(std::span<Value> arguments, SymbolicSite& site) {
  return map(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Map4(std::span<Value> arguments, SymbolicSite& site) {
  return map(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Map5(std::span<Value> arguments, SymbolicSite& site) {
  return map(arguments, site);
}

SymbolicValue SymbolicDomain::tabulate(const Operand& extent, ElementType element,
                                       const std::function<Operand(const Operand&)>& at) {
  ir::Soac soac;
  BodyScope scope(*this);
  const ValueId index = builder_.parameter({ElementType::I64, {}});
  index_bounds_.insert_or_assign(index.index, extent);
  const Operand result = at(index);
  soac.body = scope.close({result});
  soac.extent = extent;
  soac.groups.emplace_back(ir::MapGroup{});
  const ValueId made = builder_.append_one(std::move(soac), {element, {extent}}, span_);
  return make_array(representations_.array(1, representations_.scalar(element)), {extent}, {made});
}

// ---- reductions and scans ----------------------------------------------------------------------

ir::Body SymbolicDomain::operator_body(const Value& function, const Representation* element,
                                       const std::vector<Operand>& extents, SymbolicSite& site) {
  BodyScope scope(*this);
  auto side = [&] {
    std::vector<Operand> leaves;
    for (const LeafLayout& leaf : element->leaves)
      leaves.push_back(leaf.is_unit ? Operand::constant(ElementType::Bool, {})
                                    : Operand(builder_.parameter(leaf_type(leaf, extents))));
    return unflatten(element, extents, leaves);
  };
  std::vector<Value> operands;
  operands.push_back(side());
  operands.push_back(side());
  std::vector<Operand> results = fit(site.call(function, operands), element, extents);
  return scope.close(std::move(results));
}

SymbolicValue SymbolicDomain::reduce(std::span<Value> arguments, bool is_commutative,
                                     SymbolicSite& site) {
  const SymbolicArray& array = *arguments[2].array();
  const Representation* element = indexed(representations_, array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::ReduceGroup group;
  group.neutral = fit(arguments[1], element, inner);
  if (group.neutral.empty()) return arguments[1];
  group.combine = operator_body(arguments[0], element, inner, site);
  group.is_commutative = is_commutative;
  ir::Soac soac;
  soac.extent = array.length();
  {
    BodyScope scope(*this);
    Elements elements = open_elements(arguments.subspan(2, 1), soac.extent);
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(fit(elements.values[0], element, inner));
  }
  soac.groups.emplace_back(std::move(group));
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), leaf_types(element, inner), span_);
  std::vector<Operand> leaves;
  std::size_t next = 0;
  for (const LeafLayout& leaf : element->leaves)
    leaves.push_back(leaf.is_unit ? Operand::constant(ElementType::Bool, {})
                                  : Operand(results[next++]));
  return unflatten(element, inner, leaves);
}

SymbolicValue SymbolicDomain::apply_Reduce(std::span<Value> arguments, SymbolicSite& site) {
  return unless_all_fail(
      arguments[2].array()->length(), [&] { return reduce(arguments, false, site); },
      [&] { return arguments[1]; });
}
SymbolicValue SymbolicDomain::apply_ReduceCommutative(std::span<Value> arguments,
                                                      SymbolicSite& site) {
  return unless_all_fail(
      arguments[2].array()->length(), [&] { return reduce(arguments, true, site); },
      [&] { return arguments[1]; });
}

SymbolicValue SymbolicDomain::apply_Scan(std::span<Value> arguments, SymbolicSite& site) {
  return unless_all_fail(
      arguments[2].array()->length(), [&] { return scan(arguments, site); },
      [&] { return arguments[2]; });
}

SymbolicValue SymbolicDomain::scan(std::span<Value> arguments, SymbolicSite& site) {
  const SymbolicArray& array = *arguments[2].array();
  const Representation* element = indexed(representations_, array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::ScanGroup group;
  group.neutral = fit(arguments[1], element, inner);
  if (group.neutral.empty()) return arguments[2];
  group.combine = operator_body(arguments[0], element, inner, site);
  ir::Soac soac;
  soac.extent = array.length();
  {
    BodyScope scope(*this);
    Elements elements = open_elements(arguments.subspan(2, 1), soac.extent);
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(fit(elements.values[0], element, inner));
  }
  soac.groups.emplace_back(std::move(group));
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), leaf_types(array.type, array.extents), span_);
  return array_of(array.type, array.extents, results);
}

// ---- selection ---------------------------------------------------------------------------------

SymbolicValue SymbolicDomain::filter(std::span<const Value> arrays, std::size_t kept,
                                     const std::function<Operand(std::span<Value>)>& predicate) {
  const SymbolicArray& array = *arrays[kept].array();
  const Representation* element = indexed(representations_, array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::Soac soac;
  soac.extent = arrays.front().array()->length();
  {
    BodyScope scope(*this);
    Elements elements = open_elements(arrays, soac.extent);
    const Value value = elements.values[kept];
    std::vector<Operand> results{predicate(elements.values)};
    std::vector<Operand> leaves = fit(value, element, inner);
    results.insert(results.end(), leaves.begin(), leaves.end());
    soac.inputs = std::move(elements.inputs);
    soac.groups.emplace_back(ir::FilterGroup{static_cast<std::uint32_t>(leaves.size())});
    soac.body = scope.close(std::move(results));
  }
  std::vector<Operand> extents = array.extents;
  const std::size_t count = soac.body.results.size();
  const std::vector<ValueId> results = builder_.append_dependent(
      std::move(soac), count,
      [&](std::size_t i, std::span<const ValueId> all) -> ir::Type {
        if (i == 0) return {ElementType::I64, {}};
        extents[0] = all[0];
        return leaf_types(array.type, extents)[i - 1];
      },
      span_);
  extents[0] = results[0];
  return array_of(array.type, std::move(extents), std::span(results).subspan(1));
}

SymbolicValue SymbolicDomain::apply_Filter(std::span<Value> arguments, SymbolicSite& site) {
  return unless_all_fail(
      arguments[1].array()->length(),
      [&] {
        return filter(arguments.subspan(1, 1), 0, [&](std::span<Value> elements) {
          return operand(site.call(arguments[0], elements));
        });
      },
      [&] { return arguments[1]; });
}

SymbolicValue SymbolicDomain::apply_Partition(std::span<Value> arguments, SymbolicSite& site) {
  return unless_all_fail(
      arguments[2].array()->length(), [&] { return partition(arguments, site); },
      [&] {
        const Operand classes = to_i64(operand(arguments[0]));
        Value result = Value::record_of_size(2);
        result.fields()[0] = arguments[2];
        result.fields()[1] =
            make_array(representations_.array(1, representations_.scalar(ElementType::I64)),
                       {classes}, {filled({ElementType::I64, {classes}}, Operand::i64(0))});
        return result;
      });
}

/// A filter for each class, joined.
SymbolicValue SymbolicDomain::partition(std::span<Value> arguments, SymbolicSite& site) {
  constexpr std::int64_t most_classes = 8;
  const Operand wanted = to_i64(operand(arguments[0]));
  const std::int64_t classes = wanted.is_constant() ? wanted.scalar().as<std::int64_t>() : 0;
  if (classes < 1 || classes > most_classes)
    refuse("a partition into a number of classes that is not known to be small");
  const Value& array = arguments[2];
  // The class of each element.
  ir::Soac soac;
  soac.extent = array.array()->length();
  {
    BodyScope scope(*this);
    Elements elements = open_elements(std::span<const Value>(&array, 1), soac.extent);
    const Operand chosen = operand(site.call(arguments[1], elements.values));
    check(both(binary(Operation::LessEqual, Operand::i64(0), chosen),
               binary(Operation::Less, chosen, Operand::i64(classes))),
          "index-out-of-bounds",
          "partition: class ? is not among the " + std::to_string(classes) + " classes");
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close({chosen});
  }
  soac.groups.emplace_back(ir::MapGroup{});
  const Operand extent = soac.extent;
  const ValueId chosen = builder_.append_one(std::move(soac), {ElementType::I64, {extent}}, span_);
  const std::vector<Value> arrays = {
      make_array(representations_.array(1, representations_.scalar(ElementType::I64)), {extent},
                 {chosen}),
      array};

  std::vector<Value> parts;
  std::vector<Operand> sizes;
  for (std::int64_t c = 0; c < classes; ++c) {
    parts.push_back(filter(arrays, 1, [&](std::span<Value> elements) {
      return binary(Operation::Equal, operand(elements[0]), Operand::i64(c));
    }));
    sizes.push_back(parts.back().array()->length());
  }
  const SymbolicArray& source = *array.array();
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < source.leaves.size(); ++i) {
    if (source.type->leaves[i].is_unit) {
      leaves.push_back(SymbolicArray::no_leaf);
      continue;
    }
    ir::Concat concat;
    for (const Value& part : parts)
      concat.arrays.push_back(part.array()->leaves[i]);
    leaves.push_back(
        builder_.append_one(std::move(concat), builder_.type(source.leaves[i]), span_));
  }
  Value result = Value::record_of_size(2);
  result.fields()[0] = make_array(source.type, source.extents, std::move(leaves));
  const ValueId counts = builder_.append_one(ir::ArrayLiteral{sizes},
                                             {ElementType::I64, {Operand::i64(classes)}}, span_);
  result.fields()[1] =
      make_array(representations_.array(1, representations_.scalar(ElementType::I64)),
                 {Operand::i64(classes)}, {counts});
  return result;
}

} // namespace sinter::jit
