// How far a computed number is from the true one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::accuracy {

inline constexpr double wrong = 1e30; ///< a special value that is not the right one

/// The distance between `found` and the exact result in units of the last place that the exact one
/// has at `T` (of the least normal number's, for subnormal results).  `Exact` is a wider float type
/// with frexp, ldexp, signbit and conversions.  NaN equals NaN; zeros must have the same sign;
/// numbers beyond the greatest one are as far away from infinity as from a number without bounds.
template <typename T, typename Exact>
double distance(T found, const Exact& exact) {
  using std::frexp, std::isnan, std::isinf, std::ldexp, std::signbit, std::abs;
  if (isnan(exact)) return std::isnan(found) ? 0 : wrong;
  if (std::isnan(found) || std::signbit(found) != static_cast<bool>(signbit(exact))) return wrong;
  if (isinf(exact)) return std::isinf(found) ? 0 : wrong;
  if (exact == 0) return found == 0 ? 0 : wrong;
  int exponent = 0;
  frexp(exact, &exponent);
  exponent = std::clamp(exponent, std::numeric_limits<T>::min_exponent,
                        std::numeric_limits<T>::max_exponent);
  const Exact magnitude = std::isinf(found) ? ldexp(Exact(1), std::numeric_limits<T>::max_exponent)
                                            : Exact(std::abs(found));
  const Exact difference = magnitude - Exact(abs(exact));
  // Infinity is right for everything beyond it.
  if (std::isinf(found) && difference < 0) return 0;
  return static_cast<double>(
      abs(Exact(ldexp(difference, std::numeric_limits<T>::digits - exponent))));
}

} // namespace sinter::accuracy
