// Texts put together.  The parts of a braced list are computed from left to right in every compiler
// (operands of `+` are not), which the generator's repeatability needs.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sinter::generate {

inline std::string join(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    text += part;
  return text;
}

inline std::string suffixed(std::size_t number, std::string_view type) {
  return std::to_string(number) + std::string(type);
}

} // namespace sinter::generate
