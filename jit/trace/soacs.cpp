#include "jit/trace/soacs.h"

#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

// ---- elements ----------------------------------------------------------------------------------

ir::Operand Soacs::common_length(std::span<const Value> arrays) {
  const Operand first = arrays.front().array()->length();
  for (const Value& array : arrays.subspan(1)) {
    const Operand other = array.array()->length();
    code_.check(
        code_.same_size(first, other), "shape-mismatch",
        "arrays of different lengths: " + code_.text(ElementType::I64, code_.handle(first)) +
            " and " + code_.text(ElementType::I64, code_.handle(other)));
  }
  return first;
}

ir::Operand Soacs::element_parameter(ValueId leaf, const Operand& index, Elements& elements,
                                     std::map<std::uint32_t, Operand>& known) {
  ir::Type type = builder_.type(leaf);
  if (const Pattern* pattern = leaves_.pattern(leaf); pattern && type.rank() == 1)
    return pattern->is_iota ? index : pattern->uniform;
  if (auto found = known.find(leaf.index); found != known.end()) return found->second;
  type.extents.erase(type.extents.begin());
  elements.inputs.push_back(leaf);
  const Operand parameter = builder_.parameter(std::move(type));
  known.emplace(leaf.index, parameter);
  return parameter;
}

/// In the body of a SOAC that has just been opened.
Elements Soacs::open_elements(std::span<const Value> arrays, const Operand& extent) {
  Elements elements;
  const ValueId index = builder_.parameter({ElementType::I64, {}});
  elements.index = index;
  code_.note_index(index, extent);
  std::map<std::uint32_t, Operand> known;
  for (const Value& value : arrays) {
    const SymbolicArray& array = *value.array();
    std::vector<Operand> leaves;
    for (std::size_t i = 0; i < array.leaves.size(); ++i)
      leaves.push_back(array.type->leaves[i].is_unit
                           ? Operand::constant(ElementType::Bool, {})
                           : element_parameter(array.leaves[i], index, elements, known));
    elements.values.push_back(leaves_.unflatten(indexed(code_.representations(), array.type, 1),
                                                std::span<const Operand>(array.extents).subspan(1),
                                                leaves));
  }
  return elements;
}

ir::Soac Soacs::over_elements(const Value& value) {
  const SymbolicArray& array = *value.array();
  const Representation* element = indexed(code_.representations(), array.type, 1);
  ir::Soac soac;
  soac.extent = array.length();
  BodyScope scope(code_);
  Elements elements = open_elements(std::span(&value, 1), soac.extent);
  soac.inputs = std::move(elements.inputs);
  soac.body = scope.close(
      leaves_.fit(elements.values[0], element, std::span<const Operand>(array.extents).subspan(1)));
  return soac;
}

SymbolicValue Soacs::map_elements(const Operand& extent, std::span<const Value> arrays,
                                  const Representation* type,
                                  const std::vector<std::optional<Operand>>& known,
                                  const std::function<Value(Elements&)>& function) {
  code_.limit_statements();
  const Representation* element = indexed(code_.representations(), type, 1);
  ir::Soac soac;
  soac.extent = extent;
  std::vector<Operand> extents{extent};
  std::vector<std::size_t> computed; // extents that the body computes
  {
    BodyScope scope(code_);
    Elements elements = open_elements(arrays, extent);
    const Parts parts = leaves_.flatten(function(elements), element);
    std::vector<Operand> inner;
    for (std::size_t i = 0; i < known.size(); ++i) {
      inner.push_back(known[i] ? *known[i] : code_.name_outside(parts.extents[i]));
      if (inner[i].is_value() && builder_.is_defined_within(inner[i].value(), 1))
        computed.push_back(1 + i);
    }
    std::vector<Operand> results;
    for (std::size_t i = 0; i < parts.leaves.size(); ++i)
      if (!element->leaves[i].is_unit)
        results.push_back(
            leaves_.with_extents(parts.leaves[i], leaf_type(element->leaves[i], inner)));
    soac.groups.assign(results.size(), ir::MapGroup{});
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(std::move(results));
    extents.insert(extents.end(), inner.begin(), inner.end());
  }
  code_.compute_outside(soac.body, computed, extents);
  std::vector<ValueId> made =
      builder_.append(std::move(soac), Leaves::types(type, extents), code_.span());
  // Where there is no element, a size without a name is 0, whatever it would have been.
  const Operand is_empty = code_.same_size(extent, Operand::i64(0));
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!known[i]) extents[i + 1] = code_.select(is_empty, Operand::i64(0), extents[i + 1]);
  const std::vector<ir::Type> types = Leaves::types(type, extents);
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = leaves_.with_extents(made[i], types[i]).value();
  return leaves_.array_of(type, std::move(extents), made);
}

