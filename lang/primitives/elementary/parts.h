// ldexp and nextafter: functions of the parts that floats consist of.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

/// x 2^n, rounded once.
template <class M, class T>
Real<M, T> load_exponent(Real<M, T> x, Whole<M, T> n) {
  constexpr int fraction_bits = Format<T>::fraction_bits;
  constexpr auto bias = Format<T>::bias;
  constexpr T normalising = T(4) * static_cast<T>(integer_of<T>{1} << (fraction_bits - 1));
  constexpr auto bounded = [](Whole<M, T> a, integer_of<T> least, integer_of<T> greatest) {
    a = select(a < least, a.literal(least), a);
    return select(greatest < a, a.literal(greatest), a);
  };
  // x = 2^exponent times a significand from 1 to 2.
  const auto size = abs(x);
  const auto subnormal = size < Format<T>::smallest_normal;
  const auto normal = bits(select(subnormal, x * normalising, x));
  const auto biased = (normal >> fraction_bits) & (2 * bias + 1);
  const auto exponent =
      biased - select(subnormal, n.literal(bias + fraction_bits + 1), n.literal(bias));
  constexpr auto kept = Format<T>::sign_mask | Format<T>::fraction_mask;
  const auto significand = from_bits((normal & kept) | std::bit_cast<integer_of<T>>(T(1)));
  // Beyond these bounds it is 0 or infinite.
  const auto total =
      bounded(exponent + bounded(n, -4 * bias, 4 * bias), -(bias + fraction_bits + 5), bias + 1);
  return select(is_positive_and_finite(size), scale_in_two(significand, total), x);
}

/// The bit pattern of the float beside `from` in the direction of `to`, from theirs, where that of
/// infinity is given and the sign is the bit above `magnitude`.
template <class M, class T>
Whole<M, T> next_pattern(Whole<M, T> from, Whole<M, T> to, integer_of<T> magnitude,
                         integer_of<T> infinity) {
  const auto sign_bit =
      static_cast<integer_of<T>>(static_cast<std::make_unsigned_t<integer_of<T>>>(magnitude) + 1);
  const auto size_of = [&](Whole<M, T> pattern) { return pattern & magnitude; };
  // Numbers in order: zeros are 0, negative numbers below it.
  const auto place_of = [&](Whole<M, T> pattern) {
    const auto size = size_of(pattern);
    return select((pattern & sign_bit) != 0, integer_of<T>{0} - size, size);
  };
  const auto place = place_of(from), goal = place_of(to);
  const auto next = place + select(place < goal, from.literal(1), from.literal(-1));
  // Zero has the sign of where it is come from.
  const auto sign = select(next == 0, from, next) & sign_bit;
  const auto beside = select(next < 0, integer_of<T>{0} - next, next) | sign;
  const auto result = select((place == goal) | (infinity < size_of(to)), to, beside);
  return select(infinity < size_of(from), from, result);
}
template <class M, class T>
Real<M, T> next_after(Real<M, T> x, Real<M, T> y) {
  return from_bits(next_pattern(bits(x), bits(y), integer_of<T>(~Format<T>::sign_mask),
                                std::bit_cast<integer_of<T>>(Format<T>::infinity)));
}
/// The same of two halves, whose patterns are the lower half of the integers.
template <class M>
Whole<M, float> next_half_pattern(Whole<M, float> x, Whole<M, float> y) {
  return next_pattern(x, y, 0x7fff, 0x7c00);
}

} // namespace sinter::elementary
