// Between values and the elements of arrays.
//
// An array keeps its elements as leaves (array.h); the evaluator asks for one element as a value,
// and makes arrays of values.  Everything that must know how a record, a sum or an inner array is
// spread over leaves is here:
// - a record's fields are read from (written to) their own leaves;
// - a sum's first leaf is its tag (u8 for up to 256 constructors, else u32), then the payloads of
//   all constructors; the payloads of constructors that an element does not have are zeros, so
//   that equal elements have equal leaves;
// - an inner array is a view of its leaves;
// - a unit `()` has one leaf without a buffer, that keeps sizes only.
//
// *Extents of a representation*: one number for each array dimension in it, in the order of a
// depth-first walk, outermost first (the order of core::SizedType).  `unknown_extent` stands for
// one that no value has shown yet: an inactive constructor's payload.
#pragma once

#include "lang/values/concrete.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter {

inline constexpr std::int64_t unknown_extent = -1;

/// How many extents a representation has.
std::uint32_t extent_count(const Representation* representation);
/// The extents of a value; unknown ones where a sum's value does not show them.
Extents element_extents(const Value& value, const Representation* representation);
/// The extents of an array including its own shape, all known.
Extents array_extents(const ArrayRef& array);

// ---- reading and writing elements --------------------------------------------------------------

/// Whole elements, or rows if there are fewer indices than dimensions.  Bounds already checked.
/// Inner arrays and rows are views: no element is copied but scalars.
Value get_element_slow(const ArrayObject& array, std::span<const std::int64_t> indices);
inline Value get_element(const ArrayRef& array, std::span<const std::int64_t> indices) {
  const ArrayObject& object = *array;
  if (object.element->is_scalar() && indices.size() == object.shape.size()) {
    const Leaf& leaf = object.leaves.front();
    std::int64_t at = leaf.offset;
    for (std::size_t i = 0; i < indices.size(); ++i)
      at += indices[i] * leaf.strides[i];
    return load_scalar(leaf.element, leaf.buffer->contents(), at);
  }
  return get_element_slow(object, indices);
}
inline Value get_element(const ArrayRef& array, std::int64_t index) {
  return get_element(array, std::span<const std::int64_t>(&index, 1));
}

/// The array itself if it may be overwritten in place (nobody else owns it or one of its buffers,
/// and no two of its elements share a place), else a row-major copy.  Copies no more leaves than
/// needed.  Move the only reference in: `array = writable(memory, std::move(array))`.
ArrayRef writable(MemoryBudget& memory, ArrayRef array);

/// Overwrites an element, or a row if there are fewer indices than dimensions.  The array must be
/// `writable`, the indices in bounds.  Throws RuntimeError{Program} if the value's inner extents
/// are not those of the array ("irregular array"); then the array is unchanged.  The value may be a
/// view of the array.
void set_element_slow(MemoryBudget& memory, ArrayObject& array,
                      std::span<const std::int64_t> indices, const Value& value);
inline void set_element(MemoryBudget& memory, ArrayObject& array,
                        std::span<const std::int64_t> indices, const Value& value) {
  if (array.element->is_scalar() && indices.size() == array.shape.size()) {
    Leaf& leaf = array.leaves.front();
    std::int64_t at = leaf.offset;
    for (std::size_t i = 0; i < indices.size(); ++i)
      at += indices[i] * leaf.strides[i];
    store_scalar(leaf.element, leaf.buffer->overwrite(), at, value.scalar());
    return;
  }
  set_element_slow(memory, array, indices, value);
}
inline void set_element(MemoryBudget& memory, ArrayObject& array, std::int64_t index,
                        const Value& value) {
  set_element(memory, array, std::span<const std::int64_t>(&index, 1), value);
}

// ---- making arrays -----------------------------------------------------------------------------

/// A row-major array of any array representation, given all its extents (shape first; unknown ones
/// count as 0).  Contents are zeros if `zeroed`, else undefined.  Throws RuntimeError{OutOfMemory}.
ArrayRef allocate_with_extents(MemoryBudget& memory, const Representation* array,
                               std::span<const std::int64_t> extents, bool zeroed = true);

