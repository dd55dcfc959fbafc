// Array operations: joining, reshaping, zipping, flat views, comparison.
#include "jit/trace/operations.h"

#include <algorithm>
#include <numeric>

namespace sinter::jit {

// ---- joining and reshaping ---------------------------------------------------------------------

SymbolicValue Operations::apply_Concat(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray &first = *arguments[0].array(), &second = *arguments[1].array();
  std::vector<Operand> extents = first.extents;
  extents[0] = code_.sum_of_extents(first.extents[0], second.extents[0]);
  std::vector<Operand> second_extents = first.extents;
  second_extents[0] = second.extents[0];
  std::size_t next = 0;
  return leaves_.with_leaves(first.type, extents, first, [&](ValueId leaf, ir::Type type) {
    while (first.type->leaves[next].is_unit)
      ++next;
    const std::size_t i = next++;
    const ValueId other =
        leaves_.with_extents(second.leaves[i], leaf_type(first.type->leaves[i], second_extents))
            .value();
    return builder_.append_one(ir::Concat{{leaf, other}}, std::move(type), code_.span());
  });
}

SymbolicValue Operations::apply_Flatten(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> extents(array.extents.begin() + 1, array.extents.end());
  extents[0] = code_.product_of_extents(array.extents[0], array.extents[1]);
  const Representation* type =
      code_.representations().array(array.rank() - 1, array.type->array().element);
  return leaves_.with_leaves(type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
    return builder_.append_one(ir::Reshape{leaf}, std::move(shape), code_.span());
  });
}

SymbolicValue Operations::apply_Unflatten(std::span<Value> arguments, SymbolicSite&) {
  const Operand rows = code_.operand(arguments[0]), columns = code_.operand(arguments[1]);
  const SymbolicArray& array = *arguments[2].array();
  const Operand zero = Operand::i64(0);
  code_.check(code_.both(code_.both(code_.binary(Operation::LessEqual, zero, rows),
                                    code_.binary(Operation::LessEqual, zero, columns)),
                         code_.both(code_.binary(
                                        Operation::Equal,
                                        code_.binary(Operation::MultiplyHigh, rows, columns), zero),
                                    code_.binary(Operation::Equal,
                                                 code_.binary(Operation::Multiply, rows, columns),
                                                 array.length()))),
              "shape-mismatch",
              "Cannot unflatten array of shape " +
                  indexing_.describe_shape(std::span(array.extents).first(1)) +
                  " to array of shape " + indexing_.describe_shape(std::vector{rows, columns}));
  code_.check_extent(rows); // where there are no elements, one of them may be anything
  code_.check_extent(columns);
  std::vector<Operand> extents{rows, columns};
  extents.insert(extents.end(), array.extents.begin() + 1, array.extents.end());
  const Representation* type =
      code_.representations().array(array.rank() + 1, array.type->array().element);
  return leaves_.with_leaves(type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
    return builder_.append_one(ir::Reshape{leaf}, std::move(shape), code_.span());
  });
}

SymbolicValue Operations::apply_Transpose(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> extents = array.extents;
  std::swap(extents[0], extents[1]);
  return leaves_.with_leaves(
      array.type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
        std::vector<std::uint32_t> permutation(shape.rank());
        std::iota(permutation.begin(), permutation.end(), 0);
        std::swap(permutation[0], permutation[1]);
        return builder_.append_one(ir::Transpose{leaf, std::move(permutation)}, std::move(shape),
                                   code_.span());
      });
}

/// A gather, which fuses with what uses it.
SymbolicValue Operations::apply_Rotate(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[1].array();
  const Operand length = array.length();
  const Operand first = code_.binary(Operation::Modulo, code_.operand(arguments[0]),
                                     code_.binary(Operation::Maximum, length, Operand::i64(1)));
  const Representation* row = indexed(code_.representations(), array.type, 1);
  const auto inner = std::span<const Operand>(array.extents).subspan(1);
  ir::Soac soac;
  soac.extent = length;
  {
    BodyScope scope(code_);
    const ValueId i = builder_.parameter({ElementType::I64, {}});
    const Operand sum = code_.binary(Operation::Add, i, first);
    const Operand at = code_.select(code_.binary(Operation::GreaterEqual, sum, length),
                                    code_.binary(Operation::Subtract, sum, length), sum);
    soac.body = scope.close(leaves_.fit(leaves_.element(array, {at}), row, inner));
  }
  soac.groups.assign(soac.body.results.size(), ir::MapGroup{});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(array.type, array.extents), code_.span());
  return leaves_.array_of(array.type, array.extents, results);
}

