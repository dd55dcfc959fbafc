// A value taken apart into its scalars, in the order of a depth-first walk, so that two results of
// one type can be compared number by number.
#pragma once

#include "lang/values/concrete.h"
#include "lang/values/representation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::comparing {

struct TypedScalar {
  ElementType element{};
  Scalar scalar;
};
struct ScalarsOf {
  std::vector<TypedScalar> scalars;
  /// Extents of arrays and tags of sums on the way: two values with equal structure have the same
  /// scalars at the same places.
  std::vector<std::int64_t> structure;
};

/// The scalars of a value without functions.
ScalarsOf scalars_of(Representations& representations, const Value& value,
                     const Representation* type);
/// Where a scalar stands in the value: "[3, 4]", "[7].x", ".1[0]"; empty for a scalar by itself.
std::string place_of(Representations& representations, const Value& value,
                     const Representation* type, std::size_t position);

} // namespace sinter::comparing
