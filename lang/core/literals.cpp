// Literals: from their text to a scalar of the type that was inferred for them.
#include "lang/core/translator.h"

#include <bit>
#include <cmath>
#include <cstdlib>

namespace sinter::core {

namespace {

/// Rounds a decimal or hexadecimal text to half precision in one step: through the double that is
/// rounded to odd, whose further rounding cannot go wrong (S. Boldo and G. Melquiond, Emulation of
/// FMA and correctly rounded sums, 2008).  Which side of the double the text lies on is seen with
/// the 64 bits of a long double.
Half round_to_half(const char* text) {
  const double nearest = std::strtod(text, nullptr);
  const long double closer = std::strtold(text, nullptr);
  if (!std::isfinite(nearest) || closer == static_cast<long double>(nearest))
    return static_cast<Half>(nearest);
  double truncated = nearest;
  if (std::fabs(closer) < std::fabs(static_cast<long double>(nearest)))
    truncated = std::nextafter(nearest, 0.0);
  return static_cast<Half>(
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(truncated) | std::uint64_t{1}));
}

Scalar float_text(const std::string& text, ElementType type) {
  if (type == ElementType::F32) return Scalar::of(std::strtof(text.c_str(), nullptr));
  if (type == ElementType::F16) return Scalar::of(round_to_half(text.c_str()));
  return Scalar::of(std::strtod(text.c_str(), nullptr));
}

} // namespace

Scalar integer_literal(const syntax::IntegerLiteral& literal, ElementType type) {
  if (is_float(type)) return float_text(literal.digits_value, type);
  if (type == ElementType::Bool) return Scalar::of(literal.value != 0);
  return with_cpp_type(type,
                       [&]<typename T>() { return Scalar::of(static_cast<T>(literal.value)); });
}

Scalar float_literal(const syntax::FloatLiteral& literal, ElementType type) {
  if (is_float(type)) return float_text(literal.text, type);
  return with_cpp_type(type,
                       [&]<typename T>() { return Scalar::of(static_cast<T>(literal.value)); });
}

Scalar negate(Scalar value, ElementType type) {
  if (type == ElementType::Bool) return value;
  return with_cpp_type(type, [&]<typename T>() {
    if constexpr (std::is_integral_v<T>)
      return Scalar::of(static_cast<T>(-static_cast<std::uint64_t>(value.as<T>())));
    else
      return Scalar::of(static_cast<T>(-value.as<T>()));
  });
}

} // namespace sinter::core
