// Random input for test blocks (`random input { [100]f32 i32 }`) and data sets.
//
// The generator is our own and fixed, so that a seed names the same data for ever, on every
// machine: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014),
// one 64-bit number for each element, in the order of the elements.  An integer is its type's lower
// bound plus the high half of the 128-bit product of that number and the width of the range; a
// float is the lower bound plus the top 53 bits, as a fraction of one, of the range's width, in
// double precision, rounded down to the type; a bool is the lowest bit.  Each value starts anew
// from the seed and its position in the list.
#pragma once

#include "lang/values/format.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinter {

/// Inclusive bounds for one element type; `low` <= `high`, both of that type.
struct ValueBounds {
  Scalar low;
  Scalar high;
};

/// Bounds for every element type.  By default integers are any of their type, floats from 0 to 1.
class RandomBounds {
public:
  RandomBounds();
  ValueBounds& operator[](ElementType element) {
    return bounds_[static_cast<std::size_t>(element)];
  }
  const ValueBounds& operator[](ElementType element) const {
    return bounds_[static_cast<std::size_t>(element)];
  }

private:
  std::array<ValueBounds, all_element_types.size()> bounds_;
};

/// A random array, or a scalar if `shape` is empty.  Throws RuntimeError{OutOfMemory}.
ExternalValue generate_value(ElementType element, const Extents& shape, std::uint64_t seed,
                             MemoryBudget& memory, Representations& representations,
                             const RandomBounds& bounds = {});

/// The values that a list of types stands for: `[100]f32` and `i32` are random, a number is itself.
/// `wanted` (may be shorter) types numbers without suffix.  Throws FormatError with line and column
/// for anything else, and for types that have no such notation.
std::vector<ExternalValue> generate_values(std::string_view types, std::uint64_t seed,
                                           MemoryBudget& memory, Representations& representations,
                                           const RandomBounds& bounds = {},
                                           std::span<const ElementType> wanted = {});

} // namespace sinter
