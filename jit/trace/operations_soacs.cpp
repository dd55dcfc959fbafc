// Array operations: functions applied to elements.
#include "jit/trace/operations.h"

#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

SymbolicValue Operations::apply_Map(std::span<Value> arguments, std::size_t, SymbolicSite& site) {
  std::span<const Value> arrays = arguments.subspan(1);
  std::vector<std::optional<Operand>> inner(site.type()->extent_count - 1);
  if (!inner.empty()) {
    const std::vector<std::optional<Operand>> all = code_.named_extents(site);
    std::copy(all.begin() + 1, all.end(), inner.begin());
  }
  const Operand extent = soacs_.common_length(arrays);
  return soacs_.unless_all_fail(
      extent,
      [&] {
        return soacs_.map_elements(extent, arrays, site.type(), inner, [&](Elements& elements) {
          return site.call(arguments[0], elements.values);
        });
      },
      [&] { return soacs_.without_elements(site.type(), inner); });
}

SymbolicValue Operations::reduce(std::span<Value> arguments, bool is_commutative,
                                 SymbolicSite& site) {
  const SymbolicArray& array = *arguments[2].array();
  const Representation* element = indexed(code_.representations(), array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::ReduceGroup group;
  group.neutral = leaves_.fit(arguments[1], element, inner);
  if (group.neutral.empty()) return arguments[1];
  group.combine = soacs_.operator_body(arguments[0], element, inner, site);
  group.is_commutative = is_commutative;
  ir::Soac soac = soacs_.over_elements(arguments[2]);
  soac.groups.emplace_back(std::move(group));
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(element, inner), code_.span());
  return leaves_.from_results(element, inner, results);
}

SymbolicValue Operations::apply_Reduce(std::span<Value> arguments, SymbolicSite& site) {
  return soacs_.unless_all_fail(
      arguments[2].array()->length(), [&] { return reduce(arguments, false, site); },
      [&] { return arguments[1]; });
}

SymbolicValue Operations::apply_ReduceCommutative(std::span<Value> arguments, SymbolicSite& site) {
  return soacs_.unless_all_fail(
      arguments[2].array()->length(), [&] { return reduce(arguments, true, site); },
      [&] { return arguments[1]; });
}

SymbolicValue Operations::apply_Scan(std::span<Value> arguments, SymbolicSite& site) {
  return soacs_.unless_all_fail(
      arguments[2].array()->length(), [&] { return scan(arguments, site); },
      [&] { return arguments[2]; });
}

SymbolicValue Operations::scan(std::span<Value> arguments, SymbolicSite& site) {
  const SymbolicArray& array = *arguments[2].array();
  const Representation* element = indexed(code_.representations(), array.type, 1);
  const std::vector<Operand> inner(array.extents.begin() + 1, array.extents.end());
  ir::ScanGroup group;
  group.neutral = leaves_.fit(arguments[1], element, inner);
  if (group.neutral.empty()) return arguments[2];
  group.combine = soacs_.operator_body(arguments[0], element, inner, site);
  ir::Soac soac = soacs_.over_elements(arguments[2]);
  soac.groups.emplace_back(std::move(group));
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(array.type, array.extents), code_.span());
  return leaves_.array_of(array.type, array.extents, results);
}

SymbolicValue Operations::apply_Filter(std::span<Value> arguments, SymbolicSite& site) {
  return soacs_.unless_all_fail(
      arguments[1].array()->length(),
      [&] {
        return soacs_.filter(arguments.subspan(1, 1), 0, [&](std::span<Value> elements) {
          return code_.operand(site.call(arguments[0], elements));
        });
      },
      [&] { return arguments[1]; });
}

SymbolicValue Operations::apply_Partition(std::span<Value> arguments, SymbolicSite& site) {
  return soacs_.unless_all_fail(
      arguments[2].array()->length(), [&] { return partition(arguments, site); },
      [&] {
        const Operand classes = code_.to_i64(code_.operand(arguments[0]));
        Value result = Value::record_of_size(2);
        result.fields()[0] = arguments[2];
        result.fields()[1] =
            leaves_.numbers(ElementType::I64, classes,
                            leaves_.filled({ElementType::I64, {classes}}, Operand::i64(0)));
        return result;
      });
}

/// The class of each element.
SymbolicValue Operations::classes_of(const Value& array, const Value& function,
                                     std::int64_t classes, SymbolicSite& site) {
  ir::Soac soac;
  soac.extent = array.array()->length();
  {
    BodyScope scope(code_);
    Elements elements = soacs_.open_elements(std::span<const Value>(&array, 1), soac.extent);
    const Operand chosen = code_.operand(site.call(function, elements.values));
    code_.check(code_.both(code_.binary(Operation::LessEqual, Operand::i64(0), chosen),
                           code_.binary(Operation::Less, chosen, Operand::i64(classes))),
                "index-out-of-bounds",
                "partition: class ? is not among the " + std::to_string(classes) + " classes");
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close({chosen});
  }
  soac.groups.emplace_back(ir::MapGroup{});
  const Operand extent = soac.extent;
  return leaves_.numbers(
      ElementType::I64, extent,
      builder_.append_one(std::move(soac), {ElementType::I64, {extent}}, code_.span()));
}

/// A filter for each class, joined.
SymbolicValue Operations::partition(std::span<Value> arguments, SymbolicSite& site) {
  constexpr std::int64_t most_classes = 8;
  const Operand wanted = code_.to_i64(code_.operand(arguments[0]));
  const std::int64_t classes = wanted.is_constant() ? wanted.scalar().as<std::int64_t>() : 0;
  if (classes < 1 || classes > most_classes) code_.refuse(Reason::ManyClasses);
  const SymbolicArray& source = *arguments[2].array();
  const std::vector<Value> arrays = {classes_of(arguments[2], arguments[1], classes, site),
                                     arguments[2]};
  std::vector<Value> parts;
  std::vector<Operand> sizes;
  for (std::int64_t c = 0; c < classes; ++c) {
    parts.push_back(soacs_.filter(arrays, 1, [&](std::span<Value> elements) {
      return code_.binary(Operation::Equal, code_.operand(elements[0]), Operand::i64(c));
    }));
    sizes.push_back(parts.back().array()->length());
  }
  std::size_t leaf = 0;
  const auto joined = [&](ValueId whole, ir::Type type) {
    while (source.leaves[leaf] != whole)
      ++leaf;
    ir::Concat concat;
    for (const Value& part : parts)
      concat.arrays.push_back(part.array()->leaves[leaf]);
    ++leaf;
    return builder_.append_one(std::move(concat), std::move(type), code_.span());
  };
  Value result = Value::record_of_size(2);
  result.fields()[0] = leaves_.with_leaves(source.type, source.extents, source, joined);
  const Operand count = Operand::i64(classes);
  result.fields()[1] = leaves_.numbers(
      ElementType::I64, count,
      builder_.append_one(ir::ArrayLiteral{sizes}, {ElementType::I64, {count}}, code_.span()));
  return result;
}

} // namespace sinter::jit
