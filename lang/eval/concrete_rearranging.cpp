// Concrete arrays: joining, reshaping, zipping, flat views, comparison; and the table's dispatch.
#include "lang/eval/concrete_domain.h"

#include <algorithm>

namespace sinter::eval {

Value ConcreteDomain::interpret(primitives::ArrayOperation operation, std::span<Value> arguments,
                                ConcreteSite& site) {
  switch (operation) {
#define SINTER_ARRAY_OPERATION(Id, ...)                                                            \
  case primitives::ArrayOperation::Id:                                                             \
    return apply_##Id(arguments, site);
#define SINTER_ARRAY_MEMBER(Id, Family, count, ...)                                                \
  case primitives::ArrayOperation::Id:                                                             \
    return apply_##Family(arguments, count, site);
#include "lang/primitives/array_operations.def"
  }
  __builtin_unreachable();
}

void ConcreteDomain::fail_undefined(const primitives::Primitive& primitive) {
  throw RuntimeError(primitive.failure_id, std::string(primitive.failure));
}

// ---- joining and reshaping ---------------------------------------------------------------------

Value ConcreteDomain::apply_Concat(std::span<Value> arguments, ConcreteSite&) {
  if (arguments[0].array()->shape.front() == 0) return std::move(arguments[1]);
  if (arguments[1].array()->shape.front() == 0) return std::move(arguments[0]);
  const std::array<ArrayRef, 2> parts = {arguments[0].array(), arguments[1].array()};
  return concatenate(memory_, parts);
}

Value ConcreteDomain::apply_Flatten(std::span<Value> arguments, ConcreteSite&) {
  const ArrayRef& array = arguments[0].array();
  const std::int64_t count = element_count(std::span<const std::int64_t>(array->shape).first(2));
  return reshape(memory_, array, Extents{count}, 2);
}

Value ConcreteDomain::apply_Unflatten(std::span<Value> arguments, ConcreteSite&) {
  const std::int64_t rows = arguments[0].scalar().as<std::int64_t>();
  const std::int64_t columns = arguments[1].scalar().as<std::int64_t>();
  const ArrayRef& array = arguments[2].array();
  if (rows < 0 || columns < 0 || __int128{rows} * columns != array->shape.front())
    throw RuntimeError("shape-mismatch",
                       "Cannot unflatten array of shape " +
                           shape_text(std::span<const std::int64_t>(array->shape).first(1)) +
                           " to array of shape " + shape_text(Extents{rows, columns}));
  return reshape(memory_, array, Extents{rows, columns}, 1);
}

Value ConcreteDomain::apply_Transpose(std::span<Value> arguments, ConcreteSite&) {
  return transpose_view(arguments[0].array(), 0, 1);
}

Value ConcreteDomain::apply_Rotate(std::span<Value> arguments, ConcreteSite&) {
  const ArrayRef& array = arguments[1].array();
  const std::int64_t count = array->shape.front();
  if (count == 0) return array;
  const std::int64_t distance = arguments[0].scalar().as<std::int64_t>() % count;
  const std::int64_t first = distance < 0 ? distance + count : distance;
  if (first == 0) return array;
  const std::array<ArrayRef, 2> parts = {slice_view(array, 0, first, count - first, 1),
                                         slice_view(array, 0, 0, first, 1)};
  return concatenate(memory_, parts);
}

Value ConcreteDomain::apply_Replicate(std::span<Value> arguments, ConcreteSite& site) {
  const std::int64_t count = arguments[0].scalar().as<std::int64_t>();
  if (count < 0)
    throw RuntimeError("invalid-range", "Range 0..1..<" + std::to_string(count) + " is invalid.");
  return replicate(memory_, indexed(representations_, site.type(), 1), count, arguments[1]);
}

Value ConcreteDomain::apply_Manifest(std::span<Value> arguments, ConcreteSite&) {
  if (arguments[0].is_array()) return copy(memory_, arguments[0].array());
  return std::move(arguments[0]);
}

// ---- arrays of records -------------------------------------------------------------------------

Value ConcreteDomain::apply_Zip(std::span<Value> arguments, std::size_t, ConcreteSite& site) {
  std::vector<ArrayRef> fields;
  for (Value& argument : arguments)
    fields.push_back(std::move(argument.array()));
  return zip(indexed(representations_, site.type(), 1), fields);
}

Value ConcreteDomain::apply_Unzip(std::span<Value> arguments, std::size_t, ConcreteSite&) {
  return unzip(arguments[0].array());
}

// ---- flat views --------------------------------------------------------------------------------

namespace {

/// The view of a flat array whose element `[i][j]…` is `offset + i*strides[0] + j*strides[1] + …`.
ArrayRef flat_view(const ArrayObject& array, std::int64_t offset,
                   std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  // The extremes lie at corners; an empty view reaches nothing.
  __int128 least = offset, greatest = offset;
  bool is_empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0)
      throw RuntimeError("invalid-range", "a flat view of negative shape " + shape_text(shape));
    is_empty |= shape[d] == 0;
    const __int128 reach = __int128{shape[d] - 1} * strides[d];
    (reach < 0 ? least : greatest) += reach;
  }
  if (!is_empty && (least < 0 || greatest >= array.shape.front()))
    throw RuntimeError("index-out-of-bounds",
                       "Index out of bounds: a flat view of shape " + shape_text(shape) +
                           " with strides " + shape_text(strides) + " from offset " +
                           std::to_string(offset) + " leaves the array of shape " +
                           shape_text(array.shape) + ".");
  ArrayRef result = ArrayRef::adopt(new ArrayObject);
  result->element = array.element;
  result->shape.append(shape);
  result->shape.append(std::span<const std::int64_t>(array.shape).subspan(1));
  for (const Leaf& leaf : array.leaves) {
    Leaf& part = result->leaves.emplace_back();
    part.buffer = leaf.buffer;
    part.element = leaf.element;
    part.offset = is_empty ? leaf.offset : leaf.offset + offset * leaf.strides[0];
    part.extents.append(shape);
    for (std::int64_t stride : strides)
      part.strides.push_back(is_empty ? 0 : stride * leaf.strides[0]);
    part.extents.append(std::span<const std::int64_t>(leaf.extents).subspan(1));
    part.strides.append(std::span<const std::int64_t>(leaf.strides).subspan(1));
  }
  return result;
}

