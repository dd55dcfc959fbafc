// Symbolic arrays: joining, reshaping, zipping, flat views, comparison; and the table's dispatch.
#include "jit/trace/symbolic_domain.h"

#include <algorithm>
#include <numeric>

namespace sinter::jit {

SymbolicValue SymbolicDomain::array_operation(primitives::ArrayOperation operation,
                                              std::span<Value> arguments, SymbolicSite& site) {
  limit_statements();
  if (std::find(sources_.begin(), sources_.end(), span_) == sources_.end())
    sources_.push_back(span_);
  switch (operation) {
#define SINTER_ARRAY_OPERATION(Id, ...)                                                            \
  case primitives::ArrayOperation::Id:                                                             \
    return apply_##Id(arguments, site);
#include "lang/primitives/array_operations.def"
#undef SINTER_ARRAY_OPERATION
  }
  __builtin_unreachable();
}

/// An array with its leaves changed one by one.
SymbolicValue SymbolicDomain::with_leaves(const Representation* type, std::vector<Operand> extents,
                                          const SymbolicArray& array,
                                          const std::function<ValueId(ValueId, ir::Type)>& change) {
  std::vector<ValueId> leaves;
  for (std::size_t i = 0; i < array.leaves.size(); ++i)
    leaves.push_back(type->leaves[i].is_unit
                         ? SymbolicArray::no_leaf
                         : change(array.leaves[i], leaf_type(type->leaves[i], extents)));
  return make_array(type, std::move(extents), std::move(leaves));
}

// ---- joining and reshaping ---------------------------------------------------------------------

SymbolicValue SymbolicDomain::apply_Concat(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray &first = *arguments[0].array(), &second = *arguments[1].array();
  std::vector<Operand> extents = first.extents;
  extents[0] = sum_of_extents(first.extents[0], second.extents[0]);
  std::vector<Operand> second_extents = first.extents;
  second_extents[0] = second.extents[0];
  std::size_t next = 0;
  return with_leaves(first.type, extents, first, [&](ValueId leaf, ir::Type type) {
    while (first.type->leaves[next].is_unit)
      ++next;
    const std::size_t i = next++;
    const ValueId other =
        with_extents(second.leaves[i], leaf_type(first.type->leaves[i], second_extents)).value();
    return builder_.append_one(ir::Concat{{leaf, other}}, std::move(type), span_);
  });
}

SymbolicValue SymbolicDomain::apply_Flatten(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> extents(array.extents.begin() + 1, array.extents.end());
  extents[0] = product_of_extents(array.extents[0], array.extents[1]);
  const Representation* type =
      representations_.array(array.rank() - 1, array.type->array().element);
  return with_leaves(type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
    return builder_.append_one(ir::Reshape{leaf}, std::move(shape), span_);
  });
}

SymbolicValue SymbolicDomain::apply_Unflatten(std::span<Value> arguments, SymbolicSite&) {
  const Operand rows = operand(arguments[0]), columns = operand(arguments[1]);
  const SymbolicArray& array = *arguments[2].array();
  const Operand zero = Operand::i64(0);
  check(both(both(binary(Operation::LessEqual, zero, rows),
                  binary(Operation::LessEqual, zero, columns)),
             both(binary(Operation::Equal, binary(Operation::MultiplyHigh, rows, columns), zero),
                  binary(Operation::Equal, binary(Operation::Multiply, rows, columns),
                         array.length()))),
        "shape-mismatch",
        "Cannot unflatten array of shape " + describe_shape(std::span(array.extents).first(1)) +
            " to array of shape " + describe_shape(std::vector{rows, columns}));
  check_extent(rows); // where there are no elements, one of them may be anything
  check_extent(columns);
  std::vector<Operand> extents{rows, columns};
  extents.insert(extents.end(), array.extents.begin() + 1, array.extents.end());
  const Representation* type =
      representations_.array(array.rank() + 1, array.type->array().element);
  return with_leaves(type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
    return builder_.append_one(ir::Reshape{leaf}, std::move(shape), span_);
  });
}

SymbolicValue SymbolicDomain::apply_Transpose(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> extents = array.extents;
  std::swap(extents[0], extents[1]);
  return with_leaves(array.type, std::move(extents), array, [&](ValueId leaf, ir::Type shape) {
    std::vector<std::uint32_t> permutation(shape.rank());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[0], permutation[1]);
    return builder_.append_one(ir::Transpose{leaf, std::move(permutation)}, std::move(shape),
                               span_);
  });
}

