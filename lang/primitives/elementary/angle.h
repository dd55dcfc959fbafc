// Angles as quarter turns and a rest: what trigonometric functions start from.
#pragma once

#include "lang/primitives/elementary/format.h"

namespace sinter::elementary {

template <class T>
struct TrigonometricConstants;
template <>
struct TrigonometricConstants<float> {
  /// Greater arguments are huge (huge_angle.h); up to here q is right within 2^-8.
  static constexpr float greatest = 0x1p17f;
  static constexpr float quarters = 0x1.45f306p-1f; ///< 2 / pi
  /// pi/2 is their sum within 2^-75.
  static constexpr float quarter_1 = 0x1.921fb6p0f;
  static constexpr float quarter_2 = -0x1.777a5cp-25f;
  static constexpr float quarter_3 = -0x1.ee59dap-50f;
};
template <>
struct TrigonometricConstants<double> {
  static constexpr double greatest = 0x1p30;
  static constexpr double quarters = 0x1.45f306dc9c883p-1;
  static constexpr double quarter_1 = 0x1.921fb54442d18p0;
  static constexpr double quarter_2 = 0x1.1a62633145c07p-54;
  static constexpr double quarter_3 = -0x1.f1976b7ed8fbcp-110;
};

/// An angle: `quarter` quarter turns and `rest`.
template <class M, class T>
struct Angle {
  Whole<M, T> quarter;
  Pair<M, T> rest;
};

} // namespace sinter::elementary