SymbolicValue Operations::apply_Replicate(std::span<Value> arguments, SymbolicSite& site) {
  const Operand count = code_.operand(arguments[0]);
  code_.check(code_.binary(Operation::GreaterEqual, count, Operand::i64(0)), "invalid-range",
              "Range 0..1..<" + code_.text(ElementType::I64, arguments[0].scalar()) +
                  " is invalid.");
  code_.check_extent(count);
  const Representation* row = indexed(code_.representations(), site.type(), 1);
  const Parts parts = leaves_.flatten(arguments[1], row);
  std::vector<Operand> extents{count};
  extents.insert(extents.end(), parts.extents.begin(), parts.extents.end());
  const std::vector<Operand> leaves = leaves_.fit(arguments[1], row, parts.extents);
  ir::Soac soac;
  soac.extent = count;
  {
    BodyScope scope(code_);
    builder_.parameter({ElementType::I64, {}});
    soac.body = scope.close(leaves);
  }
  soac.groups.assign(leaves.size(), ir::MapGroup{});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(site.type(), extents), code_.span());
  for (std::size_t i = 0; i < results.size(); ++i)
    if (builder_.type(leaves[i]).is_scalar())
      leaves_.note_pattern(results[i], Pattern{false, leaves[i]});
  return leaves_.array_of(site.type(), std::move(extents), results);
}

SymbolicValue Operations::apply_Manifest(std::span<Value> arguments, SymbolicSite&) {
  if (!arguments[0].is_array()) return arguments[0];
  const SymbolicArray& array = *arguments[0].array();
  return leaves_.with_leaves(array.type, array.extents, array, [&](ValueId leaf, const ir::Type&) {
    return builder_.append_one(ir::Copy{leaf}, builder_.type(leaf), code_.span());
  });
}

// ---- arrays of records -------------------------------------------------------------------------

SymbolicValue Operations::apply_Zip(std::span<Value> arguments, std::size_t, SymbolicSite& site) {
  std::vector<Operand> extents{soacs_.common_length(arguments)};
  std::vector<ValueId> leaves;
  for (const Value& argument : arguments) {
    const SymbolicArray& field = *argument.array();
    extents.insert(extents.end(), field.extents.begin() + 1, field.extents.end());
    leaves.insert(leaves.end(), field.leaves.begin(), field.leaves.end());
  }
  return code_.make_array(site.type(), std::move(extents), std::move(leaves));
}

SymbolicValue Operations::apply_Unzip(std::span<Value> arguments, std::size_t, SymbolicSite&) {
  return leaves_.unzip(arguments[0]);
}

// ---- flat views --------------------------------------------------------------------------------

/// Whether a few such numbers can be added.
ir::Operand Operations::is_moderate(const Operand& number) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  return code_.both(code_.binary(Operation::LessEqual, Operand::i64(-most), number),
                    code_.binary(Operation::LessEqual, number, Operand::i64(most)));
}

/// Whether a product fits in 64 bits.
ir::Operand Operations::has_no_overflow(const Operand& a, const Operand& b) {
  const Operand sign = code_.binary(Operation::ShiftRight, code_.binary(Operation::Multiply, a, b),
                                    Operand::i64(63));
  return code_.binary(Operation::Equal, code_.binary(Operation::MultiplyHigh, a, b), sign);
}

void Operations::check_flat(const Operand& length, const Operand& offset,
                            std::span<const Operand> shape, std::span<const Operand> strides) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  Operand is_shape = Operand::constant(ElementType::Bool, Scalar::of(true));
  Operand is_empty = Operand::constant(ElementType::Bool, Scalar::of(false));
  // What may wrap around is left to the evaluator.
  Operand is_counted = is_moderate(offset);
  Operand least = offset, greatest = offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    is_shape = code_.both(is_shape, code_.binary(Operation::LessEqual, zero, shape[d]));
    is_empty = code_.either(is_empty, code_.binary(Operation::Equal, shape[d], zero));
    const Operand steps = code_.binary(Operation::Subtract, shape[d], one);
    const Operand reach = code_.binary(Operation::Multiply, steps, strides[d]);
    is_counted =
        code_.both(is_counted, code_.both(is_moderate(reach), has_no_overflow(steps, strides[d])));
    least = code_.binary(Operation::Add, least, code_.binary(Operation::Minimum, reach, zero));
    greatest =
        code_.binary(Operation::Add, greatest, code_.binary(Operation::Maximum, reach, zero));
  }
  code_.check(is_shape, "invalid-range",
              "a flat view of negative shape " + indexing_.describe_shape(shape));
  for (const Operand& extent : shape)
    code_.check_extent(extent);
  code_.leave_unless(code_.either(is_empty, is_counted),
                     "a flat view that compiled code does not count");
  code_.check(code_.either(is_empty, code_.both(code_.binary(Operation::LessEqual, zero, least),
                                                code_.binary(Operation::Less, greatest, length))),
              "index-out-of-bounds",
              "Index out of bounds: a flat view of shape " + indexing_.describe_shape(shape) +
                  " leaves the array of shape " + indexing_.describe_shape(std::span(&length, 1)) +
                  ".");
}

