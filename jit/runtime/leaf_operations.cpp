#include "jit/runtime/leaf_operations.h"

#include "lang/values/strided.h"

#include <cassert>

namespace sinter::jit {

Leaf allocate_leaf(MemoryBudget& memory, ElementType element, Extents extents) {
  Leaf leaf;
  leaf.element = element;
  leaf.strides = row_major_strides(extents);
  leaf.buffer = Buffer::allocate(memory, block_bytes(element, extents));
  leaf.extents = std::move(extents);
  return leaf;
}

std::uint64_t content_bytes(const Leaf& leaf) {
  std::uint64_t count = byte_size(leaf.element);
  for (std::int64_t extent : leaf.extents)
    count *= static_cast<std::uint64_t>(extent);
  return count;
}

Leaf index_leaf(Leaf leaf, std::span<const std::int64_t> indices) {
  // (Where there are no elements, strides may be absurd.)
  if (!is_empty(leaf.extents)) leaf.offset = element_position(leaf, indices);
  leaf.extents.erase(leaf.extents.begin(), leaf.extents.begin() + indices.size());
  leaf.strides.erase(leaf.strides.begin(), leaf.strides.begin() + indices.size());
  return leaf;
}

Leaf slice_leaf(Leaf leaf, std::span<const std::int64_t> begins,
                std::span<const std::int64_t> strides, Extents extents) {
  assert(begins.size() == leaf.extents.size());
  // A slice without elements may begin past the end, and strides be absurd: it stays where it was.
  for (std::size_t d = 0; d < begins.size() && !is_empty(extents); ++d) {
    leaf.offset += begins[d] * leaf.strides[d];
    if (extents[d] > 1) leaf.strides[d] *= strides[d];
  }
  leaf.extents = std::move(extents);
  return leaf;
}

bool is_slice_inside(std::span<const std::int64_t> whole, std::span<const std::int64_t> begins,
                     std::span<const std::int64_t> strides, std::span<const std::int64_t> extents) {
  if (is_empty(extents)) return true;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    std::int64_t last = 0;
    if (__builtin_mul_overflow(extents[d] - 1, strides[d], &last) ||
        __builtin_add_overflow(last, begins[d], &last) || begins[d] < 0 || begins[d] >= whole[d] ||
        last < 0 || last >= whole[d])
      return false;
  }
  return true;
}

Leaf transpose_leaf(Leaf leaf, std::span<const std::uint32_t> permutation) {
  Extents extents(permutation.size()), strides(permutation.size());
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    extents[d] = leaf.extents[permutation[d]];
    strides[d] = leaf.strides[permutation[d]];
  }
  leaf.extents = std::move(extents);
  leaf.strides = std::move(strides);
  return leaf;
}

bool reshape_in_place(Leaf& leaf, const Extents& extents) {
  std::optional<Extents> strides = reshaped_strides(leaf.extents, leaf.strides, extents);
  if (!strides) return false;
  leaf.extents = extents;
  leaf.strides = std::move(*strides);
  return true;
}

void copy_elements(const Leaf& target, const Leaf& source) {
  assert(target.extents == source.extents && target.element == source.element);
  if (is_empty(target.extents)) return;
  copy_strided(first_place(target), target.strides, first_element(source), source.strides,
               target.extents, byte_size(target.element));
}

} // namespace sinter::jit
