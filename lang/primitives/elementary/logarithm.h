// log: the argument is 2^e m with m in [sqrt(1/2), sqrt(2)); log m is a polynomial in m - 1 (float)
// or in (m - 1) / (m + 1) (double).
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

template <class T>
struct LogarithmConstants;
template <>
struct LogarithmConstants<float> {
  static constexpr std::int32_t sqrt_half_bits = 0x3f3504f3;
  static constexpr std::int32_t subnormal_shift = 24;
  // `ln2_high` has so few bits that its products with exponents are exact.
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
};
template <>
struct LogarithmConstants<double> {
  static constexpr std::int64_t sqrt_half_bits = 0x3fe6a09e667f3bcd;
  static constexpr std::int64_t subnormal_shift = 54;
  static constexpr double ln2_high = 0x1.62e42fefa4p-1, ln2_low = -0x1.8432a1b0e2634p-43;
};

/// x = 2^exponent (1 + fraction), for positive x.
template <class M, class T>
struct Decomposed {
  Real<M, T> exponent, fraction;
  Whole<M, T> normal_exponent; ///< the exponent, if x is normal
};
/// With 1 + fraction in [sqrt(1/2), sqrt(2)); the fraction is exact.  Of numbers that are not
/// positive and finite, anything.
template <class M, class T>
Decomposed<M, T> decompose_by_bits(Real<M, T> x) {
  using C = LogarithmConstants<T>;
  const auto subnormal = x < Format<T>::smallest_normal;
  const auto normal =
      select(subnormal, x * static_cast<T>(std::int64_t{1} << C::subnormal_shift), x);
  const auto offset = bits(normal) - C::sqrt_half_bits;
  const auto shifted = offset >> Format<T>::fraction_bits;
  const auto exponent = to_real(shifted);
  const auto significand = from_bits((offset & Format<T>::fraction_mask) + C::sqrt_half_bits);
  return {select(subnormal, exponent - T(C::subnormal_shift), exponent), significand - T(1),
          shifted};
}
template <class M, class T>
Decomposed<M, T> decompose(Real<M, T> x) {
  constexpr auto upper_bits =
      LogarithmConstants<T>::sqrt_half_bits + (integer_of<T>{1} << Format<T>::fraction_bits);
  return unless_single(
      x,
      [&](auto& m) {
        const Real<M, T> exponent{&m, m.exponent(x.value)};
        const Real<M, T> significand{&m, m.significand(x.value)};
        const auto upper = significand >= std::bit_cast<T>(upper_bits);
        const auto chosen = select(upper, exponent + T(1), exponent);
        constexpr T shifter = Format<T>::shifter;
        return Decomposed<M, T>{chosen,
                                select(upper, fma(significand, T(0.5), T(-1)), significand - T(1)),
                                bits(chosen + shifter) - std::bit_cast<integer_of<T>>(shifter)};
      },
      [&] { return decompose_by_bits(x); });
}

/// log(1 + f) - f + f²/2 for 1 + f in [sqrt(1/2), sqrt(2)]; error relative to log(1 + f): 2^-30.2
/// (float), 2^-59.5 (double).
template <class M>
Real<M, float> logarithm_cubic(Real<M, float> f) {
  return f * f * f *
         polynomial(f, 0x1.555548p-2f, -0x1.000008p-2f, 0x1.99a478p-3f, -0x1.555b8cp-3f,
                    0x1.233af6p-3f, -0x1.fc3e3ap-4f, 0x1.e6dd24p-4f, -0x1.dd992ap-4f,
                    0x1.13be0cp-4f);
}
template <class M>
Real<M, double> logarithm_cubic(Real<M, double> f) {
  // With s = f / (2 + f) it is log((1 + s) / (1 - s)) - f + f²/2 = 2s + s z P(z) - f + f²/2, where
  // z = s²; and 2s - f + f²/2 is s f²/2 with less rounding.
  const auto s = f / (2.0 + f);
  const auto z = s * s;
  const auto tail = z * polynomial(z, 0x1.5555555555592p-1, 0x1.999999997ff65p-2,
                                   0x1.24924941db2b8p-2, 0x1.c71c521a2b679p-3, 0x1.74663ba13c5b4p-3,
                                   0x1.39a20bad0922bp-3, 0x1.2f0252efbd278p-3);
  return s * fma(f * f, 0.5, tail);
}

/// `result`, which is right for positive finite x, with the logarithm's special values.
template <class M, class T>
Real<M, T> with_logarithm_poles(Real<M, T> x, Real<M, T> result) {
  return unless_single(
      x,
      [&](auto& m) {
        return Real<M, T>{&m, m.with_poles(x.value, result.value)};
      },
      [&] {
        const auto inside = is_positive_and_finite(x);
        const auto outside =
            select(x == T(0), -Format<T>::infinity, select(x < T(0), Format<T>::nan, x));
        return select(inside, result, outside);
      });
}

template <class M, class T>
Real<M, T> logarithm(Real<M, T> x) {
  using C = LogarithmConstants<T>;
  const auto decomposed = decompose(x);
  const auto e = decomposed.exponent, f = decomposed.fraction;
  const auto [high, low] = ordered_sum(e * C::ln2_high, f);
  const auto rest = fma(f * f, T(-0.5), logarithm_cubic(f));
  const auto result = high + (low + fma(e, C::ln2_low, rest));
  return with_logarithm_poles(x, result);
}

/// The logarithm to a base b: log_b(2^e (1 + f)) = e log_b(2) + log(1 + f) / log(b).
template <class T>
struct LogarithmBase {
  T two_high, two_low; ///< log_b(2); products of `two_high` with exponents are exact
  T e_high, e_low;     ///< 1 / log(b)
};
template <class M, class T>
Real<M, T> logarithm_to_base(Real<M, T> x, const LogarithmBase<T>& base) {
  const auto decomposed = decompose(x);
  const auto e = decomposed.exponent, f = decomposed.fraction;
  // log(1 + f), a pair; then its product.
  const auto square = exact_product(f, T(-0.5) * f);
  const auto log = ordered_sum(f, square.high);
  const auto log_low = logarithm_cubic(f) + (log.low + square.low);
  const auto first = exact_product(log.high, f.literal(base.e_high));
  const auto [high, low] = ordered_sum(e * base.two_high, first.high);
  const auto rest = fma(log.high, base.e_low, fma(log_low, base.e_high, first.low));
  const auto result = high + (low + fma(e, base.two_low, rest));
  return with_logarithm_poles(x, result);
}
template <class M, class T>
Real<M, T> logarithm2(Real<M, T> x) {
  if constexpr (sizeof(T) == 4)
    return logarithm_to_base(x, {1, 0, 0x1.715476p0f, 0x1.4ae0cp-26f});
  else
    return logarithm_to_base(x, {1, 0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56});
}
template <class M, class T>
Real<M, T> logarithm10(Real<M, T> x) {
  if constexpr (sizeof(T) == 4)
    return logarithm_to_base(x, {0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f});
  else
    return logarithm_to_base(x, {0x1.34413509f8p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2,
                                 0x1.95355baaafad3p-57});
}

} // namespace sinter::elementary