/// Arguments: array, offset, then extent and stride of each dimension.
SymbolicValue Operations::apply_FlatIndex(std::span<Value> arguments, std::size_t dimensions,
                                          SymbolicSite&) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> shape, strides;
  for (std::size_t d = 0; d < dimensions; ++d) {
    shape.push_back(code_.operand(arguments[2 + 2 * d]));
    strides.push_back(code_.operand(arguments[3 + 2 * d]));
  }
  check_flat(array.length(), code_.operand(arguments[1]), shape, strides);
  const Representation* row = indexed(code_.representations(), array.type, 1);
  const Representation* type =
      code_.representations().array(static_cast<std::uint32_t>(dimensions), row);
  std::vector<Operand> extents = shape;
  extents.insert(extents.end(), array.extents.begin() + 1, array.extents.end());
  // One tabulation inside the other.
  const std::vector<ir::Type> types = Leaves::types(type, extents);
  std::function<std::vector<ValueId>(std::size_t, const Operand&)> level = [&](std::size_t d,
                                                                               const Operand& at) {
    ir::Soac soac;
    soac.extent = shape[d];
    {
      BodyScope scope(code_);
      const ValueId i = builder_.parameter({ElementType::I64, {}});
      const Operand next =
          code_.binary(Operation::Add, at, code_.binary(Operation::Multiply, i, strides[d]));
      std::vector<Operand> results;
      if (d + 1 < dimensions)
        for (ValueId inner : level(d + 1, next))
          results.emplace_back(inner);
      else
        results =
            leaves_.fit(leaves_.element(array, {next}), row, std::span(array.extents).subspan(1));
      soac.body = scope.close(std::move(results));
    }
    soac.groups.assign(types.size(), ir::MapGroup{});
    std::vector<ir::Type> own = types;
    for (ir::Type& leaf : own)
      leaf.extents.erase(leaf.extents.begin(),
                         leaf.extents.begin() + static_cast<std::ptrdiff_t>(d));
    return builder_.append(std::move(soac), std::move(own), code_.span());
  };
  const std::vector<ValueId> results = level(0, code_.operand(arguments[1]));
  return leaves_.array_of(type, std::move(extents), results);
}

/// Arguments: array, offset, the stride of each dimension, values.  A scatter of the values in
/// row-major order.
SymbolicValue Operations::apply_FlatUpdate(std::span<Value> arguments, std::size_t dimensions,
                                           SymbolicSite&) {
  const SymbolicArray& target = *arguments[0].array();
  const SymbolicArray& values = *arguments[2 + dimensions].array();
  const Operand offset = code_.operand(arguments[1]);
  std::vector<Operand> strides;
  for (std::size_t d = 0; d < dimensions; ++d)
    strides.push_back(code_.operand(arguments[2 + d]));
  const std::span<const Operand> shape = std::span(values.extents).first(dimensions);
  check_flat(target.length(), offset, shape, strides);

  Operand count = Operand::i64(1);
  for (const Operand& extent : shape)
    count = code_.product_of_extents(count, extent);
  std::vector<Operand> flat_extents{count};
  flat_extents.insert(flat_extents.end(),
                      values.extents.begin() + static_cast<std::ptrdiff_t>(dimensions),
                      values.extents.end());
  const Value flat = leaves_.with_leaves(
      target.type, std::move(flat_extents), values, [&](ValueId leaf, ir::Type type) {
        return builder_.append_one(ir::Reshape{leaf}, std::move(type), code_.span());
      });
  const Representation* row = indexed(code_.representations(), target.type, 1);
  ir::Soac soac;
  soac.extent = count;
  {
    BodyScope scope(code_);
    Elements elements = soacs_.open_elements(std::span(&flat, 1), count);
    Operand at = offset, rest = elements.index;
    for (std::size_t d = dimensions; d-- > 0;) {
      const Operand extent = code_.binary(Operation::Maximum, shape[d], Operand::i64(1));
      const Operand i = d == 0 ? rest : code_.binary(Operation::Remainder, rest, extent);
      at = code_.binary(Operation::Add, at, code_.binary(Operation::Multiply, i, strides[d]));
      if (d > 0) rest = code_.binary(Operation::Quotient, rest, extent);
    }
    std::vector<Operand> results;
    for (const Operand& leaf :
         leaves_.fit(elements.values[0], row, std::span(target.extents).subspan(1))) {
      results.push_back(at);
      results.push_back(leaf);
    }
    soac.inputs = std::move(elements.inputs);
    soac.body = scope.close(std::move(results));
  }
  for (std::size_t i = 0; i < target.leaves.size(); ++i)
    if (!target.type->leaves[i].is_unit)
      soac.groups.emplace_back(ir::ScatterGroup{target.leaves[i], 1});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), Leaves::types(target.type, target.extents), code_.span());
  return leaves_.array_of(target.type, target.extents, results);
}

