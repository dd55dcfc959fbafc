// Whether a result is what a test expects.
#pragma once

#include "lang/values/format.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter::testing {

/// Floats may differ by this, absolutely or relative to the largest finite element expected in the
/// same value (the rule of Futhark's own tester).
inline constexpr double float_tolerance = 0.002;

/// A value with its representation, a scalar or array of scalars.
struct TypedValue {
  Value value;
  const Representation* representation = nullptr;
};

/// Nothing if they agree; otherwise where and how they differ.  NaN agrees with NaN.
std::optional<std::string> difference(const std::vector<TypedValue>& expected,
                                      const std::vector<TypedValue>& found);

} // namespace sinter::testing
