// How far two results of one type are apart, and how far a result is from the truth.
#pragma once

#include "lang/eval/wide_numbers.h"
#include "repl/comparing/scalars_of.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::comparing {

/// Floats between two floats of one type, plus one; 0 for equal bits and for any two NaNs (and +0
/// and -0 are 1 apart); the largest number if only one is NaN.
std::uint64_t ulps_between(ElementType element, Scalar a, Scalar b);

struct Difference {
  bool same_structure = true;     ///< if not, the rest says nothing
  std::size_t count = 0;          ///< scalars that differ
  std::size_t exact_count = 0;    ///< of them: integers and truth values
  std::uint64_t largest_ulps = 0; ///< of the floats that differ
  /// The first integer or truth value that differs, else the float that differs most.
  std::optional<std::size_t> position;
  bool is_same() const { return same_structure && count == 0; }
};
Difference difference(const ScalarsOf& a, const ScalarsOf& b);

/// Floats of a result against wide numbers.
struct Accuracy {
  bool same_structure = true; ///< and the same integers and truth values; if not, the program went
                              ///< another way
  std::size_t floats = 0;
  double largest_ulps = 0;
  double fewest_digits = 0; ///< decimal digits that hold everywhere; infinite if all are exact
  double mean_ulps = 0;     ///< over those where both are finite
  std::optional<std::size_t> position; ///< of the largest error
};
Accuracy accuracy(const eval::WideNumbers& numbers, const ScalarsOf& wide, const ScalarsOf& found);

/// For each result at how many floats none is closer, but for those at which all are equally far:
/// their number is the last.  `results` must not be empty.
std::vector<std::size_t> closest(const eval::WideNumbers& numbers, const ScalarsOf& wide,
                                 std::span<const ScalarsOf> results);

} // namespace sinter::comparing
