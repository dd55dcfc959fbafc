#include "jit/ir/scalar_text.h"

#include "lang/values/number_text.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace sinter::ir {
namespace {

constexpr std::string_view bits_mark = ".bits.";

bool is_unusual_nan(ElementType element, Scalar scalar) {
  if (!is_float(element)) return false;
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
      if (!std::isnan(static_cast<double>(scalar.as<T>()))) return false;
      std::string why;
      const std::optional<Scalar> usual = parse_scalar(print(element, scalar), element, why);
      return !usual || *usual != scalar;
    } else {
      return false;
    }
  });
}

} // namespace

std::string scalar_text(ElementType element, Scalar scalar) {
  if (!is_unusual_nan(element, scalar)) return print(element, scalar);
  char digits[16];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), scalar.bits, 16).ptr;
  return std::string(name(element)) + std::string(bits_mark) + std::string(digits, end);
}

std::optional<std::pair<ElementType, Scalar>> read_scalar_text(std::string_view text) {
  const std::size_t mark = text.find(bits_mark);
  if (mark != std::string_view::npos) {
    const std::optional<ElementType> element = element_type_named(text.substr(0, mark));
    const std::string_view digits = text.substr(mark + bits_mark.size());
    std::uint64_t bits = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (!element || !is_float(*element) || error != std::errc() ||
        end != digits.data() + digits.size() ||
        (byte_size(*element) < 8 && bits >> (8 * byte_size(*element)) != 0))
      return std::nullopt;
    return {{*element, Scalar{bits}}};
  }
  const std::optional<ElementType> element = type_of_scalar_text(text);
  if (!element) return std::nullopt;
  std::string why;
  const std::optional<Scalar> scalar = parse_scalar(text, *element, why);
  if (!scalar) return std::nullopt;
  return {{*element, *scalar}};
}

} // namespace sinter::ir
