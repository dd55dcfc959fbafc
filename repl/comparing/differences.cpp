#include "repl/comparing/differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::comparing {
namespace {

bool is_nan(ElementType element, Scalar scalar) {
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, Half> || std::is_floating_point_v<T>)
      return std::isnan(static_cast<double>(scalar.as<T>()));
    else
      return false;
  });
}

/// Floats in the order of the real line as whole numbers without gaps.
std::int64_t rank(ElementType element, Scalar scalar) {
  const auto width = 8 * byte_size(element);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<std::int64_t>(scalar.bits & (sign - 1));
  return scalar.bits & sign ? -magnitude - 1 : magnitude;
}

double error_of(const eval::WideNumbers& numbers, const TypedScalar& wide,
                const TypedScalar& found) {
  const double ulps = numbers.error(wide.element, wide.scalar, found.scalar).ulps;
  return std::isnan(ulps) ? std::numeric_limits<double>::infinity() : ulps;
}

} // namespace

std::uint64_t ulps_between(ElementType element, Scalar a, Scalar b) {
  const bool a_is_nan = is_nan(element, a), b_is_nan = is_nan(element, b);
  if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : UINT64_MAX;
  const std::int64_t left = rank(element, a), right = rank(element, b);
  return static_cast<std::uint64_t>(std::max(left, right)) -
         static_cast<std::uint64_t>(std::min(left, right));
}

Difference difference(const ScalarsOf& a, const ScalarsOf& b) {
  Difference result;
  result.same_structure = a.structure == b.structure && a.scalars.size() == b.scalars.size();
  if (!result.same_structure) return result;
  for (std::size_t i = 0; i < a.scalars.size(); ++i) {
    const TypedScalar& left = a.scalars[i];
    const TypedScalar& right = b.scalars[i];
    if (left.scalar == right.scalar) continue;
    if (!is_float(left.element)) {
      ++result.count;
      if (result.exact_count++ == 0) result.position = i;
      continue;
    }
    const std::uint64_t ulps = ulps_between(left.element, left.scalar, right.scalar);
    if (ulps == 0) continue;
    ++result.count;
    if (ulps <= result.largest_ulps) continue;
    result.largest_ulps = ulps;
    if (result.exact_count == 0) result.position = i;
  }
  return result;
}

Accuracy accuracy(const eval::WideNumbers& numbers, const ScalarsOf& wide, const ScalarsOf& found) {
  Accuracy result;
  result.fewest_digits = std::numeric_limits<double>::infinity();
  result.same_structure =
      wide.structure == found.structure && wide.scalars.size() == found.scalars.size();
  if (!result.same_structure) return result;
  double sum = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < wide.scalars.size(); ++i) {
    const TypedScalar& truth = wide.scalars[i];
    if (!is_float(truth.element)) {
      result.same_structure = result.same_structure && truth.scalar == found.scalars[i].scalar;
      continue;
    }
    ++result.floats;
    const eval::WideNumbers::Error error =
        numbers.error(truth.element, truth.scalar, found.scalars[i].scalar);
    const double ulps = error_of(numbers, truth, found.scalars[i]);
    result.fewest_digits = std::min(result.fewest_digits, error.digits);
    if (std::isfinite(ulps)) {
      sum += ulps;
      ++finite;
    }
    if (ulps > result.largest_ulps) {
      result.largest_ulps = ulps;
      result.position = i;
    }
  }
  if (finite > 0) result.mean_ulps = sum / static_cast<double>(finite);
  return result;
}

std::vector<std::size_t> closest(const eval::WideNumbers& numbers, const ScalarsOf& wide,
                                 std::span<const ScalarsOf> results) {
  std::vector<std::size_t> counts(results.size() + 1, 0);
  for (std::size_t i = 0; i < wide.scalars.size(); ++i) {
    if (!is_float(wide.scalars[i].element)) continue;
    std::vector<double> errors;
    for (const ScalarsOf& result : results)
      errors.push_back(error_of(numbers, wide.scalars[i], result.scalars[i]));
    const double least = *std::ranges::min_element(errors);
    if (std::ranges::count(errors, least) == std::ssize(errors)) {
      ++counts.back();
      continue;
    }
    for (std::size_t r = 0; r < errors.size(); ++r)
      counts[r] += errors[r] == least;
  }
  return counts;
}

} // namespace sinter::comparing
