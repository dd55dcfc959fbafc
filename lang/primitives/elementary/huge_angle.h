// Angles of huge arguments (Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM
// Newsletter 18, 1983).
//
// x = m 2^e with a whole number m of 53 bits.  Of 2/pi only some bits matter for x 2/pi: those
// above make multiples of four quarter turns, those far below are too small.  So m is multiplied
// with a window of 192 bits, in limbs of 32; what remains is exact to 2^-137, and no double is
// nearer to a multiple of pi/2 than about 2^-62.
#pragma once

#include "lang/primitives/elementary/angle.h"

namespace sinter::elementary {

/// 64 zeros, and the bits of 2/pi after the point.
inline constexpr std::array<std::int64_t, 40> two_over_pi_bits = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
inline constexpr Table two_over_pi{"sinter_two_over_pi", two_over_pi_bits};

inline constexpr std::int64_t limb_mask = 0xffffffff;

/// Six limbs, the least significant first.
template <class M>
using Limbs = std::array<Whole<M, double>, 6>;

/// m times a number, modulo 2^192, for 0 <= m < 2^53.
template <class M>
Limbs<M> product_of_limbs(Whole<M, double> m, Limbs<M> factor) {
  const auto low = m & limb_mask, high = shift_right_logical(m, 32);
  auto carry = m.literal(0);
  Limbs<M> product = factor;
  for (std::size_t n = 0; n < 6; ++n) {
    // Each sum stays below 2^64.
    const auto first = low * factor[n] + carry;
    const auto second = n == 0 ? first & limb_mask : high * factor[n - 1] + (first & limb_mask);
    product[n] = second & limb_mask;
    carry = n == 0 ? shift_right_logical(first, 32)
                   : shift_right_logical(first, 32) + shift_right_logical(second, 32);
  }
  return product;
}

/// The angle of a finite x >= 2^17; of other numbers, any.
template <class M>
Angle<M, double> huge_angle(Real<M, double> x) {
  using C = TrigonometricConstants<double>;
  constexpr int fraction_bits = Format<double>::fraction_bits;
  const auto pattern = bits(x) & ~Format<double>::sign_mask;
  const auto m = (pattern & Format<double>::fraction_mask) | (std::int64_t{1} << fraction_bits);
  // The bits from 2^(1 - e) on, at e = exponent - bias - 52.
  const auto wanted = shift_right_logical(pattern, fraction_bits) - (1023 + 52 + 2 - 64);
  const auto position = select(wanted < 0, wanted.literal(0), wanted);
  const auto first = shift_right_logical(position, 5), shift = position & 31;
  Limbs<M> window = {m, m, m, m, m, m};
  auto upper = lookup(two_over_pi, first);
  for (std::size_t n = 0; n < 6; ++n) {
    const auto lower = lookup(two_over_pi, first + static_cast<std::int64_t>(n + 1));
    window[5 - n] = shift_right_logical(shift_left((upper << 32) | lower, shift), 32);
    upper = lower;
  }
  const auto turns = product_of_limbs(m, window); // / 2^190: quarter turns modulo 4
  const auto top = (turns[5] << 32) | turns[4];
  const auto quarter = shift_right_logical(top + (std::int64_t{1} << 61), 62);
  // The rest, from -1/2 to 1/2, as four signed and unsigned pieces of 32 bits.
  const auto high = (top << 2) | shift_right_logical(turns[3], 30);
  const auto low = (((turns[3] << 32) | turns[2]) << 2) | shift_right_logical(turns[1], 30);
  const auto first_half =
      ordered_sum(to_real(high >> 32) * 0x1p-32, to_real(high & limb_mask) * 0x1p-64);
  const auto second_half = ordered_sum(to_real(shift_right_logical(low, 32)) * 0x1p-96,
                                       to_real(low & limb_mask) * 0x1p-128);
  const auto sum = exact_sum(first_half.high, second_half.high);
  const auto rest = ordered_sum(sum.high, sum.low + first_half.low + second_half.low);
  const auto product = rest.high * C::quarter_1;
  const auto rounding = fma(rest.high, C::quarter_1, -product);
  return {quarter, {product, fma(rest.high, C::quarter_2, fma(rest.low, C::quarter_1, rounding))}};
}

} // namespace sinter::elementary