// ---- comparison --------------------------------------------------------------------------------

ir::Operand Operations::equal(const Value& a, const Value& b, const Representation* type) {
  Operand result = Operand::constant(ElementType::Bool, Scalar::of(true));
  if (type->is_scalar()) return code_.binary(Operation::Equal, code_.operand(a), code_.operand(b));
  if (type->is_array()) return equal_arrays(*a.array(), *b.array());
  if (type->is_record()) {
    const std::vector<FieldRepresentation>& fields = type->record().fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
      result = code_.both(result, equal(a.fields()[i], b.fields()[i], fields[i].type));
    return result;
  }
  if (!type->is_sum()) code_.refuse(Reason::FunctionsCompared);
  // One of the constructors is that of both, and their payloads are equal.
  result = Operand::constant(ElementType::Bool, Scalar::of(false));
  const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
  for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
    const Operand is_both =
        code_.both(code_.operand(code_.has_tag(a, tag)), code_.operand(code_.has_tag(b, tag)));
    if (is_both.is_constant() && !is_both.scalar().as<bool>()) continue;
    Operand is_equal = is_both;
    for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i)
      is_equal = code_.both(
          is_equal, equal(payload(a, tag)[i], payload(b, tag)[i], constructors[tag].payload[i]));
    result = code_.either(result, is_equal);
  }
  return result;
}

ir::Operand Operations::equal_arrays(const SymbolicArray& a, const SymbolicArray& b) {
  // (Sums have zeros where others have payloads, so leaves may be compared one by one.)
  Operand same_shape = Operand::constant(ElementType::Bool, Scalar::of(true));
  for (std::size_t i = 0; i < a.extents.size(); ++i)
    same_shape = code_.both(same_shape, code_.same_size(a.extents[i], b.extents[i]));
  auto compare = [&] {
    Operand result = Operand::constant(ElementType::Bool, Scalar::of(true));
    for (std::size_t i = 0; i < a.leaves.size(); ++i)
      if (!a.type->leaves[i].is_unit)
        result = code_.both(result, equal_leaves(a.leaves[i], b.leaves[i]));
    return Value(code_.handle(result));
  };
  return code_.operand(branches_.branch(same_shape, compare, [&] {
    return Value(code_.literal(ElementType::Bool, Scalar::of(false)));
  }));
}

/// Whether all elements of two arrays of one shape are equal.
ir::Operand Operations::equal_leaves(ValueId a, ValueId b) {
  const auto row = [&](ValueId array) {
    ir::Type type = builder_.type(array);
    type.extents.erase(type.extents.begin());
    return builder_.parameter(std::move(type));
  };
  ir::Soac soac;
  soac.extent = builder_.type(a).extents[0];
  soac.inputs = {a, b};
  {
    BodyScope scope(code_);
    builder_.parameter({ElementType::I64, {}});
    const ValueId x = row(a), y = row(b);
    const Operand is_equal =
        builder_.type(x).is_scalar() ? code_.binary(Operation::Equal, x, y) : equal_leaves(x, y);
    soac.body = scope.close({is_equal});
  }
  ir::ReduceGroup all;
  all.neutral = {Operand::constant(ElementType::Bool, Scalar::of(true))};
  all.is_commutative = true;
  {
    BodyScope scope(code_);
    const ValueId x = builder_.parameter({ElementType::Bool, {}});
    const ValueId y = builder_.parameter({ElementType::Bool, {}});
    const Operand both_equal = code_.both(x, y);
    all.combine = scope.close({both_equal});
  }
  soac.groups.emplace_back(std::move(all));
  return builder_.append_one(std::move(soac), {ElementType::Bool, {}}, code_.span());
}

SymbolicValue Operations::apply_Equal(std::span<Value> arguments, SymbolicSite& site) {
  return Value(code_.handle(equal(arguments[0], arguments[1], site.argument_type(0))));
}
SymbolicValue Operations::apply_NotEqual(std::span<Value> arguments, SymbolicSite& site) {
  return Value(
      code_.handle(code_.negation(equal(arguments[0], arguments[1], site.argument_type(0)))));
}

} // namespace sinter::jit
