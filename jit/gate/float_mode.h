// How far arithmetic on floats may differ between compiled code and the interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter::jit {

enum class FloatMode : std::uint8_t {
  /// In nothing: equal bits.
  Exact,
  /// `a*b + c` may be rounded once.
  Contract,
};

/// "exact", "contract".
std::string_view name(FloatMode mode);
std::optional<FloatMode> float_mode_of(std::string_view name);

} // namespace sinter::jit
