// How values of the language lie in an IR function's parameters and results.
//
// A layout is a value with its data left out: records, sums and functions stay as a tree, and each
// scalar and each array is replaced by *places*, numbered in the order of a depth-first walk:
// - a scalar is one place (one whose type the program does not tell, since it is not used, none);
// - an array is a place (i64) for each of its representation's extents (shape first, then the
//   dimensions inside the element type), then a place for each leaf that is not a unit;
// - a record is its fields; a function its captures and arguments (the code itself is part of the
//   layout: a region is compiled for given functions);
// - a sum among the *arguments* is specialised to its constructor (`tag`, then its payload); among
//   the *results* it may be open: a place for the tag, then the payloads of every constructor that
//   it may have (`alternatives`).
#pragma once

#include "jit/runtime/datum.h"
#include "lang/core/core.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::jit {

struct Layout {
  enum class Kind : std::uint8_t { Nothing, Scalar, Array, Record, Sum, OpenSum, Function };
  Kind kind = Kind::Nothing;
  ElementType scalar{};                     ///< of a scalar
  const Representation* array = nullptr;    ///< of an array: the array's own representation
  std::uint32_t tag = 0;                    ///< of a sum
  const core::Function* function = nullptr; ///< of a function
  /// Fields; payload; captures then arguments; for an open sum: one record for each constructor
  /// (Nothing for those that it cannot be).
  std::vector<Layout> parts;
  std::uint32_t capture_count = 0; ///< of a function: how many of `parts` are captures

  friend bool operator==(const Layout&, const Layout&) = default;
};

std::size_t hash(const Layout& layout);
std::size_t hash(std::span<const Layout> layouts);
/// How many places it has.
std::size_t place_count(const Layout& layout);

/// Whether layouts can describe the value: an accumulator has none, nor has an array whose sizes
/// are not below ir::extent_limit.
bool has_layout(const Value& value);
/// The layout of a running program's value.  `type` is its representation; it may be null where the
/// program does not tell (what a function takes and closes over is told by its code).
Layout layout_of(const Value& value, const Representation* type, Representations& table);
/// Appends the data of a value of the layout; `value` is moved from where it is not shared, so that
/// buffers keep a single owner.
void take_apart(Value value, const Layout& layout, std::vector<Datum>& places);
/// The value of a layout from its places (moved from), beginning at `next`, which is advanced.
Value put_together(const Layout& layout, std::span<Datum> places, std::size_t& next);

} // namespace sinter::jit