/// A gather, which fuses with what uses it.
SymbolicValue SymbolicDomain::apply_Rotate(std::span<Value> arguments, SymbolicSite&) {
  const SymbolicArray& array = *arguments[1].array();
  const Operand length = array.length();
  const Operand first = binary(Operation::Modulo, operand(arguments[0]),
                               binary(Operation::Maximum, length, Operand::i64(1)));
  const Representation* row = indexed(representations_, array.type, 1);
  const auto inner = std::span<const Operand>(array.extents).subspan(1);
  ir::Soac soac;
  soac.extent = length;
  {
    BodyScope scope(*this);
    const ValueId i = builder_.parameter({ElementType::I64, {}});
    const Operand sum = binary(Operation::Add, i, first);
    const Operand at = select(binary(Operation::GreaterEqual, sum, length),
                              binary(Operation::Subtract, sum, length), sum);
    soac.body = scope.close(fit(element(array, {at}), row, inner));
  }
  soac.groups.assign(soac.body.results.size(), ir::MapGroup{});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), leaf_types(array.type, array.extents), span_);
  return array_of(array.type, array.extents, results);
}

SymbolicValue SymbolicDomain::apply_Replicate(std::span<Value> arguments, SymbolicSite& site) {
  const Operand count = operand(arguments[0]);
  check(binary(Operation::GreaterEqual, count, Operand::i64(0)), "invalid-range",
        "Range 0..1..<" + text(ElementType::I64, arguments[0].scalar()) + " is invalid.");
  check_extent(count);
  const Representation* row = indexed(representations_, site.type(), 1);
  const Parts parts = flatten(arguments[1], row);
  std::vector<Operand> extents{count};
  extents.insert(extents.end(), parts.extents.begin(), parts.extents.end());
  const std::vector<Operand> leaves = fit(arguments[1], row, parts.extents);
  ir::Soac soac;
  soac.extent = count;
  {
    BodyScope scope(*this);
    builder_.parameter({ElementType::I64, {}});
    soac.body = scope.close(leaves);
  }
  soac.groups.assign(leaves.size(), ir::MapGroup{});
  const std::vector<ValueId> results =
      builder_.append(std::move(soac), leaf_types(site.type(), extents), span_);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (builder_.type(leaves[i]).is_scalar())
      patterns_.insert_or_assign(results[i].index, Pattern{false, leaves[i]});
  return array_of(site.type(), std::move(extents), results);
}

SymbolicValue SymbolicDomain::apply_Manifest(std::span<Value> arguments, SymbolicSite&) {
  if (!arguments[0].is_array()) return arguments[0];
  const SymbolicArray& array = *arguments[0].array();
  return with_leaves(array.type, array.extents, array, [&](ValueId leaf, const ir::Type&) {
    return builder_.append_one(ir::Copy{leaf}, builder_.type(leaf), span_);
  });
}

// ---- arrays of records -------------------------------------------------------------------------

