// Square roots.
#pragma once

#include "lang/primitives/elementary/format.h"

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
  const auto inside = (x > T(0)) & (x < Format<T>::infinity);
  return select(inside, fma(T(0.5) * y, error, y), y);
}

} // namespace sinter::elementary
