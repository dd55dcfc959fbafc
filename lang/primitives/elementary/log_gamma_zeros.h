// lgamma beside its zeros below -2, where log(gamma(2 + z)) and the logarithm of the factors (see
// gamma.h) cancel: the difference from its value at the zero x0 is
//   log(gamma(2 + z)) - log(gamma(2 + z0)) + log of the product of (x0 + j) / (x + j),
// of which neither part cancels.
#pragma once

#include "lang/primitives/elementary/area.h"
#include "lang/primitives/elementary/gamma_polynomials.h"

namespace sinter::elementary {

/// The zeros from -2 to -20, as pairs: one in each half of the intervals between whole numbers.
inline constexpr std::array<std::array<double, 2>, 36> log_gamma_zeros = {
    {{-0x1.3a7fc9600f86cp+1, -0x1.55f64f98af8d0p-55},
     {-0x1.5fb410a1bd901p+1, 0x1.a19a96d2e6f85p-54},
     {-0x1.9260dbc9e59afp+1, -0x1.f717cd335a7b3p-53},
     {-0x1.fa471547c2fe5p+1, -0x1.70d4561291237p-56},
     {-0x1.0284e78599581p+2, 0x1.e78c1e9e43cfep-53},
     {-0x1.3f7577a6eeafdp+2, 0x1.5de5eab7f12cfp-53},
     {-0x1.4086a57f0b6d9p+2, -0x1.95262b72ca9cap-55},
     {-0x1.7fe92f591f40dp+2, -0x1.7dd4ed62cbd32p-52},
     {-0x1.8016b25897c8dp+2, 0x1.27e0f49a4ba72p-54},
     {-0x1.bffcbf76b86f0p+2, 0x1.853b29347b806p-57},
     {-0x1.c0033fdedfe1fp+2, 0x1.20bb7d2324678p-52},
     {-0x1.ffff97f8159cfp+2, -0x1.e54f415a91586p-55},
     {-0x1.000034028b3f9p+3, -0x1.f60cb3cec1cedp-52},
     {-0x1.1ffffa3884bd0p+3, -0x1.ff90c9d2ae925p-53},
     {-0x1.200005c7768fbp+3, -0x1.b5b610ffb70d4p-54},
     {-0x1.3fffff6c0d7c0p+3, 0x1.197cea8c42d7dp-51},
     {-0x1.40000093f2777p+3, -0x1.927b45d95e154p-52},
     {-0x1.5ffffff28cdd4p+3, 0x1.c9924a65aa486p-53},
     {-0x1.6000000d7322ap+3, -0x1.8aecb2d37ff52p-51},
     {-0x1.7ffffffee1127p+3, -0x1.ce1f7906b30f5p-54},
     {-0x1.800000011eed9p+3, 0x1.19d5307e1fb5ep-53},
     {-0x1.9fffffffe9edcp+3, 0x1.84f40342d001cp-51},
     {-0x1.a000000016124p+3, -0x1.84e03341ee8ddp-51},
     {-0x1.bffffffffe6c7p+3, 0x1.d2a30f3dae0fbp-51},
     {-0x1.c000000001939p+3, -0x1.d2a2f4a73af63p-51},
     {-0x1.dfffffffffe52p+3, 0x1.fcf9ccfd8867ep-51},
     {-0x1.e0000000001aep+3, -0x1.fcf9ccde87210p-51},
     {-0x1.fffffffffffe5p+3, -0x1.80c18cc43ea26p-53},
     {-0x1.000000000000dp+4, -0x1.cfe7ce6768509p-50},
     {-0x1.0ffffffffffffp+4, -0x1.ab4e23f3d49f1p-51},
     {-0x1.1000000000001p+4, 0x1.ab4e23f3d4bbcp-51},
     {-0x1.2000000000000p+4, 0x1.6827863b97d9ap-53},
     {-0x1.2000000000000p+4, -0x1.6827863b97d95p-53},
     {-0x1.3000000000000p+4, 0x1.2f49b46814157p-57},
     {-0x1.3000000000000p+4, -0x1.2f49b46814157p-57},
     {-0x1.4000000000000p+4, 0x1.e542ba4020225p-62}}};
inline constexpr auto log_gamma_zero_bits = [] {
  std::array<std::int64_t, 2 * log_gamma_zeros.size()> patterns{};
  for (std::size_t n = 0; n < patterns.size(); ++n)
    patterns[n] = std::bit_cast<std::int64_t>(log_gamma_zeros[n / 2][n % 2]);
  return patterns;
}();
inline constexpr Table log_gamma_zero_table{"sinter_log_gamma_zeros", log_gamma_zero_bits};

/// (f(z) - f(z - difference)) / difference for f(z) = log(gamma(2 + z)).
template <class M>
Real<M, double> log_gamma_slope(Real<M, double> z, Real<M, double> difference) {
  using C = GammaConstants;
  const auto other = z - difference;
  // Of a z^n + … + c = z p(z) + c it is z times that of p, plus p(z - difference).
  auto value = z.literal(0), slope = z.literal(0);
  const auto next = [&](double coefficient) {
    slope = fma(slope, z, value);
    value = fma(value, other, coefficient);
  };
  for (std::size_t n = C::log_gamma.size(); n-- > 0;)
    next(C::log_gamma[n]);
  next(C::slope_high);
  next(0.0);
  return slope;
}

/// lgamma(x) for -20 < x < -2 beside a zero, where its magnitude is below 1/32; within 7 ULP.
template <class M>
Real<M, double> log_gamma_beside_zero(Real<M, double> x) {
  const auto nearest = rint(x);
  const auto z = x - nearest;
  const auto half = select(z < 0.0, -4.0, x.literal(-5)); // of the interval
  const auto index = round_product(fma(nearest, -2.0, half), 1.0).integer;
  const auto low_index = select(index < 0, index.literal(0), index);
  const auto place = select(35 < low_index, index.literal(35), low_index) << 1;
  const auto zero = from_bits(lookup(log_gamma_zero_table, place));
  const auto zero_low = from_bits(lookup(log_gamma_zero_table, place + 1));
  const auto difference = (x - zero) - zero_low;
  // The state: the product less 1, and j.
  const auto count = 2.0 - nearest;
  const auto state = repeat(
      GammaConstants::most_factors, std::array{x.literal(0), x.literal(0)},
      [&](const auto& now) { return now[1] < count; },
      [&](const auto& now) {
        const auto excess = -difference / (x + now[1]);
        return std::array{fma(now[0], excess, now[0] + excess), now[1] + 1.0};
      });
  return fma(difference, log_gamma_slope(z, difference), logarithm1p(state[0]));
}

} // namespace sinter::elementary
