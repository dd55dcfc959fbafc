// gamma and lgamma.
//
// Within 20 of 0, x is 2 + k + z with a whole number k and |z| <= 1/2, and
//   gamma(x) = gamma(2 + z) (2 + z) (3 + z) … (1 + k + z)              if k >= 0,
//   gamma(x) = gamma(2 + z) / ((1 + z) z (z - 1) … (2 + k + z))        if k < 0,
// where gamma(2 + z) is a polynomial and the products are pairs: so factorials are exact as long as
// a number holds them.  Beyond, log(gamma(x)) is Stirling's series
//   (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 + 1/(12 x) - …
// as a pair, and gamma(-x) = -pi / (x sin(pi x) gamma(x)).
//
// Results of f32 are computed in f64.
#pragma once

#include "lang/primitives/elementary/exponential.h"
#include "lang/primitives/elementary/log_gamma_zeros.h"
#include "lang/primitives/elementary/logarithm_pair.h"
#include "lang/primitives/elementary/trigonometric.h"

namespace sinter::elementary {

/// x = 2 + k + z for |x| < 20, and the product of the factors between 2 + z and x.
template <class M>
struct GammaFactors {
  Truth<M> divides; ///< whether gamma(2 + z) is to be divided by the product: k < 0
  Real<M, double> z;
  Pair<M, double> product;
};
template <class M>
GammaFactors<M> gamma_factors(Real<M, double> x) {
  const auto near = abs(x) < GammaConstants::far;
  const auto nearest = select(near, rint(x), 2.0);
  const auto z = x - nearest;
  const auto k = nearest - 2.0;
  const auto divides = k < 0.0;
  const auto count = abs(k), step = copysign(x.literal(1), k);
  // The state: the factor but for z, the product, and how many factors there are.
  const auto state = repeat(
      GammaConstants::most_factors,
      std::array{select(divides, 1.0, x.literal(2)), x.literal(1), x.literal(0), x.literal(0)},
      [&](const auto& now) { return now[3] < count; },
      [&](const auto& now) {
        const auto factor = ordered_sum(now[0], z);
        const auto product = exact_product(now[1], factor.high);
        const auto low = fma(now[1], factor.low, fma(now[2], factor.high, product.low));
        const auto sum = ordered_sum(product.high, low);
        return std::array{now[0] + step, sum.high, sum.low, now[3] + 1.0};
      });
  return {divides, z, {state[1], state[2]}};
}

/// 1 + slope z, or slope z, plus z² times a polynomial's value.
template <class M>
Pair<M, double> with_slope(double constant, Real<M, double> z, Real<M, double> polynomial) {
  using C = GammaConstants;
  const auto linear = exact_product(z, z.literal(C::slope_high));
  const auto first = ordered_sum(z.literal(constant), linear.high);
  const auto second = exact_sum(first.high, z * z * polynomial);
  return ordered_sum(second.high, second.low + (first.low + fma(z, C::slope_low, linear.low)));
}

/// log |x| for a pair other than 0 and below 2^1023.
template <class M>
Pair<M, double> logarithm_of_size(Pair<M, double> x) {
  const auto size = abs(x.high);
  const auto parts = decompose(size);
  const auto inverse =
      from_bits((Format<double>::bias - parts.normal_exponent) << Format<double>::fraction_bits);
  const auto low = select(x.high < 0.0, -x.low, x.low) * inverse;
  return logarithm(DecomposedPair<M, double>{parts.exponent, parts.fraction, low});
}

/// log(gamma(x)) for x >= 20; infinite, with any low part, where it is beyond the greatest number.
template <class M>
Pair<M, double> stirling(Real<M, double> x) {
  using C = GammaConstants;
  const auto inverse = 1.0 / x;
  const auto series = inverse * stirling_polynomial(inverse * inverse);
  const auto parts = decompose(x);
  const auto log =
      logarithm(DecomposedPair<M, double>{parts.exponent, parts.fraction, x.literal(0)});
  const auto less = ordered_sum(log.high, x.literal(-1));
  const auto less_low = less.low + log.low;
  const auto factor = ordered_sum(x, x.literal(-0.5));
  const auto product = exact_product(factor.high, less.high);
  const auto product_low = fma(factor.high, less_low, fma(factor.low, less.high, product.low));
  const auto sum = ordered_sum(product.high, x.literal(C::offset_high));
  const auto low = sum.low + ((product_low + C::offset_low) + series);
  return {sum.high, low};
}

template <class M>
Real<M, double> near_gamma(Real<M, double> x) {
  const auto [divides, z, product] = gamma_factors(x);
  const auto at_two = with_slope(1.0, z, gamma_polynomial(z));
  const auto high = exact_product(at_two.high, product.high);
  const auto multiplied =
      high.high + fma(at_two.high, product.low, fma(at_two.low, product.high, high.low));
  const auto divided = quotient(at_two, product);
  const auto result = select(divides, divided.high + divided.low, multiplied);
  // Next to 0 it is 1/x, and infinite where that is.
  const auto tiny = abs(x) < 0x1p-56;
  return select((z == 0.0) & (x < 0.0), Format<double>::nan, select(tiny, 1.0 / x, result));
}
/// pi / (x sin(pi x) gamma(x)) for x <= -20, where that is no pole, from x and log(gamma(-x)).
template <class M>
Real<M, double> reflected_gamma(Real<M, double> x, Pair<M, double> log) {
  const auto [exponent, excess] = scaled_exponential(Pair<M, double>{-log.high, -log.low});
  const auto inverse = ordered_sum(x.literal(1), excess.high);
  const auto sine = sine_of_pi_times(x);
  const auto factor = -(2 * TrigonometricConstants<double>::quarter_1) / (x * sine);
  const auto result = scale((inverse.high + (inverse.low + excess.low)) * factor, exponent);
  return select((sine == 0.0) | (x == -Format<double>::infinity), Format<double>::nan, result);
}
template <class M>
Real<M, double> far_gamma(Real<M, double> x) {
  // From 172 on it is infinite; from -184 on, 0.
  const auto size = abs(x);
  const auto log = stirling(select(size > 200.0, 200.0, size));
  const auto is_negative = x < 0.0;
  return either(
      is_negative, [&] { return is_negative; }, [&] { return reflected_gamma(x, log); },
      [&] {
        return exponential(Pair<M, double>{clamp_exponent(log.high), log.low});
      });
}

template <class M>
Real<M, double> near_log_gamma(Real<M, double> x) {
  const auto [divides, z, product] = gamma_factors(x);
  const auto at_two = with_slope(0.0, z, log_gamma_polynomial(z));
  const auto log = logarithm_of_size(product);
  const auto log_high = select(divides, -log.high, log.high);
  const auto log_low = select(divides, -log.low, log.low);
  const auto sum = exact_sum(at_two.high, log_high);
  const auto result = sum.high + (sum.low + (at_two.low + log_low));
  return select((z == 0.0) & (x <= 0.0), Format<double>::infinity, result);
}
/// log(pi / (x |sin(pi x)|)) - log, for x >= 20 and log = log(gamma(x)).
template <class M>
Real<M, double> reflected_log_gamma(Real<M, double> x, Pair<M, double> log) {
  const auto sine = abs(sine_of_pi_times(x));
  const auto ratio = exact_product(sine, x * (0.5 / TrigonometricConstants<double>::quarter_1));
  const auto reflected = logarithm_of_size(ratio);
  const auto sum = exact_sum(-log.high, -reflected.high);
  const auto result = sum.high - (log.low + reflected.low - sum.low);
  return select((sine == 0.0) | (x == Format<double>::infinity), Format<double>::infinity, result);
}
template <class M>
Real<M, double> far_log_gamma(Real<M, double> x) {
  const auto size = abs(x);
  const auto log = stirling(size);
  const auto is_negative = x < 0.0;
  return either(
      is_negative, [&] { return is_negative; }, [&] { return reflected_log_gamma(size, log); },
      [&] {
        const auto result =
            select(log.high < Format<double>::infinity, log.high + log.low, log.high);
        return select(size == Format<double>::infinity, size, result);
      });
}

/// `far(x)` beyond 20, and for NaN; `near(x)` elsewhere.
template <class M, class T, class Near, class Far>
Real<M, T> by_distance(Real<M, T> x, std::string_view symbol, Near near, Far far) {
  const auto text = [near, far]<class N>(Real<N, double> y) {
    const auto is_far = !(abs(y) < GammaConstants::far);
    return either(
        is_far, [&] { return is_far; }, [&] { return far(y); }, [&] { return near(y); });
  };
  return called(
      symbol,
      [text]<class N>(Real<N, T> y) {
        if constexpr (sizeof(T) == 4)
          return narrow(text(widen(y)));
        else
          return text(y);
      },
      x);
}
template <class M, class T>
Real<M, T> gamma(Real<M, T> x) {
  return by_distance(
      x, "sinter_gamma", [](auto y) { return near_gamma(y); }, [](auto y) { return far_gamma(y); });
}
template <class M, class T>
Real<M, T> log_gamma(Real<M, T> x) {
  const auto result = by_distance(
      x, "sinter_log_gamma", [](auto y) { return near_log_gamma(y); },
      [](auto y) { return far_log_gamma(y); });
  if constexpr (sizeof(T) == 4) {
    return result; // to 2^-55 in f64: near enough beside zeros too
  } else {
    const auto beside_zero = (x < -2.0) & (x > -GammaConstants::far) & (abs(result) < 0x1p-5);
    return rare(
        beside_zero, result, "sinter_log_gamma_beside_zero",
        [](auto y) { return log_gamma_beside_zero(y); }, x);
  }
}

} // namespace sinter::elementary
