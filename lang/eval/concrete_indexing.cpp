// Concrete arrays: literals, ranges, indexing, slicing, updates in place.
#include "lang/eval/concrete_domain.h"

#include "lang/values/format.h"
#include "lang/values/strided.h"

#include <cstring>

namespace sinter::eval {

namespace {

/// One dimension of an index list with its defaults filled in and its bounds checked.
struct Selection {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t stride = 0;
  bool is_slice = false;
};

/// Null where the part leaves the bounds 0 … extent-1.  An empty slice never does.
std::optional<Selection> select(const ConcreteIndexPart& part, std::int64_t extent) {
  if (!part.is_slice) {
    if (part.index.bits >= static_cast<std::uint64_t>(extent)) return std::nullopt;
    return Selection{part.index.as<std::int64_t>(), 1, 0, false};
  }
  auto number = [](const std::optional<Scalar>& scalar, std::int64_t otherwise) {
    return scalar ? scalar->as<std::int64_t>() : otherwise;
  };
  const std::int64_t stride = number(part.stride, 1);
  if (stride == 0) return std::nullopt;
  const std::int64_t begin = number(part.begin, stride > 0 ? 0 : extent - 1);
  const std::int64_t end = number(part.end, stride > 0 ? extent : -1);
  if (begin == end) return Selection{0, 0, stride, true};
  if ((begin < end) != (stride > 0)) return std::nullopt;
  const __int128 distance = stride > 0 ? __int128{end} - begin : __int128{begin} - end;
  const __int128 step = stride > 0 ? __int128{stride} : -__int128{stride};
  const __int128 count = (distance + step - 1) / step;
  const __int128 last = begin + (count - 1) * __int128{stride};
  if (begin < 0 || begin >= extent || last < 0 || last >= extent) return std::nullopt;
  return Selection{begin, static_cast<std::int64_t>(count), stride, true};
}

std::string describe(std::span<const ConcreteIndexPart> parts) {
  auto number = [](const std::optional<Scalar>& scalar) {
    return scalar ? print(ElementType::I64, *scalar, false) : std::string();
  };
  std::string text = "[";
  for (const ConcreteIndexPart& part : parts) {
    if (text.size() > 1) text += ", ";
    if (!part.is_slice) {
      text += print(part.index_type, part.index, false);
      continue;
    }
    text += number(part.begin) + ":" + number(part.end);
    if (part.stride) text += ":" + number(part.stride);
  }
  return text + "]";
}

[[noreturn]] void fail_bounds(std::span<const ConcreteIndexPart> parts, const ArrayObject& array) {
  throw RuntimeError("index-out-of-bounds", "Index " + describe(parts) +
                                                " out of bounds for array of shape " +
                                                shape_text(array.shape) + ".");
}

/// The checked index list; `indices` is filled instead where no part is a slice.
struct Selections {
  Extents indices;
  std::vector<Selection> parts; ///< empty if only indices
};

Selections select_all(const ArrayObject& array, std::span<const ConcreteIndexPart> parts) {
  Selections result;
  bool only_indices = true;
  for (const ConcreteIndexPart& part : parts)
    only_indices &= !part.is_slice;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::optional<Selection> selection = select(parts[i], array.shape[i]);
    if (!selection) fail_bounds(parts, array);
    if (only_indices)
      result.indices.push_back(selection->begin);
    else
      result.parts.push_back(*selection);
  }
  return result;
}

/// The view that the selections make; at least one is a slice.
ArrayRef view(const ArrayObject& array, const std::vector<Selection>& parts) {
  ArrayRef result = ArrayRef::adopt(new ArrayObject);
  result->element = array.element;
  for (std::size_t i = 0; i < array.shape.size(); ++i)
    if (i >= parts.size())
      result->shape.push_back(array.shape[i]);
    else if (parts[i].is_slice)
      result->shape.push_back(parts[i].count);
  result->leaves.reserve(array.leaves.size());
  for (const Leaf& leaf : array.leaves) {
    Leaf& part = result->leaves.emplace_back();
    part.buffer = leaf.buffer;
    part.element = leaf.element;
    part.offset = leaf.offset;
    for (std::size_t i = 0; i < leaf.extents.size(); ++i) {
      if (i < parts.size() && !parts[i].is_slice) continue;
      part.extents.push_back(i < parts.size() ? parts[i].count : leaf.extents[i]);
      part.strides.push_back(leaf.strides[i]);
    }
    // A slice without elements may begin past the end, and strides be absurd: it stays where it
    // was.
    if (is_empty(part.extents)) continue;
    for (std::size_t i = 0, slices = 0; i < parts.size(); ++i) {
      part.offset += parts[i].begin * leaf.strides[i];
      if (!parts[i].is_slice) continue;
      if (parts[i].count > 1) part.strides[slices] *= parts[i].stride;
      ++slices;
    }
  }
  return result;
}

} // namespace