SymbolicValue SymbolicDomain::zip_all(std::span<Value> arguments, SymbolicSite& site) {
  std::vector<Operand> extents{common_length(arguments)};
  std::vector<ValueId> leaves;
  for (const Value& argument : arguments) {
    const SymbolicArray& field = *argument.array();
    extents.insert(extents.end(), field.extents.begin() + 1, field.extents.end());
    leaves.insert(leaves.end(), field.leaves.begin(), field.leaves.end());
  }
  return make_array(site.type(), std::move(extents), std::move(leaves));
}
SymbolicValue SymbolicDomain::apply_Zip(std::span<Value> arguments, SymbolicSite& site) {
  return zip_all(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Zip3(std::span<Value> arguments, SymbolicSite& site) {
  return zip_all(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Zip4(std::span<Value> arguments, SymbolicSite& site) {
  return zip_all(arguments, site);
}
SymbolicValue SymbolicDomain::apply_Zip5(std::span<Value> arguments, SymbolicSite& site) {
  return zip_all(arguments, site);
}

SymbolicValue SymbolicDomain::unzip(const Value& value) {
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
    result.fields()[i] = make_array(representations_.array(rank, field), std::move(extents),
                                    {leaf, leaf + field->leaf_count});
    extent += field->extent_count;
    leaf += field->leaf_count;
  }
  return result;
}
SymbolicValue SymbolicDomain::apply_Unzip(std::span<Value> arguments, SymbolicSite&) {
  return unzip(arguments[0]);
}
SymbolicValue SymbolicDomain::apply_Unzip3(std::span<Value> arguments, SymbolicSite&) {
  return unzip(arguments[0]);
}
SymbolicValue SymbolicDomain::apply_Unzip4(std::span<Value> arguments, SymbolicSite&) {
  return unzip(arguments[0]);
}
SymbolicValue SymbolicDomain::apply_Unzip5(std::span<Value> arguments, SymbolicSite&) {
  return unzip(arguments[0]);
}

// ---- flat views --------------------------------------------------------------------------------

/// Whether a few such numbers can be added.
ir::Operand SymbolicDomain::is_moderate(const Operand& number) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  return both(binary(Operation::LessEqual, Operand::i64(-most), number),
              binary(Operation::LessEqual, number, Operand::i64(most)));
}

/// Whether a product fits in 64 bits.
ir::Operand SymbolicDomain::has_no_overflow(const Operand& a, const Operand& b) {
  const Operand sign =
      binary(Operation::ShiftRight, binary(Operation::Multiply, a, b), Operand::i64(63));
  return binary(Operation::Equal, binary(Operation::MultiplyHigh, a, b), sign);
}

void SymbolicDomain::check_flat(const Operand& length, const Operand& offset,
                                std::span<const Operand> shape, std::span<const Operand> strides) {
  const Operand zero = Operand::i64(0), one = Operand::i64(1);
  Operand is_shape = Operand::constant(ElementType::Bool, Scalar::of(true));
  Operand is_empty = Operand::constant(ElementType::Bool, Scalar::of(false));
  // What may wrap around is left to the evaluator.
  Operand is_counted = is_moderate(offset);
  Operand least = offset, greatest = offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    is_shape = both(is_shape, binary(Operation::LessEqual, zero, shape[d]));
    is_empty = either(is_empty, binary(Operation::Equal, shape[d], zero));
    const Operand steps = binary(Operation::Subtract, shape[d], one);
    const Operand reach = binary(Operation::Multiply, steps, strides[d]);
    is_counted = both(is_counted, both(is_moderate(reach), has_no_overflow(steps, strides[d])));
    least = binary(Operation::Add, least, binary(Operation::Minimum, reach, zero));
    greatest = binary(Operation::Add, greatest, binary(Operation::Maximum, reach, zero));
  }
  check(is_shape, "invalid-range", "a flat view of negative shape " + describe_shape(shape));
  for (const Operand& extent : shape)
    check_extent(extent);
  leave_unless(either(is_empty, is_counted), "a flat view that compiled code does not count");
  check(either(is_empty, both(binary(Operation::LessEqual, zero, least),
                              binary(Operation::Less, greatest, length))),
        "index-out-of-bounds",
        "Index out of bounds: a flat view of shape " + describe_shape(shape) +
            " leaves the array of shape " + describe_shape(std::span(&length, 1)) + ".");
}

/// Arguments: array, offset, then extent and stride of each dimension.
SymbolicValue SymbolicDomain::flat_index(std::span<Value> arguments, std::size_t dimensions) {
  const SymbolicArray& array = *arguments[0].array();
  std::vector<Operand> shape, strides;
  for (std::size_t d = 0; d < dimensions; ++d) {
    shape.push_back(operand(arguments[2 + 2 * d]));
    strides.push_back(operand(arguments[3 + 2 * d]));
  }
  check_flat(array.length(), operand(arguments[1]), shape, strides);
  const Representation* row = indexed(representations_, array.type, 1);
  const Representation* type = representations_.array(static_cast<std::uint32_t>(dimensions), row);
  std::vector<Operand> extents = shape;
  extents.insert(extents.end(), array.extents.begin() + 1, array.extents.end());
  // One tabulation inside the other.
  const std::vector<ir::Type> types = leaf_types(type, extents);
  std::function<std::vector<ValueId>(std::size_t, const Operand&)> level = [&](std::size_t d,
                                                                               const Operand& at) {
    ir::Soac soac;
    soac.extent = shape[d];
    {
      BodyScope scope(*this);
      const ValueId i = builder_.parameter({ElementType::I64, {}});
      const Operand next = binary(Operation::Add, at, binary(Operation::Multiply, i, strides[d]));
      std::vector<Operand> results;
      if (d + 1 < dimensions)
        for (ValueId inner : level(d + 1, next))
          results.emplace_back(inner);
      else
        results = fit(element(array, {next}), row, std::span(array.extents).subspan(1));
      soac.body = scope.close(std::move(results));
    }
    soac.groups.assign(types.size(), ir::MapGroup{});
    std::vector<ir::Type> own = types;
    for (ir::Type& leaf : own)
      leaf.extents.erase(leaf.extents.begin(),
                         leaf.extents.begin() + static_cast<std::ptrdiff_t>(d));
    return builder_.append(std::move(soac), std::move(own), span_);
  };
  const std::vector<ValueId> results = level(0, operand(arguments[1]));
  return array_of(type, std::move(extents), results);
}
SymbolicValue SymbolicDomain::apply_FlatIndex2d(std::span<Value> arguments, SymbolicSite&) {
  return flat_index(arguments, 2);
}
SymbolicValue SymbolicDomain::apply_FlatIndex3d(std::span<Value> arguments, SymbolicSite&) {
  return flat_index(arguments, 3);
}
SymbolicValue SymbolicDomain::apply_FlatIndex4d(std::span<Value> arguments, SymbolicSite&) {
  return flat_index(arguments, 4);
}

/// Arguments: array, offset, the stride of each dimension, values.  A scatter of the values in
/// row-major order.
SymbolicValue SymbolicDomain::flat_update(std::span<Value> arguments, std::size_t dimensions) {
  const SymbolicArray& target = *arguments[0].array();
  const SymbolicArray& values = *arguments[2 + dimensions].array();
  const Operand offset = operand(arguments[1]);
  std::vector<Operand> strides;
  for (std::size_t d = 0; d < dimensions; ++d)
    strides.push_back(operand(arguments[2 + d]));
  const std::span<const Operand> shape = std::span(values.extents).first(dimensions);
  check_flat(target.length(), offset, shape, strides);

  Operand count = Operand::i64(1);
  for (const Operand& extent : shape)
    count = product_of_extents(count, extent);
  std::vector<Operand> flat_extents{count};
  flat_extents.insert(flat_extents.end(),
                      values.extents.begin() + static_cast<std::ptrdiff_t>(dimensions),
                      values.extents.end());
  const Value flat =
      with_leaves(target.type, std::move(flat_extents), values, [&](ValueId leaf, ir::Type type) {
        return builder_.append_one(ir::Reshape{leaf}, std::move(type), span_);
      });
  const Representation* row = indexed(representations_, target.type, 1);
  ir::Soac soac;
  soac.extent = count;
  {
    BodyScope scope(*this);
    Elements elements = open_elements(std::span(&flat, 1), count);
    Operand at = offset, rest = elements.index;
    for (std::size_t d = dimensions; d-- > 0;) {
      const Operand extent = binary(Operation::Maximum, shape[d], Operand::i64(1));
      const Operand i = d == 0 ? rest : binary(Operation::Remainder, rest, extent);
      at = binary(Operation::Add, at, binary(Operation::Multiply, i, strides[d]));
      if (d > 0) rest = binary(Operation::Quotient, rest, extent);
    }
    std::vector<Operand> results;
    for (const Operand& leaf : fit(elements.values[0], row, std::span(target.extents).subspan(1))) {
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
      builder_.append(std::move(soac), leaf_types(target.type, target.extents), span_);
  return array_of(target.type, target.extents, results);
}
SymbolicValue SymbolicDomain::apply_FlatUpdate2d(std::span<Value> arguments, SymbolicSite&) {
  return flat_update(arguments, 2);
}
SymbolicValue SymbolicDomain::apply_FlatUpdate3d(std::span<Value> arguments, SymbolicSite&) {
  return flat_update(arguments, 3);
}
SymbolicValue SymbolicDomain::apply_FlatUpdate4d(std::span<Value> arguments, SymbolicSite&) {
  return flat_update(arguments, 4);
}

// ---- derivatives -------------------------------------------------------------------------------

SymbolicValue SymbolicDomain::apply_Jvp2(std::span<Value>, SymbolicSite&) {
  refuse("differentiation");
}
SymbolicValue SymbolicDomain::apply_Vjp2(std::span<Value>, SymbolicSite&) {
  refuse("differentiation");
}
SymbolicValue SymbolicDomain::apply_Jmp2(std::span<Value>, SymbolicSite&) {
  refuse("differentiation");
}
SymbolicValue SymbolicDomain::apply_Mjp2(std::span<Value>, SymbolicSite&) {
  refuse("differentiation");
}
SymbolicValue SymbolicDomain::apply_WithVjp(std::span<Value>, SymbolicSite&) {
  refuse("differentiation");
}

// ---- comparison --------------------------------------------------------------------------------

ir::Operand SymbolicDomain::equal(const Value& a, const Value& b, const Representation* type) {
  Operand result = Operand::constant(ElementType::Bool, Scalar::of(true));
  if (type->is_scalar()) return binary(Operation::Equal, operand(a), operand(b));
  if (type->is_array()) return equal_arrays(*a.array(), *b.array());
  if (type->is_record()) {
    const std::vector<FieldRepresentation>& fields = type->record().fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
      result = both(result, equal(a.fields()[i], b.fields()[i], fields[i].type));
    return result;
  }
  if (!type->is_sum()) refuse("a comparison of functions");
  // One of the constructors is that of both, and their payloads are equal.
  result = Operand::constant(ElementType::Bool, Scalar::of(false));
  const std::vector<ConstructorRepresentation>& constructors = type->sum().constructors;
  for (std::uint32_t tag = 0; tag < constructors.size(); ++tag) {
    const Operand is_both = both(operand(has_tag(a, tag)), operand(has_tag(b, tag)));
    if (is_both.is_constant() && !is_both.scalar().as<bool>()) continue;
    Operand is_equal = is_both;
    for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i)
      is_equal = both(is_equal,
                      equal(payload(a, tag)[i], payload(b, tag)[i], constructors[tag].payload[i]));
    result = either(result, is_equal);
  }
  return result;
}

ir::Operand SymbolicDomain::equal_arrays(const SymbolicArray& a, const SymbolicArray& b) {
  // (Sums have zeros where others have payloads, so leaves may be compared one by one.)
  Operand same_shape = Operand::constant(ElementType::Bool, Scalar::of(true));
  for (std::size_t i = 0; i < a.extents.size(); ++i)
    same_shape = both(same_shape, same_size(a.extents[i], b.extents[i]));
  auto compare = [&] {
    Operand result = Operand::constant(ElementType::Bool, Scalar::of(true));
    for (std::size_t i = 0; i < a.leaves.size(); ++i)
      if (!a.type->leaves[i].is_unit) result = both(result, equal_leaves(a.leaves[i], b.leaves[i]));
    return SymbolicScalar(handle(result));
  };
  return operand(branch(handle(same_shape), compare,
                        [&] { return literal(ElementType::Bool, Scalar::of(false)); }));
}

/// Whether all elements of two arrays of one shape are equal.
ir::Operand SymbolicDomain::equal_leaves(ValueId a, ValueId b) {
  const auto element = [&](ValueId array) {
    ir::Type type = builder_.type(array);
    type.extents.erase(type.extents.begin());
    return builder_.parameter(std::move(type));
  };
  ir::Soac soac;
  soac.extent = builder_.type(a).extents[0];
  soac.inputs = {a, b};
  {
    BodyScope scope(*this);
    builder_.parameter({ElementType::I64, {}});
    const ValueId x = element(a), y = element(b);
    const Operand is_equal =
        builder_.type(x).is_scalar() ? binary(Operation::Equal, x, y) : equal_leaves(x, y);
    soac.body = scope.close({is_equal});
  }
  ir::ReduceGroup all;
  all.neutral = {Operand::constant(ElementType::Bool, Scalar::of(true))};
  all.is_commutative = true;
  {
    BodyScope scope(*this);
    const ValueId x = builder_.parameter({ElementType::Bool, {}});
    const ValueId y = builder_.parameter({ElementType::Bool, {}});
    const Operand both_equal = both(x, y);
    all.combine = scope.close({both_equal});
  }
  soac.groups.emplace_back(std::move(all));
  return builder_.append_one(std::move(soac), {ElementType::Bool, {}}, span_);
}

SymbolicValue SymbolicDomain::apply_Equal(std::span<Value> arguments, SymbolicSite& site) {
  return Value(handle(equal(arguments[0], arguments[1], site.argument_type(0))));
}
SymbolicValue SymbolicDomain::apply_NotEqual(std::span<Value> arguments, SymbolicSite& site) {
  return Value(handle(negation(equal(arguments[0], arguments[1], site.argument_type(0)))));
}

} // namespace sinter::jit
