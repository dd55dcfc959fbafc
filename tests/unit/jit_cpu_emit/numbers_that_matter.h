// Numbers at which operations differ from what one expects of them.
#pragma once

#include "lang/base/element_type.h"
#include "lang/values/scalar.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sinter {

/// The ends of an element type's range and what is next to them, powers of two, fractions, zeros of
/// both signs, infinities, a NaN of either kind.
inline std::vector<Scalar> numbers_that_matter(ElementType element) {
  return with_cpp_type(element, [&]<typename T>() {
    std::vector<Scalar> numbers;
    if constexpr (std::is_same_v<T, bool>) {
      return std::vector<Scalar>{Scalar::of(false), Scalar::of(true)};
    } else if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      for (const T number : {T(0),
                             T(1),
                             T(-1),
                             T(2),
                             T(3),
                             T(-3),
                             T(7),
                             T(8),
                             T(31),
                             T(32),
                             T(33),
                             T(63),
                             T(64),
                             T(100),
                             T(-100),
                             Limits::min(),
                             Limits::max(),
                             T(Limits::min() + 1),
                             T(Limits::max() - 1),
                             T(12345678901ll),
                             T((1ll << 50) - 1),
                             T(1ll << 50),
                             T(-(1ll << 50)),
                             T(-(1ll << 50) - 1),
                             T((1ll << 53) + 1),
                             T(-987654321ll)})
        numbers.push_back(Scalar::of(number));
    } else {
      for (const double number : {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  -0.5,
                                  1.5,
                                  2.5,
                                  -2.5,
                                  2.0,
                                  3.0,
                                  4.0,
                                  7.0,
                                  8.0,
                                  9.0,
                                  3.75,
                                  100.25,
                                  -7.0,
                                  1e-3,
                                  1e10,
                                  -1e10,
                                  2147483648.0,
                                  -2147483649.0,
                                  0x1p63,
                                  -0x1p63,
                                  0x1p64,
                                  1.8e19,
                                  1e30,
                                  5e-324,
                                  1e-45,
                                  6e-8,
                                  1e300,
                                  65504.0,
                                  0.1,
                                  -30.3,
                                  171.6,
                                  -2.457,
                                  1e22,
                                  6381956970095103 * 0x1p797,
                                  2.2e-308,
                                  double(INFINITY),
                                  -double(INFINITY),
                                  double(NAN)})
        numbers.push_back(Scalar::of(static_cast<T>(number)));
      if constexpr (std::is_floating_point_v<T>) {
        // (The other one is quiet.)
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        const auto infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
        numbers.push_back(Scalar::of(std::bit_cast<T>(static_cast<Bits>(infinity + 1))));
      }
    }
    return numbers;
  });
}

inline bool is_nan(ElementType element, Scalar scalar) {
  return with_cpp_type(
      element, [&]<typename T>() { return std::isnan(static_cast<double>(scalar.as<T>())); });
}

} // namespace sinter
