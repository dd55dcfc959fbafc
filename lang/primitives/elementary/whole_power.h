// x^n for the whole numbers n from -1 to 8: products, and a quotient.
//
// They are part of what pow means, whether or not the exponent is known when code is compiled:
//
//   n          -1     0   1   2      3 ... 8
//   x^n        1 / x  1   x   x * x  a product of pairs, rounded once
//   operations 1      0   0   1      6 7 10 10 13 11
//
// From 3 on, plain products would be off by 1.3 ULP and more; so each but the last factor is kept
// with its rounding error, a pair, and the last product is `fma(high, factor, error)`.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

inline constexpr int least_whole_power = -1, greatest_whole_power = 8;

/// The square of a pair, as a pair.
template <class M, class T>
Pair<M, T> pair_square(Pair<M, T> x) {
  const auto product = exact_product(x.high, x.high);
  return {product.high, fma(x.high + x.high, x.low, product.low)};
}

/// x^n as a pair, for 2 <= n < 8, from its exact square.
template <int n, class M, class T>
Pair<M, T> power_pair(Real<M, T> x, Pair<M, T> square) {
  if constexpr (n == 2) {
    return square;
  } else if constexpr (n % 2 == 0) {
    return pair_square(power_pair<n / 2>(x, square));
  } else {
    const auto rest = power_pair<n - 1>(x, square);
    const auto product = exact_product(rest.high, x);
    return {product.high, fma(rest.low, x, product.low)};
  }
}

/// The square of the least power of two whose n-th power is infinite, for n > 2.
template <std::floating_point T>
constexpr T squared_bound(int n) {
  T bound = 1;
  for (int e = 0; e * n < std::numeric_limits<T>::max_exponent; ++e)
    bound *= 4;
  return bound;
}

/// x^n.  The last product's error is 0 where x^n is infinite or x is NaN: beyond a power of two
/// that makes x^n infinite the pairs' low parts may be infinite or NaN themselves.  Where low parts
/// underflow, x^n is 0, or they are too small to matter.
template <int n, class M, class T>
Real<M, T> whole_power(Real<M, T> x) {
  static_assert(n >= least_whole_power && n <= greatest_whole_power);
  if constexpr (n == -1) {
    return T(1) / x;
  } else if constexpr (n == 0) {
    return x.literal(1);
  } else if constexpr (n == 1) {
    return x;
  } else if constexpr (n == 2) {
    return x * x;
  } else {
    const auto square = exact_product(x, x);
    const auto is_small = square.high < squared_bound<T>(n);
    if constexpr (n % 2 == 0) {
      const auto root = power_pair<n / 2>(x, square);
      const auto error = (root.high + root.high) * root.low;
      return fma(root.high, root.high, select(is_small, error, T(0)));
    } else {
      const auto rest = power_pair<n - 1>(x, square);
      return fma(rest.high, x, select(is_small, rest.low * x, T(0)));
    }
  }
}

/// Whether the exponent may be one of them: whether it has no more bits than those have.
template <class M, class T>
Truth<M> may_be_whole_power(Real<M, T> exponent) {
  constexpr int used_bits = std::bit_width(static_cast<unsigned>(greatest_whole_power)) - 1;
  constexpr auto others = (integer_of<T>{1} << (Format<T>::fraction_bits - used_bits)) - 1;
  return (bits(exponent) & others) == 0;
}
template <class M, class T>
Truth<M> is_whole_power(Real<M, T> exponent) {
  return (rint(exponent) == exponent) & (exponent >= T(least_whole_power)) &
         (exponent <= T(greatest_whole_power));
}

/// x^exponent for an exponent that is one of them.
template <int n = least_whole_power, class M, class T>
Real<M, T> whole_power(Real<M, T> x, Real<M, T> exponent) {
  if constexpr (n == greatest_whole_power) {
    return whole_power<n>(x);
  } else {
    const auto is_n = exponent == T(n);
    return either(
        is_n, [&] { return is_n; }, [&] { return whole_power<n>(x); },
        [&] { return whole_power<n + 1>(x, exponent); });
  }
}

} // namespace sinter::elementary
