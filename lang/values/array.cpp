#include "lang/values/array.h"

#include "lang/base/runtime_error.h"
#include "lang/values/elements.h"
#include "lang/values/strided.h"

#include <cassert>

namespace sinter {

std::int64_t element_count(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  bool overflow = false;
  bool empty = false;
  for (std::int64_t extent : extents) {
    if (extent < 0)
      throw RuntimeError("invalid-range", "an array cannot have the shape " + shape_text(extents) +
                                              ": a size is negative");
    empty |= extent == 0;
    overflow |= __builtin_mul_overflow(count, extent, &count);
  }
  if (empty) return 0;
  if (overflow)
    throw RuntimeError(FailureKind::OutOfMemory, "out of memory: an array of shape " +
                                                     shape_text(extents) +
                                                     " has more elements than can be counted");
  return count;
}

ArrayRef allocate_array(MemoryBudget& budget, const Representation* element, Extents shape,
                        std::span<const Extents> inner_extents, bool zeroed) {
  assert(!shape.empty() && !element->is_array());
  element_count(shape); // a negative size is an error whatever the elements are
  ArrayRef array = ArrayRef::adopt(new ArrayObject);
  array->element = element;
  array->leaves.resize(element->leaf_count);
  for (std::size_t i = 0; i < array->leaves.size(); ++i) {
    Leaf& leaf = array->leaves[i];
    const LeafLayout& layout = element->leaves[i];
    leaf.element = layout.element;
    leaf.extents = shape;
    if (i < inner_extents.size()) leaf.extents.append(inner_extents[i]);
    if (layout.is_unit) {
      leaf.strides.assign(leaf.extents.size(), 0);
      continue;
    }
    leaf.strides = row_major_strides(leaf.extents);
    std::size_t bytes = block_bytes(leaf.element, leaf.extents);
    leaf.buffer = zeroed ? Buffer::allocate_zeroed(budget, bytes) : Buffer::allocate(budget, bytes);
  }
  array->shape = std::move(shape);
  return array;
}

ArrayRef allocate_array(MemoryBudget& budget, const Representation* element, Extents shape) {
  assert(element->extent_count == 0);
  return allocate_array(budget, element, std::move(shape), {});
}

bool is_row_major(const Leaf& leaf) {
  if (!leaf.buffer || is_empty(leaf.extents)) return true;
  std::int64_t stride = 1;
  for (std::size_t i = leaf.extents.size(); i-- > 0;) {
    if (leaf.extents[i] != 1 && leaf.strides[i] != stride) return false;
    stride *= leaf.extents[i];
  }
  return true;
}

bool has_contiguous_rows(const Leaf& leaf) {
  return !leaf.strides.empty() && (leaf.strides.back() == 1 || leaf.extents.back() <= 1);
}

Leaf copy(MemoryBudget& budget, const Leaf& leaf) {
  if (!leaf.buffer) return leaf;
  Leaf fresh;
  fresh.element = leaf.element;
  fresh.extents = leaf.extents;
  fresh.strides = row_major_strides(leaf.extents);
  fresh.buffer = Buffer::allocate(budget, block_bytes(leaf.element, leaf.extents));
  copy_strided(fresh.buffer->overwrite(), fresh.strides, first_element(leaf), leaf.strides,
               leaf.extents, byte_size(leaf.element));
  return fresh;
}

Leaf writable(MemoryBudget& budget, Leaf leaf) {
  if (!leaf.buffer || (leaf.buffer.unique() && is_injective(leaf))) return leaf;
  return copy(budget, leaf);
}

namespace {

/// Bytes of the buffer from the first to past the last that a leaf can reach.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
Range reach(const Leaf& leaf) {
  Range range{leaf.offset, leaf.offset + 1};
  for (std::size_t i = 0; i < leaf.extents.size(); ++i) {
    std::int64_t span = (leaf.extents[i] - 1) * leaf.strides[i];
    (span < 0 ? range.begin : range.end) += span;
  }
  return range;
}

} // namespace

bool may_overlap(const Leaf& a, const Leaf& b) {
  if (a.buffer.get() != b.buffer.get()) return false;
  Range x = reach(a), y = reach(b);
  return x.begin < y.end && y.begin < x.end;
}

bool is_injective(const Leaf& leaf) {
  Extents order;
  for (std::size_t i = 0; i < leaf.extents.size(); ++i)
    if (leaf.extents[i] != 1) order.push_back(static_cast<std::int64_t>(i));
  auto step = [&](std::int64_t i) { return std::abs(leaf.strides[static_cast<std::size_t>(i)]); };
  std::sort(order.begin(), order.end(),
            [&](std::int64_t i, std::int64_t j) { return step(i) < step(j); });
  std::int64_t room = 1;
  for (std::int64_t i : order) {
    if (step(i) < room) return false;
    room = step(i) * (leaf.extents[static_cast<std::size_t>(i)] - 1) + room;
  }
  return true;
}

namespace {

ArrayRef view_of(const ArrayRef& array) {
  ArrayRef view = ArrayRef::adopt(new ArrayObject);
  view->element = array->element;
  view->shape = array->shape;
  view->leaves = array->leaves;
  return view;
}

} // namespace

// Groups of old dimensions that lie densely are matched with groups of new ones of the same
// product.
std::optional<Extents> reshaped_strides(std::span<const std::int64_t> extents,
                                        std::span<const std::int64_t> strides,
                                        std::span<const std::int64_t> wanted) {
  if (is_empty(extents)) return row_major_strides(wanted);
  Extents old_extents, old_strides;
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (extents[i] != 1) {
      old_extents.push_back(extents[i]);
      old_strides.push_back(strides[i]);
    }
  Extents result(wanted.size(), 0);
  std::size_t from = 0, to = 0;
  while (from < old_extents.size()) {
    std::size_t from_end = from + 1, to_begin = to;
    std::int64_t old_size = old_extents[from], new_size = 1;
    while (new_size != old_size) {
      if (new_size < old_size)
        new_size *= wanted[to++];
      else
        old_size *= old_extents[from_end++];
    }
    for (std::size_t i = from; i + 1 < from_end; ++i)
      if (old_strides[i] != old_strides[i + 1] * old_extents[i + 1]) return std::nullopt;
    std::int64_t stride = old_strides[from_end - 1];
    for (std::size_t i = to; i-- > to_begin;) {
      result[i] = stride;
      stride *= wanted[i];
    }
    from = from_end;
  }
  return result; // what is left in `wanted` are ones
}

ArrayRef copy(MemoryBudget& budget, const ArrayRef& array) {
  ArrayRef fresh = ArrayRef::adopt(new ArrayObject);
  fresh->element = array->element;
  fresh->shape = array->shape;
  fresh->leaves.reserve(array->leaves.size());
  for (const Leaf& leaf : array->leaves)
    fresh->leaves.push_back(copy(budget, leaf));
  return fresh;
}

ArrayRef row_major(MemoryBudget& budget, const ArrayRef& array) {
  if (std::all_of(array->leaves.begin(), array->leaves.end(), is_row_major)) return array;
  ArrayRef result = view_of(array);
  for (Leaf& leaf : result->leaves)
    if (!is_row_major(leaf)) leaf = copy(budget, leaf);
  return result;
}

ArrayRef writable(MemoryBudget& memory, ArrayRef array) {
  if (!array.unique()) return copy(memory, array);
  for (Leaf& leaf : array->leaves)
    leaf = writable(memory, std::move(leaf));
  return array;
}

ArrayRef index_view(const ArrayRef& array, std::span<const std::int64_t> indices) {
  std::size_t count = indices.size();
  assert(count < array->shape.size());
  ArrayRef view = ArrayRef::adopt(new ArrayObject);
  view->element = array->element;
  view->shape = Extents(array->shape.begin() + count, array->shape.end());
  view->leaves.reserve(array->leaves.size());
  for (const Leaf& leaf : array->leaves) {
    Leaf& part = view->leaves.emplace_back();
    part.buffer = leaf.buffer;
    part.element = leaf.element;
    part.offset = leaf.offset;
    // (Where there are no elements, strides may be absurd.)
    for (std::size_t i = 0; i < count && !is_empty(leaf.extents); ++i)
      part.offset += indices[i] * leaf.strides[i];
    part.extents = Extents(leaf.extents.begin() + count, leaf.extents.end());
    part.strides = Extents(leaf.strides.begin() + count, leaf.strides.end());
  }
  return view;
}

ArrayRef slice_view(const ArrayRef& array, std::uint32_t dimension, std::int64_t begin,
                    std::int64_t count, std::int64_t stride) {
  assert(dimension < array->shape.size() && count >= 0);
  ArrayRef view = view_of(array);
  view->shape[dimension] = count;
  for (Leaf& leaf : view->leaves) {
    leaf.extents[dimension] = count;
    // A slice without elements may begin past the end, and strides be absurd: it stays where it
    // was.
    if (is_empty(leaf.extents)) continue;
    leaf.offset += begin * leaf.strides[dimension];
    if (count > 1) leaf.strides[dimension] *= stride;
  }
  return view;
}

ArrayRef transpose_view(const ArrayRef& array, std::uint32_t first, std::uint32_t second) {
  assert(first < array->shape.size() && second < array->shape.size());
  ArrayRef view = view_of(array);
  std::swap(view->shape[first], view->shape[second]);
  for (Leaf& leaf : view->leaves) {
    std::swap(leaf.extents[first], leaf.extents[second]);
    std::swap(leaf.strides[first], leaf.strides[second]);
  }
  return view;
}

ArrayRef reshape_view(const ArrayRef& array, Extents outer_shape,
                      std::uint32_t replaced_dimensions) {
  assert(replaced_dimensions <= array->shape.size());
  auto replace = [&](Extents& list, std::span<const std::int64_t> by) {
    Extents replaced(by);
    replaced.append(std::span<const std::int64_t>(list).subspan(replaced_dimensions));
    list = std::move(replaced);
  };
  assert(element_count(std::span<const std::int64_t>(array->shape).first(replaced_dimensions)) ==
         element_count(outer_shape));
  ArrayRef view = view_of(array);
  for (Leaf& leaf : view->leaves) {
    std::optional<Extents> strides;
    if (leaf.buffer)
      strides = reshaped_strides(
          std::span<const std::int64_t>(leaf.extents).first(replaced_dimensions),
          std::span<const std::int64_t>(leaf.strides).first(replaced_dimensions), outer_shape);
    else
      strides = Extents(outer_shape.size(), 0);
    if (!strides) return {};
    replace(leaf.extents, outer_shape);
    replace(leaf.strides, *strides);
  }
  replace(view->shape, outer_shape);
  return view;
}

void copy_into(ArrayObject& target, const ArrayObject& source) {
  assert(target.leaves.size() == source.leaves.size());
  for (std::size_t i = 0; i < target.leaves.size(); ++i) {
    Leaf& to = target.leaves[i];
    const Leaf& from = source.leaves[i];
    if (!to.buffer) continue;
    assert(to.extents == from.extents);
    if (is_empty(to.extents)) continue;
    std::size_t size = byte_size(to.element);
    if (may_overlap(to, from)) {
      Leaf kept = copy(to.buffer->budget(), from);
      copy_strided(first_place(to), to.strides, first_element(kept), kept.strides, to.extents,
                   size);
    } else {
      copy_strided(first_place(to), to.strides, first_element(from), from.strides, to.extents,
                   size);
    }
  }
}

} // namespace sinter
