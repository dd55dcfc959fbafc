// Array operations of host-level code, on single leaves.  Views copy nothing; what is written must
// be `writable`.  Indices and slices are in bounds.
#pragma once

#include "lang/values/array.h"

#include <span>

namespace sinter::jit {

/// A row-major leaf with undefined contents.  Throws RuntimeError{OutOfMemory}.
Leaf allocate_leaf(MemoryBudget& memory, ElementType element, Extents extents);

/// Bytes of the leaf's elements.
std::uint64_t content_bytes(const Leaf& leaf);

/// The part at the indices of the first dimensions; takes the leaf's buffer along.
Leaf index_leaf(Leaf leaf, std::span<const std::int64_t> indices);
/// In dimension d: begins[d], begins[d]+strides[d], …, `extents[d]` of them.
Leaf slice_leaf(Leaf leaf, std::span<const std::int64_t> begins,
                std::span<const std::int64_t> strides, Extents extents);
/// Whether such a slice is a part of an array of these extents; one without elements always is.
bool is_slice_inside(std::span<const std::int64_t> whole, std::span<const std::int64_t> begins,
                     std::span<const std::int64_t> strides, std::span<const std::int64_t> extents);
/// Dimension d of the result is dimension permutation[d].
Leaf transpose_leaf(Leaf leaf, std::span<const std::uint32_t> permutation);
/// Gives the same elements other extents.  False, and nothing has changed, where the strides allow
/// no such view; a row-major leaf allows all.
bool reshape_in_place(Leaf& leaf, const Extents& extents);

/// Position of an element in its buffer.
inline std::int64_t element_position(const Leaf& leaf, std::span<const std::int64_t> indices) {
  std::int64_t at = leaf.offset;
  for (std::size_t i = 0; i < indices.size(); ++i)
    at += indices[i] * leaf.strides[i];
  return at;
}

/// Writes the source's elements over those of a leaf of the same extents, which shares no place
/// with it.
void copy_elements(const Leaf& target, const Leaf& source);

} // namespace sinter::jit