std::int64_t integer(const Value& value) {
  return value.scalar().as<std::int64_t>();
}

} // namespace

/// Arguments: array, offset, then extent and stride of each dimension.
Value ConcreteDomain::apply_FlatIndex(std::span<Value> arguments, std::size_t dimensions,
                                      ConcreteSite&) {
  Extents shape, strides;
  for (std::size_t d = 0; d < dimensions; ++d) {
    shape.push_back(integer(arguments[2 + 2 * d]));
    strides.push_back(integer(arguments[3 + 2 * d]));
  }
  return flat_view(*arguments[0].array(), integer(arguments[1]), shape, strides);
}

/// Arguments: array, offset, the stride of each dimension, values.
Value ConcreteDomain::apply_FlatUpdate(std::span<Value> arguments, std::size_t dimensions,
                                       ConcreteSite&) {
  Extents strides;
  for (std::size_t d = 0; d < dimensions; ++d)
    strides.push_back(integer(arguments[2 + d]));
  const ArrayObject& values = *arguments[2 + dimensions].array();
  auto shape = std::span<const std::int64_t>(values.shape).first(dimensions);
  const std::int64_t offset = integer(arguments[1]);
  ArrayRef target = writable(memory_, std::move(arguments[0].array()));
  copy_into(*flat_view(*target, offset, shape, strides), values);
  return target;
}

// ---- derivatives -------------------------------------------------------------------------------

namespace {
[[noreturn]] void fail_derivative(const char* name) {
  throw RuntimeError(FailureKind::Unsupported, std::string("`") + name +
                                                   "` cannot be evaluated: automatic "
                                                   "differentiation is not available");
}
} // namespace

Value ConcreteDomain::apply_Jvp2(std::span<Value>, ConcreteSite&) {
  fail_derivative("jvp2");
}
Value ConcreteDomain::apply_Vjp2(std::span<Value>, ConcreteSite&) {
  fail_derivative("vjp2");
}
Value ConcreteDomain::apply_Jmp2(std::span<Value>, ConcreteSite&) {
  fail_derivative("jmp2");
}
Value ConcreteDomain::apply_Mjp2(std::span<Value>, ConcreteSite&) {
  fail_derivative("mjp2");
}
/// The derivative matters only where something differentiates.
Value ConcreteDomain::apply_WithVjp(std::span<Value> arguments, ConcreteSite& site) {
  return site.call(arguments[0], arguments.subspan(2));
}

// ---- comparison --------------------------------------------------------------------------------

Value ConcreteDomain::apply_Equal(std::span<Value> arguments, ConcreteSite& site) {
  return Scalar::of(equal(arguments[0], arguments[1], site.argument_type(0)));
}
Value ConcreteDomain::apply_NotEqual(std::span<Value> arguments, ConcreteSite& site) {
  return Scalar::of(!equal(arguments[0], arguments[1], site.argument_type(0)));
}

} // namespace sinter::eval