Value ConcreteDomain::index_general(const ArrayRef& array,
                                    std::span<const ConcreteIndexPart> parts) {
  Selections selections = select_all(*array, parts);
  if (selections.parts.empty()) return get_element(array, selections.indices);
  return view(*array, selections.parts);
}

Value ConcreteDomain::update(Value target, std::span<const ConcreteIndexPart> parts,
                             Value replacement) {
  ArrayRef array = std::move(target.array());
  target = Value();
  Selections selections = select_all(*array, parts);
  if (selections.parts.empty()) {
    array = writable(memory_, std::move(array));
    set_element(memory_, *array, selections.indices, replacement);
    return array;
  }
  ArrayRef seen = view(*array, selections.parts);
  if (!(seen->shape == replacement.array()->shape))
    throw RuntimeError("shape-mismatch", "Value of shape " +
                                             shape_text(replacement.array()->shape) +
                                             " cannot be written to the slice " + describe(parts) +
                                             " of shape " + shape_text(seen->shape) + ".");
  seen = ArrayRef();
  array = writable(memory_, std::move(array));
  copy_into(*view(*array, selections.parts), *replacement.array());
  return array;
}

Value ConcreteDomain::bytes(std::string_view text) {
  ArrayRef array = allocate_array(memory_, representations_.scalar(ElementType::U8),
                                  Extents{static_cast<std::int64_t>(text.size())});
  if (!text.empty())
    std::memcpy(array->leaves.front().buffer->overwrite(), text.data(), text.size());
  return array;
}

Value ConcreteDomain::array_literal(std::span<Value> elements, ConcreteSite& site) {
  const Representation* element = indexed(representations_, site.type(), 1);
  Extents known;
  if (elements.empty() || !element->is_scalar()) known = extents_without_elements(site);
  std::span<const std::int64_t> inner(known);
  if (!inner.empty()) inner = inner.subspan(1);
  return make_array_from_elements(memory_, element, elements, inner);
}

Value ConcreteDomain::range(const RangeBounds<Concrete>& bounds, ConcreteSite& site) {
  auto number = [&](Scalar scalar) {
    return is_unsigned(bounds.type) ? __int128{scalar.bits} : __int128{scalar.as<std::int64_t>()};
  };
  const __int128 first = number(bounds.first);
  const __int128 end = number(bounds.end);
  const __int128 step = bounds.second                             ? number(*bounds.second) - first
                        : bounds.kind == syntax::RangeEnd::DownTo ? -1
                                                                  : 1;
  bool valid = step != 0;
  __int128 last = end; // the largest (smallest) number that may be reached
  switch (bounds.kind) {
  case syntax::RangeEnd::Inclusive:
    valid = valid && (step > 0 ? first <= end : first >= end);
    break;
  case syntax::RangeEnd::UpTo:
    valid = valid && step > 0 && first <= end;
    last = end - 1;
    break;
  case syntax::RangeEnd::DownTo:
    valid = valid && step < 0 && first >= end;
    last = end + 1;
    break;
  }
  if (!valid) {
    std::string message = "Range " + text(bounds.type, bounds.first);
    if (bounds.second) message += ".." + text(bounds.type, *bounds.second);
    message += bounds.kind == syntax::RangeEnd::Inclusive ? "..."
               : bounds.kind == syntax::RangeEnd::UpTo    ? "..<"
                                                          : "..>";
    throw RuntimeError("invalid-range", message + text(bounds.type, bounds.end) + " is invalid.");
  }
  const bool is_empty = step > 0 ? first > last : first < last;
  const __int128 count = is_empty ? 0 : (last - first) / step + 1;
  if (count > INT64_MAX)
    throw RuntimeError(FailureKind::OutOfMemory,
                       "the range has more elements than memory can hold");
  const std::int64_t elements = static_cast<std::int64_t>(count);
  if (accelerator_)
    accelerator_->ahead(Forecaster::filled(elements, byte_size(bounds.type)), innermost_);
  ArrayRef array = allocate_array(memory_, representations_.scalar(bounds.type), Extents{elements});
  void* data = elements > 0 ? array->leaves.front().buffer->overwrite() : nullptr;
  with_cpp_type(bounds.type, [&]<typename T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      // Unsigned arithmetic wraps as the element type does.
      std::uint64_t at = static_cast<std::uint64_t>(first);
      const std::uint64_t by = static_cast<std::uint64_t>(step);
      // (Memory that was never touched may take 60 ms for each page of two megabytes.)
      constexpr std::int64_t chunk = 1 << 15;
      for (std::int64_t begin = 0; begin < elements; begin += chunk) {
        site.poll();
        const std::int64_t until = std::min(elements, begin + chunk);
        for (std::int64_t i = begin; i < until; ++i, at += by)
          static_cast<T*>(data)[i] = static_cast<T>(at);
      }
    }
  });
  return array;
}

std::string ConcreteDomain::show(const Value& value, const Representation* type) {
  return print_value(value, type);
}

} // namespace sinter::eval
