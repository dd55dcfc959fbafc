// sin, cos, tan, and the same of pi times the argument.
//
// The argument's magnitude is q quarter turns (pi/2) plus a rest r, |r| <= pi/4, that is kept as a
// pair: so the functions of the rest start from more than a number's precision, and near multiples
// of pi/2 as well.  q decides which function of the rest it is, with which sign.
#pragma once

#include "lang/primitives/elementary/huge_angle.h"

namespace sinter::elementary {

/// Of 0 <= x <= `greatest` (Cody and Waite 1980; with fma, the first product cancels exactly).
template <class M, class T>
Angle<M, T> angle_of(Real<M, T> x) {
  using C = TrigonometricConstants<T>;
  const auto k = round_product(x, C::quarters);
  const auto first = fma(k.number, -C::quarter_1, x);
  // The difference `first - high` is exact: where `first` is the smaller one it has no finer bits
  // than the second product, and either the two nearly cancel or `high` is no smaller than half of
  // that product.  So is the first sum in `low`, but for its own rounding.
  const auto high = first - k.number * C::quarter_2;
  const auto rest = fma(k.number, -C::quarter_2, first - high);
  return {k.integer, {high, fma(k.number, -C::quarter_3, rest)}};
}

/// Of pi x, for finite x >= 0; x minus its whole turns, and that minus its quarters, are exact.
template <class M, class T>
Angle<M, T> angle_of_pi_times(Real<M, T> x) {
  using C = TrigonometricConstants<T>;
  const auto turn = x - T(2) * rint(T(0.5) * x);
  const auto k = round_product(turn, T(2));
  const auto rest = fma(k.number, T(-0.5), turn);
  const auto high = rest * (2 * C::quarter_1);
  const auto low = fma(rest, 2 * C::quarter_1, -high) + rest * (2 * C::quarter_2);
  return {k.integer, {high, low}};
}

/// (sin r - r) / r³ in z = r², for |r| <= 0.793; error relative to sin r: 2^-27.8 (float),
/// 2^-57.7 (double).
template <class M>
Real<M, float> sine_polynomial(Real<M, float> z) {
  return polynomial(z, -0x1.555544p-3f, 0x1.1106cap-7f, -0x1.991e0cp-13f);
}
template <class M>
Real<M, double> sine_polynomial(Real<M, double> z) {
  return polynomial(z, -0x1.5555555555547p-3, 0x1.111111110f576p-7, -0x1.a01a019bae299p-13,
                    0x1.71de351f9fce8p-19, -0x1.ae5e20171b425p-26, 0x1.5d7e62bea6bfdp-33);
}
/// (cos r - 1 + r²/2) / r⁴ in z = r², for |r| <= 0.793; absolute error of cos r: 2^-33.1 (float),
/// 2^-63.9 (double).
template <class M>
Real<M, float> cosine_polynomial(Real<M, float> z) {
  return polynomial(z, 0x1.55554ap-5f, -0x1.6c0c1cp-10f, 0x1.99e1d8p-16f);
}
template <class M>
Real<M, double> cosine_polynomial(Real<M, double> z) {
  return polynomial(z, 0x1.555555555554ap-5, -0x1.6c16c16c14df7p-10, 0x1.a01a019c59d96p-16,
                    -0x1.27e4f7ca3f92ep-22, 0x1.1ee9c05afc156p-29, -0x1.8f97e38e36503p-37);
}
/// (tan r - r) / r³ in z = r², for |r| <= 0.793; error relative to tan r: 2^-29.3 (float),
/// 2^-59.4 (double).
template <class M>
Real<M, float> tangent_polynomial(Real<M, float> z) {
  return polynomial(z, 0x1.555562p-2f, 0x1.110d12p-3f, 0x1.baf30ap-5f, 0x1.5bb68ap-6f,
                    0x1.6849eap-7f, -0x1.ef7486p-14f, 0x1.25adf6p-8f);
}
template <class M>
Real<M, double> tangent_polynomial(Real<M, double> z) {
  return polynomial(z, 0x1.5555555555561p-2, 0x1.111111111023fp-3, 0x1.ba1ba1baef23fp-5,
                    0x1.664f4852fceb9p-6, 0x1.226e3bc7af31cp-7, 0x1.d6d2b2c7e3b1fp-9,
                    0x1.7db47a7a50c2dp-10, 0x1.349f1bbc3a586p-11, 0x1.0065112e59464p-12,
                    0x1.564760237cabp-14, 0x1.28d36f16166a3p-14, -0x1.f923a49362727p-16,
                    0x1.b73fce9714875p-15, -0x1.b625139a82b19p-16, 0x1.568518c3ef032p-17);
}

/// The sine and the cosine of the rest of an angle.
template <class M, class T>
struct OfRest {
  Real<M, T> sine, cosine;
};
template <class M, class T>
OfRest<M, T> of_rest(Pair<M, T> rest) {
  const auto [r, low] = rest;
  // (r + low)², rounded once.  Of the cosine that leaves half of z's rounding, a fourth of an ULP,
  // and about as much again of the polynomial's, beside the result's own.
  const auto z = fma(r, r, (r + r) * low);
  const auto sine = r + fma(r * z, sine_polynomial(z), low);
  const auto cosine = fma(z, fma(z, cosine_polynomial(z), T(-0.5)), T(1));
  return {sine, cosine};
}
/// In the sign's place, whether it is an odd number of half turns and more.
template <class M, class T>
Whole<M, T> half_turn(Angle<M, T> angle) {
  return angle.quarter << (8 * sizeof(T) - 2);
}
template <class M, class T>
Truth<M> is_odd(Angle<M, T> angle) {
  return (angle.quarter & 1) != 0;
}

template <class M, class T>
Real<M, T> sine_of(Angle<M, T> angle) {
  const auto [sine, cosine] = of_rest(angle.rest);
  return flip_sign(select(is_odd(angle), cosine, sine), half_turn(angle));
}
template <class M, class T>
Real<M, T> cosine_of(Angle<M, T> angle) {
  constexpr auto quarter = integer_of<T>{1} << (8 * sizeof(T) - 2);
  const auto [sine, cosine] = of_rest(angle.rest);
  // cos x is the sine of a quarter more.
  return flip_sign(select(is_odd(angle), sine, cosine), half_turn(angle) + quarter);
}
/// The tangent of an angle other than a multiple of pi/2.
template <class M, class T>
Real<M, T> tangent_of(Angle<M, T> angle) {
  const auto [r, low] = angle.rest;
  const auto z = r * r;
  // r³ is a pair, because the term in it is a quarter of the result; tan' = 1 + tan².
  const auto cube = exact_product(z, r);
  const auto cube_low = fma(fma(r, r, -z), r, cube.low);
  const auto rest = tangent_polynomial(z);
  const auto rough = fma(cube.high, rest, r);
  const auto correction = fma(cube_low, rest, fma(rough * rough, low, low));
  const auto [tangent, tangent_low] = ordered_sum(r, fma(cube.high, rest, correction));
  // In odd quarters -1 / tan, with one step of Newton's method from the rounded quotient.
  const auto inverse = T(-1) / tangent;
  const auto error = fma(inverse, tangent_low, fma(inverse, tangent, T(1)));
  return select(is_odd(angle), fma(inverse, error, inverse), tangent);
}

/// `result`, or `text(x)` for arguments whose angle needs many bits of pi; those of f32 are
/// computed in f64.
template <class M, class T, class Text>
Real<M, T> unless_huge(Real<M, T> x, Real<M, T> result, std::string_view symbol, Text text) {
  // NaN, too: as whole numbers the patterns of magnitudes are in the same order, and NaN comes
  // last.
  const auto greatest = std::bit_cast<integer_of<T>>(TrigonometricConstants<T>::greatest);
  const auto huge = greatest < bits(abs(x));
  return rare(
      huge, result, symbol,
      [text]<class N>(Real<N, T> y) {
        if constexpr (sizeof(T) == 4) {
          const auto wide = widen(y);
          return narrow(
              select(abs(wide) < Format<double>::infinity, text(wide), Format<double>::nan));
        } else {
          return select(abs(y) < Format<T>::infinity, text(y), Format<T>::nan);
        }
      },
      x);
}
template <class M, class T>
Real<M, T> sine(Real<M, T> x) {
  const auto result = flip_sign(sine_of(angle_of(abs(x))), bits(x));
  return unless_huge(x, result, "sinter_sine_of_huge",
                     [](auto y) { return flip_sign(sine_of(huge_angle(y)), bits(y)); });
}
template <class M, class T>
Real<M, T> cosine(Real<M, T> x) {
  const auto result = cosine_of(angle_of(abs(x)));
  return unless_huge(x, result, "sinter_cosine_of_huge",
                     [](auto y) { return cosine_of(huge_angle(y)); });
}
template <class M, class T>
Real<M, T> tangent(Real<M, T> x) {
  const auto result = flip_sign(tangent_of(angle_of(abs(x))), bits(x));
  return unless_huge(x, result, "sinter_tangent_of_huge",
                     [](auto y) { return flip_sign(tangent_of(huge_angle(y)), bits(y)); });
}

/// sin(pi x); at whole numbers a zero with x's sign.
template <class M, class T>
Real<M, T> sine_of_pi_times(Real<M, T> x) {
  return flip_sign(sine_of(angle_of_pi_times(abs(x))) + T(0), bits(x));
}
/// cos(pi x); zeros are positive.
template <class M, class T>
Real<M, T> cosine_of_pi_times(Real<M, T> x) {
  return cosine_of(angle_of_pi_times(abs(x))) + T(0);
}
/// tan(pi x); zeros and infinities have the sign of sin(pi |x|) / cos(pi |x|) times x's, where
/// those two are taken from above zero.
template <class M, class T>
Real<M, T> tangent_of_pi_times(Real<M, T> x) {
  const auto angle = angle_of_pi_times(abs(x));
  const auto at_quarter =
      flip_sign(select(is_odd(angle), Format<T>::infinity, x.literal(0)), half_turn(angle));
  const auto result = select(angle.rest.high == T(0), at_quarter, tangent_of(angle));
  return flip_sign(result, bits(x));
}

} // namespace sinter::elementary