/// Collects the elements of an array, whose number is known beforehand.
///
///   ArrayBuilder builder(memory, element_representation, n, known_extents);
///   for (...) builder.append(value);
///   ArrayRef array = builder.finish();
///
/// Extents inside the elements come from the elements; `known` (the extents of `element`; may be
/// empty, entries may be unknown) only supplies those that no element shows, as when n is 0.
/// `append` throws RuntimeError{Program} "irregular array" when an element's inner extents differ
/// from an earlier one's.
class ArrayBuilder {
public:
  /// `element` may be an array itself: the result then has a dimension more than it.
  ArrayBuilder(MemoryBudget& memory, const Representation* element, std::int64_t count,
               std::span<const std::int64_t> known = {});
  void append(const Value& value) {
    if (scalars_) {
      store_scalar(scalar_type_, scalars_, filled_++, value.scalar());
      return;
    }
    append_slow(value);
  }
  /// Appends all elements of an array of the same element type; at least one must have been
  /// appended before.  Throws like `append`.
  void append_all(const ArrayRef& elements);
  std::int64_t size() const { return filled_; }
  /// The array; all `count` elements must have been appended.  The builder is then empty.
  ArrayRef finish();

private:
  void append_slow(const Value& value);

  MemoryBudget& memory_;
  const Representation* element_;
  std::int64_t count_;
  std::int64_t filled_ = 0;
  Extents known_;
  ArrayRef array_;               ///< once the extents are known
  std::byte* scalars_ = nullptr; ///< the fast path: where elements go if they are scalars
  ElementType scalar_type_{};
};

/// An array of the elements; see ArrayBuilder.
ArrayRef make_array_from_elements(MemoryBudget& memory, const Representation* element,
                                  std::span<const Value> elements,
                                  std::span<const std::int64_t> known = {});
/// `count` times the same element.  Throws RuntimeError{OutOfMemory}.
ArrayRef replicate(MemoryBudget& memory, const Representation* element, std::int64_t count,
                   const Value& value);
/// Joins along a dimension (default: the outermost); at least one array, all of one representation.
/// Throws RuntimeError{Program} if other extents differ.
ArrayRef concatenate(MemoryBudget& memory, std::span<const ArrayRef> arrays,
                     std::uint32_t dimension = 0);
/// `reshape_view` where it is possible, else of a row-major copy.
ArrayRef reshape(MemoryBudget& memory, const ArrayRef& array, Extents outer_shape,
                 std::uint32_t replaced_dimensions);

// ---- arrays of records and records of arrays ---------------------------------------------------

/// An array of records from one array for each field, in canonical order, sharing the leaves.
/// `record` is the element type; `rank` dimensions become the result's shape.  Throws
/// RuntimeError{Program} if those of the arrays differ.
ArrayRef zip(const Representation* record, std::span<const ArrayRef> fields,
             std::uint32_t rank = 1);
/// A field of every record of an array, as an array that shares the leaves.
ArrayRef project(const ArrayRef& records, std::uint32_t field);
/// All fields: a record of arrays.
Value unzip(const ArrayRef& records);

// ---- questions ---------------------------------------------------------------------------------

/// Equality by the language's rules: floats by ==, so NaN differs from itself; arrays of different
/// shape differ.  Functions and accumulators must not occur.
bool equal(const Value& a, const Value& b, const Representation* representation);

/// Reads a size off a value (core::SizePath): follows record fields by position, through arrays of
/// records into their leaves too, then gives the extent of the array found there.  A step into a
/// sum takes two numbers, the constructor's tag and the position in its payload; it is absent where
/// the value has another constructor.
std::optional<std::int64_t> extent_at(const Value& value, std::span<const std::uint32_t> fields,
                                      std::uint32_t dimension);

/// "[2][3]" of the extents.
std::string shape_text(std::span<const std::int64_t> extents);

} // namespace sinter
