#include "jit/gate/pieces.h"

#include <array>

namespace sinter::jit {

std::string_view name(StateRole role) {
  static constexpr std::array<std::string_view, 4> names = {"shared", "joined", "stacked", "sum"};
  return names[static_cast<std::size_t>(role)];
}

std::string_view name(CutOfValue::Way way) {
  static constexpr std::array<std::string_view, 4> names = {"block", "whole", "kept", "fold"};
  return names[static_cast<std::size_t>(way)];
}

} // namespace sinter::jit
