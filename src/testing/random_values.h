// Random values for `random input { … }` and for properties; equal seeds give equal values.
#pragma once

#include "repl/session/session.h"
#include "src/testing/comparison.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinter::testing {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): small,
/// and the same everywhere.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// At least 0 and less than 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state_;
};

/// The values that a text such as "[100]i32 3i64 [2][3]f32" describes: integers of their type's
/// whole range, floats in [0, 1), and constants as they are.  Throws FormatError.
std::vector<TypedValue> random_values(repl::Session& session, std::string_view types,
                                      Random& random);

/// A value of any representation without functions: every array dimension has `extent` elements,
/// integers lie within ±`magnitude`.
Value random_value(repl::Session& session, const Representation* representation,
                   std::int64_t extent, std::int64_t magnitude, Random& random);

} // namespace sinter::testing
