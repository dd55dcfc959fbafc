// About what the evaluator takes for what, in nanoseconds: one table for all forecasts.
#pragma once

#include "lang/core/core.h"
#include "lang/primitives/primitives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sinter::eval::costs {

inline constexpr double per_node = 4;
inline constexpr double per_call = 12;
inline constexpr double per_operation = 150; ///< an array operation, whatever its size
inline constexpr double per_element_applied =
    12; ///< to take an element, and to put its result away
inline constexpr double per_element_combined = 5; ///< by a primitive function
inline constexpr double per_element_moved = 4;
inline constexpr double per_byte_filled = 0.3; ///< fresh memory, most of it the system's share

/// How often a loop goes round, or how many elements an array has, where nothing tells.
inline constexpr double unknown_count = 4;
/// No forecast is longer, so that sums do not overflow.
inline constexpr double longest = 1e15;

inline std::int64_t bounded(double nanoseconds) {
  return static_cast<std::int64_t>(std::min(nanoseconds, longest));
}

/// Where the functions stand that an operation applies to elements, and the array whose length says
/// how often.
struct Applied {
  std::size_t function = 0, array = 0;
};
std::optional<Applied> applied_by(primitives::ArrayOperation operation);

/// Whether the result has an element for each one of the arguments', or may have.
bool gives_elements(primitives::ArrayOperation operation);
/// Whether the result is but another view of the arguments, or nearly.
bool is_view(primitives::ArrayOperation operation);
/// Bytes of one element, where inner arrays have one each.
std::size_t bytes_of_element(const Representation* array);

} // namespace sinter::eval::costs
