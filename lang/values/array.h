// Arrays: a shape over shared, strided leaves.
#pragma once

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

/// Counts the bytes that buffers hold and refuses to exceed a limit.  One per session; must outlive
/// its buffers.  Whatever the limit, it refuses more than the machine (or its container) has.
///
/// It also keeps large pieces of memory that buffers gave back for the next buffers: to get fresh
/// pages from the system costs more than to fill them.  Those pieces count as free.
class MemoryBudget {
public:
  explicit MemoryBudget(std::size_t limit_bytes = SIZE_MAX);
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;
  ~MemoryBudget();
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }
  std::size_t limit() const { return limit_.load(std::memory_order_relaxed); }
  std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
  /// Throws RuntimeError{OutOfMemory} if the limit would be exceeded.
  void take(std::size_t bytes);
  void give(std::size_t bytes) noexcept { in_use_.fetch_sub(bytes, std::memory_order_relaxed); }
  /// Bytes kept for the next buffers.
  std::size_t spare() const;
  /// Gives the kept memory back to the system.
  void release_spare() noexcept;

private:
  friend class Buffer;
  class SparePages;
  std::atomic<std::size_t> in_use_{0};
  std::atomic<std::size_t> limit_;
  std::unique_ptr<SparePages> spare_;
};

/// 64-byte-aligned storage with a reference count.  Whole multiples of 64 bytes may be read and
/// written, so that vector code needs no special last step.
class Buffer {
public:
  static constexpr std::size_t alignment = 64;
  /// From this size on, memory comes in pages from the system, or from those that the budget keeps.
  static constexpr std::size_t mapped_size = std::size_t{512} << 10;

  /// Throws RuntimeError{OutOfMemory} when the budget or the system has no such memory.
  /// The contents are undefined.
  static class BufferRef allocate(MemoryBudget& budget, std::size_t bytes);
  /// The same with contents that are all zero.
  static class BufferRef allocate_zeroed(MemoryBudget& budget, std::size_t bytes);
  std::byte* data() { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// What the buffer is counted in.
  MemoryBudget& budget() const { return *budget_; }

private:
  friend class BufferRef;
  Buffer() = default;
  static BufferRef allocate(MemoryBudget& budget, std::size_t bytes, bool zeroed);
  static void destroy(Buffer* buffer) noexcept;

  std::atomic<std::uint32_t> references_{1};
  MemoryBudget* budget_ = nullptr;
  std::byte* data_ = nullptr;
  void* base_ = nullptr; ///< what to free, or to unmap
  std::size_t bytes_ = 0;
  std::size_t mapped_bytes_ = 0; ///< whole pages at `base_`; 0 if it comes from the heap
};

/// An owning reference to a buffer.
class BufferRef {
public:
  BufferRef() = default;
  BufferRef(const BufferRef& other) : buffer_(other.buffer_) {
    if (buffer_) buffer_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  BufferRef(BufferRef&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  BufferRef& operator=(BufferRef other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~BufferRef() {
    if (buffer_ && (buffer_->references_.load(std::memory_order_acquire) == 1 ||
                    buffer_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1))
      Buffer::destroy(buffer_);
  }
  Buffer* operator->() const { return buffer_; }
  Buffer* get() const { return buffer_; }
  explicit operator bool() const { return buffer_ != nullptr; }
  /// Whether this is the only reference: then the contents may be overwritten.
  bool unique() const {
    return buffer_ && buffer_->references_.load(std::memory_order_acquire) == 1;
  }

private:
  friend class Buffer;
  explicit BufferRef(Buffer* owned) : buffer_(owned) {}
  Buffer* buffer_ = nullptr;
};

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
/// Whether no two indices lead to the same element.  May say no where the answer is yes: it wants
/// the strides, sorted, to leave room for each other, as every view of a row-major array has them.
bool is_injective(const Leaf& leaf);
/// Where the leaf's first element lies.
inline std::byte* first_element(const Leaf& leaf) {
  return leaf.buffer->data() + leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element));
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
