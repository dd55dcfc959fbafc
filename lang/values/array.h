// Arrays: a shape over shared, strided leaves.
#pragma once

#include "lang/values/buffer.h"
#include "lang/values/extents.h"
#include "lang/values/representation.h"
#include "lang/values/scalar.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter {

/// One scalar component of every element of an array.  The leaf of a unit `()` has no buffer and
/// strides of 0: it only keeps the sizes of the dimensions around it.
struct Leaf {
  BufferRef buffer;
  ElementType element{};
  std::int64_t offset = 0; ///< of the first element, in elements
  Extents extents;         ///< the array's shape, then the dimensions inside the element type
  Extents strides;         ///< in elements, one per extent; may be 0 or negative
};

/// An array value.  Sharing is by `ArrayRef`; several arrays may view one buffer.
/// Invariants: `leaves.size() == element->leaf_count`; each leaf's extents begin with `shape`;
/// every index within the extents lies inside the leaf's buffer.
struct ArrayObject {
  std::atomic<std::uint32_t> references{1};
  const Representation* element = nullptr; ///< never an array
  Extents shape;                           ///< at least one extent
  std::vector<Leaf> leaves;
};

/// An owning reference to an array object (intrusive, 8 bytes).
class ArrayRef {
public:
  ArrayRef() = default;
  /// Takes over a fresh object (its count is 1).
  static ArrayRef adopt(ArrayObject* object) {
    ArrayRef ref;
    ref.object_ = object;
    return ref;
  }
  ArrayRef(const ArrayRef& other) : object_(other.object_) {
    if (object_) object_->references.fetch_add(1, std::memory_order_relaxed);
  }
  ArrayRef(ArrayRef&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  ArrayRef& operator=(ArrayRef other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ArrayRef() { release(); }
  ArrayObject* operator->() const { return object_; }
  ArrayObject& operator*() const { return *object_; }
  ArrayObject* get() const { return object_; }
  /// Gives up ownership without counting down.
  ArrayObject* detach() {
    ArrayObject* object = object_;
    object_ = nullptr;
    return object;
  }
  explicit operator bool() const { return object_ != nullptr; }
  bool unique() const {
    return object_ && object_->references.load(std::memory_order_acquire) == 1;
  }

private:
  void release() noexcept {
    // The only owner needs no locked instruction: nobody else can make another reference.
    if (object_ && (object_->references.load(std::memory_order_acquire) == 1 ||
                    object_->references.fetch_sub(1, std::memory_order_acq_rel) == 1))
      delete object_;
  }
  ArrayObject* object_ = nullptr;
};

/// Product of extents; throws RuntimeError{OutOfMemory} when it overflows, or Program when an
/// extent is negative.
std::int64_t element_count(std::span<const std::int64_t> extents);

/// A fresh row-major array.  `inner_extents` lists, for each leaf, the extents inside the element
/// (empty lists for scalar elements); contents undefined unless `zeroed`.
ArrayRef allocate_array(MemoryBudget& budget, const Representation* element, Extents shape,
                        std::span<const Extents> inner_extents, bool zeroed = false);
/// The same for an element type without inner arrays.
ArrayRef allocate_array(MemoryBudget& budget, const Representation* element, Extents shape);

bool is_row_major(const Leaf& leaf);
/// Whether the elements of the innermost dimension lie one after the other.
bool has_contiguous_rows(const Leaf& leaf);
/// Whether no two indices lead to the same element.  May say no where the answer is yes: it wants
/// the strides, sorted, to leave room for each other, as every view of a row-major array has them.
bool is_injective(const Leaf& leaf);
/// Where the leaf's first element lies, to be read.  Throws as Buffer::contents.
inline const std::byte* first_element(const Leaf& leaf) {
  return leaf.buffer->contents() + leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element));
}
/// The same, to be written.  Throws as Buffer::overwrite.
inline std::byte* first_place(const Leaf& leaf) {
  return leaf.buffer->overwrite() +
         leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element));
}
/// A leaf of its own with the same contents, row-major.
Leaf copy(MemoryBudget& budget, const Leaf& leaf);
/// The leaf itself if it may be overwritten in place (it is its buffer's only owner, and no two of
/// its elements share a place), else a copy.
Leaf writable(MemoryBudget& budget, Leaf leaf);
/// Whether a place may belong to both.
bool may_overlap(const Leaf& a, const Leaf& b);
/// The strides of the same elements, equal in number, under another shape; absent if there are none
/// that give the same order.
std::optional<Extents> reshaped_strides(std::span<const std::int64_t> extents,
                                        std::span<const std::int64_t> strides,
                                        std::span<const std::int64_t> wanted);
/// A row-major array with the same contents: itself if it is so already, else a copy.
ArrayRef row_major(MemoryBudget& budget, const ArrayRef& array);
/// Always a fresh copy, row-major.
ArrayRef copy(MemoryBudget& budget, const ArrayRef& array);

// Views: none copies an element.
/// Fixes the first `indices.size()` dimensions (fewer than the rank; bounds already checked).
ArrayRef index_view(const ArrayRef& array, std::span<const std::int64_t> indices);
/// One dimension: elements begin, begin+stride, … (`count` of them; bounds already checked).
ArrayRef slice_view(const ArrayRef& array, std::uint32_t dimension, std::int64_t begin,
                    std::int64_t count, std::int64_t stride);
ArrayRef transpose_view(const ArrayRef& array, std::uint32_t first, std::uint32_t second);
/// A view whose first `replaced_dimensions` dimensions are `outer_shape` instead (of equal size),
/// or null if the strides do not allow one.
ArrayRef reshape_view(const ArrayRef& array, Extents outer_shape,
                      std::uint32_t replaced_dimensions);

/// Copies `source` over the elements of `target` (same element representation, same shape, both
/// leaves' inner extents equal); correct also where they overlap.
void copy_into(ArrayObject& target, const ArrayObject& source);

} // namespace sinter