/// What `trace` makes of elements.  Where each of them fails, there is a check that there is none,
/// and the result is what is left then.
SymbolicValue Soacs::unless_all_fail(const Operand& extent, const std::function<Value()>& trace,
                                     const std::function<Value()>& without_elements) {
  return unless_it_fails(
      code_, [&] { return code_.same_size(extent, Operand::i64(0)); }, trace, without_elements);
}

SymbolicValue Soacs::without_elements(const Representation* type,
                                      const std::vector<std::optional<Operand>>& inner) {
  std::vector<Operand> extents{Operand::i64(0)};
  for (const std::optional<Operand>& extent : inner)
    extents.push_back(extent.value_or(Operand::i64(0)));
  std::vector<ValueId> leaves;
  for (const ir::Type& leaf : Leaves::types(type, extents))
    leaves.push_back(leaves_.empty_array(leaf));
  return leaves_.array_of(type, std::move(extents), leaves);
}

// ---- map ---------------------------------------------------------------------------------------

SymbolicValue Soacs::tabulate(const Operand& extent, ElementType element,
                              const std::function<Operand(const Operand&)>& at) {
  ir::Soac soac;
  BodyScope scope(code_);
  const ValueId index = builder_.parameter({ElementType::I64, {}});
  code_.note_index(index, extent);
  const Operand result = at(index);
  soac.body = scope.close({result});
  soac.extent = extent;
  soac.groups.emplace_back(ir::MapGroup{});
  const ValueId made = builder_.append_one(std::move(soac), {element, {extent}}, code_.span());
  return leaves_.numbers(element, extent, made);
}

// ---- reductions and scans ----------------------------------------------------------------------

ir::Body Soacs::operator_body(const Value& function, const Representation* element,
                              const std::vector<Operand>& extents, SymbolicSite& site) {
  BodyScope scope(code_);
  auto side = [&] {
    std::vector<Operand> leaves;
    for (const LeafLayout& leaf : element->leaves)
      leaves.push_back(leaf.is_unit ? Operand::constant(ElementType::Bool, {})
                                    : Operand(builder_.parameter(leaf_type(leaf, extents))));
    return leaves_.unflatten(element, extents, leaves);
  };
  std::vector<Value> operands;
  operands.push_back(side());
  operands.push_back(side());
  std::vector<Operand> results = leaves_.fit(site.call(function, operands), element, extents);
  return scope.close(std::move(results));
}

// ---- selection ---------------------------------------------------------------------------------

SymbolicValue Soacs::filter(std::span<const Value> arrays, std::size_t kept,
                            const std::function<Operand(std::span<Value>)>& predicate) {
  const SymbolicArray& array = *arrays[kept].array();
  const Representation* element = indexed(code_.representations(), array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::Soac soac;
  soac.extent = arrays.front().array()->length();
  {
    BodyScope scope(code_);
    Elements elements = open_elements(arrays, soac.extent);
    const Value value = elements.values[kept];
    std::vector<Operand> results{predicate(elements.values)};
    std::vector<Operand> leaves = leaves_.fit(value, element, inner);
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
        return Leaves::types(array.type, extents)[i - 1];
      },
      code_.span());
  extents[0] = results[0];
  return leaves_.array_of(array.type, std::move(extents), std::span(results).subspan(1));
}

} // namespace sinter::jit
