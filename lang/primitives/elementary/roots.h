// Roots, and the length of a vector.
#pragma once

#include "lang/primitives/elementary/logarithm.h"

namespace sinter::elementary {

template <class M, class T>
Real<M, T> square_root(Real<M, T> x) {
  return sqrt(x);
}
/// The square root of a pair; of 0 it is 0.
template <class M, class T>
Pair<M, T> square_root(Pair<M, T> x) {
  const auto root = sqrt(x.high);
  const auto rest = fma(-root, root, x.high) + x.low;
  return {root, select(root == T(0), T(0), rest * (T(0.5) / root))};
}
template <class M, class T>
Real<M, T> reciprocal_square_root(Real<M, T> x) {
  const auto y = T(1) / sqrt(x);
  // y was rounded twice; one step of Newton's method with the exact 1 - x y² takes that back.
  const auto [high, low] = exact_product(x, y);
  const auto error = fma(-high, y, T(1)) - low * y;
  const auto inside = is_positive_and_finite(x);
  return select(inside, fma(T(0.5) * y, error, y), y);
}

/// m^(-1/3) for m in [sqrt(1/2), sqrt(2)], to relative 2^-27.4 (float), 2^-53 (double).
template <class M, class T>
Real<M, T> reciprocal_cube_root(Real<M, T> m) {
  // Relative error 2^-14.7, then Newton's method on y³ = 1/m, which squares it (times 2).
  auto y = polynomial(m, T(0x1.dfe08ap0), T(-0x1.dca132p0), T(0x1.8fb216p0), T(-0x1.679faep-1),
                      T(0x1.06e702p-3));
  constexpr int steps = sizeof(T) == 4 ? 1 : 2;
  for (int step = 0; step < steps; ++step) {
    const auto error = fma(-m * y, y * y, T(1));
    y = fma(y * (T(1) / 3), error, y);
  }
  return y;
}
/// With |x| = 2^(3k + j) m, j in {-1, 0, 1}, it is 2^k times the cube root of 2^j m.
template <class M, class T>
Real<M, T> cube_root(Real<M, T> x) {
  const auto size = abs(x);
  const auto parts = decompose(size);
  const auto k = round_product(parts.exponent, T(1) / 3);
  const auto j = fma(k.number, T(-3), parts.exponent);
  const auto by_j = [&](T below, T at, T above) {
    return select(j < T(0), below, select(j > T(0), above, j.literal(at)));
  };
  const auto significand = T(1) + parts.fraction;
  const auto m = significand * by_j(T(0.5), T(1), T(2));
  const auto y = reciprocal_cube_root(significand) *
                 by_j(T(0x1.428a2f98d728bp0), T(1), T(0x1.965fea53d6e3dp-1));
  // r = m y² is nearly the root; one step of Newton's method with the exact m - r³.
  const auto square = y * y;
  const auto r = m * square;
  const auto [high, low] = exact_product(r, r);
  const auto error = fma(-high, r, m) - low * r;
  const auto root = fma(square * (T(1) / 3), error, r);
  const auto power = from_bits((k.integer + Format<T>::bias) << Format<T>::fraction_bits);
  const auto inside = is_positive_and_finite(size);
  return select(inside, copysign(root * power, x), x);
}

/// sqrt(x² + y²)
template <class M>
Real<M, double> hypotenuse_of(Real<M, double> x, Real<M, double> y) {
  const auto a = abs(x), b = abs(y);
  const auto above = b > a;
  const auto longer = select(above, b, a), shorter = select(above, a, b);
  // Scaled so that squares neither overflow nor, where it matters, underflow.
  const auto huge = longer > 0x1p500, tiny = longer < 0x1p-400;
  const auto by_size = [&](double of_huge, double of_tiny) {
    return select(huge, of_huge, select(tiny, of_tiny, x.literal(1)));
  };
  const auto factor = by_size(0x1p-600, 0x1p600);
  const auto first = exact_product(longer * factor, longer * factor);
  const auto second = exact_product(shorter * factor, shorter * factor);
  auto sum = ordered_sum(first.high, second.high);
  sum.low = sum.low + (first.low + second.low);
  const auto root = square_root(sum);
  return (root.high + root.low) * by_size(0x1p600, 0x1p-600);
}
/// At f32, f64 has room for all squares and is precise enough.
template <class M>
Real<M, float> hypotenuse_of(Real<M, float> x, Real<M, float> y) {
  const auto a = widen(x), b = widen(y);
  return narrow(sqrt(fma(a, a, b * b)));
}
template <class M, class T>
Real<M, T> hypotenuse(Real<M, T> x, Real<M, T> y) {
  constexpr T infinity = Format<T>::infinity;
  const auto infinite = (abs(x) == infinity) | (abs(y) == infinity);
  return select(infinite, infinity, hypotenuse_of(x, y));
}

} // namespace sinter::elementary
