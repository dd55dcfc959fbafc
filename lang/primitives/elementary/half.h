// What takes more than f32 on the way to a result at f16.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

/// A float that rounds to the f16 that is nearest to x.  Rounding twice may go wrong only if the
/// first time gives the middle between two halves; so bits that a float lacks leave their trace in
/// its last one (rounding to odd).
template <class M>
Real<M, float> narrow_for_half(Real<M, double> x) {
  constexpr int lost_bits = Format<double>::fraction_bits - Format<float>::fraction_bits;
  constexpr std::int64_t lost = (std::int64_t{1} << lost_bits) - 1;
  const auto pattern = bits(x);
  // A carry comes to the last bit that remains if one of those below is set.
  const auto trace = ((pattern & lost) + lost) & (lost + 1);
  return narrow(from_bits((pattern | trace) & ~lost));
}

/// A float that rounds to the f16 that is nearest to a b + c, of floats that hold f16.  At f64 the
/// product is exact, and so is the sum, unless the product is below the 31st bit of c; then it is
/// nearest to c, as a b + c is.
template <class M>
Real<M, float> fused_multiply_add_for_half(Real<M, float> a, Real<M, float> b, Real<M, float> c) {
  return narrow_for_half(widen(a) * widen(b) + widen(c));
}

} // namespace sinter::elementary
