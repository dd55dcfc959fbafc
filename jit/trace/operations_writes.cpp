// Array operations: writes by index.
#include "jit/trace/operations.h"

#include <algorithm>

namespace sinter::jit {

/// The i64 of an index: one, or a tuple of them.
std::vector<ir::Operand> Operations::index_list(const Value& index, std::size_t dimensions) {
  if (dimensions == 1) return {code_.operand(index)};
  std::vector<Operand> result;
  for (const Value& part : index.fields())
    result.push_back(code_.operand(part));
  return result;
}

// ---- scatter -----------------------------------------------------------------------------------

SymbolicValue Operations::apply_Scatter(std::span<Value> arguments, std::size_t dimensions,
                                        SymbolicSite&) {
  const SymbolicArray& target = *arguments[0].array();
  const auto count = static_cast<std::uint32_t>(dimensions);
  const Representation* element = indexed(code_.representations(), target.type, count);
  const auto inner = std::span<const Operand>(target.extents).subspan(dimensions);
  std::span<const Value> sources = arguments.subspan(1, 2);
  ir::Soac soac;
  soac.extent = soacs_.common_length(sources);
  {
    BodyScope scope(code_);
    Elements elements = soacs_.open_elements(sources, soac.extent);
    const std::vector<Operand> indices = index_list(elements.values[0], dimensions);
    std::vector<Operand> results;
    for (const Operand& leaf : leaves_.fit(elements.values[1], element, inner)) {
      results.insert(results.end(), indices.begin(), indices.end());
      results.push_back(leaf);
    }
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(std::move(results));
  }
  for (std::size_t i = 0; i < target.leaves.size(); ++i)
    if (!target.type->leaves[i].is_unit)
      soac.groups.emplace_back(ir::ScatterGroup{target.leaves[i], count});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(target.type, target.extents), code_.span());
  return leaves_.array_of(target.type, target.extents, results);
}

// ---- histograms --------------------------------------------------------------------------------

/// Whether any element of the first array is an index of an array of those extents.
ir::Operand Operations::is_any_index(std::span<const Value> sources,
                                     std::span<const Operand> extents) {
  ir::ReduceGroup group;
  group.neutral = {Operand::constant(ElementType::Bool, Scalar::of(false))};
  {
    BodyScope scope(code_);
    const ValueId a = builder_.parameter({ElementType::Bool, {}});
    const ValueId b = builder_.parameter({ElementType::Bool, {}});
    const Operand result = code_.either(a, b);
    group.combine = scope.close({result});
  }
  group.is_commutative = true;
  ir::Soac soac;
  soac.extent = soacs_.common_length(sources);
  {
    BodyScope scope(code_);
    Elements elements = soacs_.open_elements(sources.first(1), soac.extent);
    const std::vector<Operand> indices = index_list(elements.values[0], extents.size());
    Operand result = Operand::constant(ElementType::Bool, Scalar::of(true));
    for (std::size_t d = 0; d < extents.size(); ++d)
      result = code_.both(result, code_.is_index(indices[d], extents[d]));
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close({result});
  }
  soac.groups.emplace_back(std::move(group));
  return builder_.append_one(std::move(soac), {ElementType::Bool, {}}, code_.span());
}

SymbolicValue Operations::apply_Histogram(std::span<Value> arguments, std::size_t dimensions,
                                          SymbolicSite& site) {
  const std::span<const Operand> bins = std::span(arguments[1].array()->extents).first(dimensions);
  return unless_it_fails(
      code_, [&] { return code_.negation(is_any_index(arguments.subspan(4, 2), bins)); },
      [&] { return histogram_that_combines(arguments, dimensions, site); },
      [&] { return arguments[1]; });
}

SymbolicValue Operations::histogram_that_combines(std::span<Value> arguments,
                                                  std::size_t dimensions, SymbolicSite& site) {
  const SymbolicArray& bins = *arguments[1].array();
  const auto count = static_cast<std::uint32_t>(dimensions);
  const Representation* element = indexed(code_.representations(), bins.type, count);
  const std::vector<Operand> inner(bins.extents.begin() + count, bins.extents.end());
  ir::HistogramGroup group;
  group.index_count = count;
  group.neutral = leaves_.fit(arguments[3], element, inner);
  if (group.neutral.empty()) return arguments[1];
  group.combine = soacs_.operator_body(arguments[2], element, inner, site);
  for (std::size_t i = 0; i < bins.leaves.size(); ++i)
    if (!bins.type->leaves[i].is_unit) group.destinations.emplace_back(bins.leaves[i]);
  std::span<const Value> sources = arguments.subspan(4, 2);
  ir::Soac soac;
  soac.extent = soacs_.common_length(sources);
  {
    BodyScope scope(code_);
    Elements elements = soacs_.open_elements(sources, soac.extent);
    std::vector<Operand> results = index_list(elements.values[0], dimensions);
    const std::vector<Operand> leaves = leaves_.fit(elements.values[1], element, inner);
    results.insert(results.end(), leaves.begin(), leaves.end());
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(std::move(results));
  }
  soac.groups.emplace_back(std::move(group));
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(bins.type, bins.extents), code_.span());
  return leaves_.array_of(bins.type, bins.extents, results);
}

// ---- accumulators ------------------------------------------------------------------------------

// An accumulator is used once on each path, as arrays that are updated are; so it is its array (and
// the function that combines, or Nothing), handed from write to write, and a stream is a loop.

SymbolicValue Operations::stream(const Value& function, const Value& elements, const Value& target,
                                 const Value& combine, SymbolicSite& site) {
  Value accumulator = Value::record_of_size(2);
  accumulator.fields()[0] = target;
  accumulator.fields()[1] = combine;
  const SymbolicArray& array = *elements.array();
  const Value result =
      loops_.trace_for(ElementType::I64, Operand::i64(0), array.length(), std::move(accumulator),
                       [&](SymbolicScalar i, Value entered) {
                         std::vector<Value> operands;
                         operands.push_back(std::move(entered));
                         operands.push_back(leaves_.element(array, {code_.operand(i)}));
                         return site.call(function, operands);
                       });
  return result.fields()[0];
}

SymbolicValue Operations::apply_ScatterStream(std::span<Value> arguments, SymbolicSite& site) {
  return stream(arguments[1], arguments[2], arguments[0], Value(), site);
}
SymbolicValue Operations::apply_HistogramStream(std::span<Value> arguments, SymbolicSite& site) {
  return stream(arguments[3], arguments[4], arguments[0], arguments[1], site);
}

SymbolicValue Operations::apply_AccumulatorWrite(std::span<Value> arguments, SymbolicSite& site) {
  const Value old = arguments[0].fields()[0], combine = arguments[0].fields()[1];
  const SymbolicArray& array = *old.array();
  const SymbolicScalar index = arguments[1].scalar();
  const std::vector<Operand> at{code_.operand(index)};
  auto write = [&] {
    Value written = arguments[2];
    if (combine.is_function()) {
      std::vector<Value> operands{leaves_.element(array, at), written};
      written = site.call(combine, operands);
    }
    SymbolicPart part;
    part.index = index;
    return indexing_.update(old, std::span<const SymbolicPart>(&part, 1), written);
  };
  Value result = Value::record_of_size(2);
  result.fields()[0] =
      branches_.branch(code_.is_index(at[0], array.length()), write, [&] { return old; });
  result.fields()[1] = combine;
  return result;
}

} // namespace sinter::jit
