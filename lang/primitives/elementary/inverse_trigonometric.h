// atan, asin, acos, their forms over pi, and the angle of a point.
//
// atan2 is the base: the point is turned into the first half of the first quadrant (by its
// symmetries) and, where the angle is above pi/8, by pi/4 clockwise; what remains is the arc
// tangent of a quotient q, |q| <= tan(pi/8), that is kept as a pair.
#pragma once

#include "lang/primitives/elementary/roots.h"
#include "lang/primitives/elementary/trigonometric.h"

namespace sinter::elementary {

/// (atan q - q) / q³ in z = q², for |q| <= 0.4143; error relative to atan q: 2^-30.4 (float),
/// 2^-63.8 (double).
template <class M>
Real<M, float> arc_tangent_polynomial(Real<M, float> z) {
  return polynomial(z, -0x1.55554ap-2f, 0x1.9991e4p-3f, -0x1.23b9d6p-3f, 0x1.b227bp-4f,
                    -0x1.f2f766p-5f);
}
template <class M>
Real<M, double> arc_tangent_polynomial(Real<M, double> z) {
  return polynomial(z, -0x1.5555555555554p-2, 0x1.99999999995bfp-3, -0x1.24924924721cp-3,
                    0x1.c71c71b5f943p-4, -0x1.745d1491a369p-4, 0x1.3b136b1dfac04p-4,
                    -0x1.110c4aff0b5bdp-4, 0x1.e16f47cf40b66p-5, -0x1.ab6db148b37ep-5,
                    0x1.70b2b3d734f4bp-5, -0x1.11ba88221f98ep-5, 0x1.f012b4d446df9p-7);
}

/// The angle of the point (x, y) in the first quadrant, a pair; x and y may be pairs, and are not
/// both 0, nor both infinite.
template <class M, class T>
Pair<M, T> first_quadrant_angle(Pair<M, T> y, Pair<M, T> x) {
  using C = TrigonometricConstants<T>;
  constexpr T tangent_of_eighth = T(0x1.a827999fcef32p-2); // tan(pi/8)
  // Below pi/4, angle = atan(low / high); above it, pi/2 - that.
  const auto above = y.high > x.high;
  const Pair<M, T> low{select(above, x.high, y.high), select(above, x.low, y.low)};
  const Pair<M, T> high{select(above, y.high, x.high), select(above, y.low, x.low)};
  // Above pi/8, atan(low / high) = pi/4 + atan((low - high) / (low + high)).
  const auto turned = low.high > high.high * tangent_of_eighth;
  auto difference = exact_sum(low.high, -high.high);
  difference.low = difference.low + (low.low - high.low);
  auto sum = ordered_sum(high.high, low.high);
  sum.low = sum.low + (low.low + high.low);
  const auto q =
      quotient(Pair<M, T>{select(turned, difference.high, low.high),
                          select(turned, difference.low, low.low)},
               Pair<M, T>{select(turned, sum.high, high.high), select(turned, sum.low, high.low)});
  // atan q as q and a small rest; its derivative is 1 / (1 + q²).
  const auto z = q.high * q.high;
  const auto rest = fma(z * q.high, arc_tangent_polynomial(z), fma(-z, q.low, q.low));
  // 0, pi/4 or pi/2, plus or minus that.
  const auto zero = z.literal(0);
  const auto eighths = [&](T quarter) {
    const auto turn = select(turned, T(0.5) * quarter, zero);
    return select(above, quarter - turn, turn);
  };
  const auto sign = select(above, T(-1), z.literal(1));
  const auto angle = ordered_sum(eighths(C::quarter_1), sign * q.high);
  return {angle.high, angle.low + fma(sign, rest, eighths(C::quarter_2))};
}

/// pi minus the angle, where `when` holds.
template <class M, class T>
Pair<M, T> supplement_where(Truth<M> when, Pair<M, T> angle) {
  using C = TrigonometricConstants<T>;
  const auto other = ordered_sum(angle.high.literal(2 * C::quarter_1), -angle.high);
  const auto other_low = other.low + (2 * C::quarter_2 - angle.low);
  return {select(when, other.high, angle.high), select(when, other_low, angle.low)};
}
/// Whether the sign bit is set.
template <class M, class T>
Truth<M> is_negative(Real<M, T> x) {
  return bits(x) < 0;
}

/// Angles of magnitude up to pi with a sign of their own: what the functions below share with their
/// forms over pi.
template <class M, class T>
struct SignedAngle {
  Pair<M, T> size;
  Real<M, T> sign;

