// Functions at f64 that are as precise as results at f32 need: for functions at f32 that would
// otherwise take pairs.
#pragma once

#include "lang/primitives/elementary/logarithm.h"

namespace sinter::elementary {

/// log2(x) for positive finite x, to relative 2^-37.7.
template <class M>
Real<M, double> short_logarithm2(Real<M, double> x) {
  const auto parts = decompose(x);
  const auto f = parts.fraction;
  const auto s = f / (2.0 + f);
  const auto log = s * polynomial(s * s, 0x1.71547652bede7p1, 0x1.ec709d12df178p-1,
                                  0x1.27777fdc1f7e3p-1, 0x1.a58d8ee9c6765p-2, 0x1.5ce7ddb75456ep-2);
  return parts.exponent + log;
}

/// 2^x to relative 2^-29.0; whatever rounds to 0 or infinity at f32 below -200 and above 200.
template <class M>
Real<M, double> short_exponential2(Real<M, double> x) {
  x = select(x < -200.0, -200.0, x);
  x = select(x > 200.0, 200.0, x);
  const auto k = round_product(x, 1.0);
  const auto power = polynomial(x - k.number, 0x1.0000000261526p0, 0x1.62e430c7e9c31p-1,
                                0x1.ebfbdadcace43p-3, 0x1.c6aed4b8774acp-5, 0x1.3b2dbbc2857dap-7,
                                0x1.5f456af92d72fp-10, 0x1.41d33319284fcp-13);
  return power * from_bits((k.integer + Format<double>::bias) << Format<double>::fraction_bits);
}

} // namespace sinter::elementary