  Real<M, T> in_radians() const { return copysign(size.high + size.low, sign); }
  Real<M, T> over_pi() const {
    constexpr T inverse = sizeof(T) == 4 ? T(0x1.45f306p-2) : T(0x1.45f306dc9c883p-2);
    constexpr T inverse_low = sizeof(T) == 4 ? T(0x1.b9391p-27) : T(-0x1.6b01ec5417056p-56);
    // The low parts of the least numbers need room.
    constexpr T room = sizeof(T) == 4 ? T(0x1p60) : T(0x1p100);
    const auto tiny = size.high < Format<T>::smallest_normal * room;
    const auto factor = select(tiny, room, sign.literal(1));
    const auto high = size.high * factor;
    const auto product = exact_product(high, sign.literal(inverse));
    const auto low = fma(high, inverse_low, fma(size.low * factor, inverse, product.low));
    return copysign((product.high + low) * select(tiny, 1 / room, sign.literal(1)), sign);
  }
};

template <class M, class T>
SignedAngle<M, T> arc_tangent_angle(Real<M, T> x) {
  // Beyond this, the result is pi/2.
  auto size = abs(x);
  size = select(size > T(0x1p60), T(0x1p60), size);
  const auto zero = x.literal(0);
  return {first_quadrant_angle(Pair<M, T>{size, zero}, Pair<M, T>{x.literal(1), zero}), x};
}

/// The other leg of the right triangle with hypotenuse 1, for 0 <= x <= 1; NaN above.
template <class M, class T>
Pair<M, T> other_leg(Real<M, T> x) {
  const auto square = exact_product(x, x);
  auto rest = ordered_sum(x.literal(1), -square.high);
  rest.low = rest.low - square.low;
  return square_root(rest);
}
template <class M, class T>
SignedAngle<M, T> arc_sine_angle(Real<M, T> x) {
  const auto size = abs(x);
  return {first_quadrant_angle(Pair<M, T>{size, x.literal(0)}, other_leg(size)), x};
}
template <class M, class T>
SignedAngle<M, T> arc_cosine_angle(Real<M, T> x) {
  const auto size = abs(x);
  const auto angle = first_quadrant_angle(other_leg(size), Pair<M, T>{size, x.literal(0)});
  return {supplement_where(is_negative(x), angle), x.literal(1)};
}

template <class M, class T>
SignedAngle<M, T> angle_of_point(Real<M, T> y, Real<M, T> x) {
  constexpr T infinity = Format<T>::infinity;
  auto a = abs(x), b = abs(y);
  // Infinity counts as 1, what is beside it as 0.
  const auto a_infinite = a == infinity, b_infinite = b == infinity;
  const auto infinite = a_infinite | b_infinite;
  a = select(infinite, select(a_infinite, T(1), x.literal(0)), a);
  b = select(infinite, select(b_infinite, T(1), x.literal(0)), b);
  // The angle of (0, 0) is that of (1, 0).
  a = select((a == T(0)) & (b == T(0)), T(1), a);
  // Room for the sum of huge ones, and for the low parts of tiny ones (beside a huge one, the
  // result is so small that they do not matter).
  constexpr T huge = sizeof(T) == 4 ? T(0x1p125) : T(0x1p1020);
  constexpr T tiny = sizeof(T) == 4 ? T(0x1p-60) : T(0x1p-500);
  const auto may_grow = ((a < tiny) | (b < tiny)) & (a < 1 / tiny) & (b < 1 / tiny);
  const auto factor =
      select((a > huge) | (b > huge), T(0.25), select(may_grow, 1 / tiny, x.literal(1)));
  const auto zero = x.literal(0);
  const auto angle =
      first_quadrant_angle(Pair<M, T>{b * factor, zero}, Pair<M, T>{a * factor, zero});
  // Infinity hid a NaN beside it.
  auto size = supplement_where(is_negative(x), angle);
  size.high = select((x == x) & (y == y), size.high, Format<T>::nan);
  return {size, y};
}

template <class M, class T>
Real<M, T> arc_tangent(Real<M, T> x) {
  return arc_tangent_angle(x).in_radians();
}
template <class M, class T>
Real<M, T> arc_sine(Real<M, T> x) {
  return arc_sine_angle(x).in_radians();
}
template <class M, class T>
Real<M, T> arc_cosine(Real<M, T> x) {
  return arc_cosine_angle(x).in_radians();
}
template <class M, class T>
Real<M, T> arc_tangent2(Real<M, T> y, Real<M, T> x) {
  return angle_of_point(y, x).in_radians();
}
template <class M, class T>
Real<M, T> arc_tangent_over_pi(Real<M, T> x) {
  return arc_tangent_angle(x).over_pi();
}
template <class M, class T>
Real<M, T> arc_sine_over_pi(Real<M, T> x) {
  return arc_sine_angle(x).over_pi();
}
template <class M, class T>
Real<M, T> arc_cosine_over_pi(Real<M, T> x) {
  return arc_cosine_angle(x).over_pi();
}
template <class M, class T>
Real<M, T> arc_tangent2_over_pi(Real<M, T> y, Real<M, T> x) {
  return angle_of_point(y, x).over_pi();
}

} // namespace sinter::elementary
