// How far arithmetic on floats may differ between compiled code and the interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter::jit {

enum class FloatMode : std::uint8_t {
  /// In nothing: equal bits.  Reductions whose operator rounds are taken in the interpreter's
  /// order, one element after the other.
  Strict,
  /// Reductions, scans and histograms are regrouped (the language demands associative operators),
  /// always in the same way; each single operation gives the interpreter's bits.
  Reassociate,
  /// And `a*b + c` may be rounded once.
  Contract,
};

/// "strict", "reassociate", "contract".
std::string_view name(FloatMode mode);
std::optional<FloatMode> float_mode_of(std::string_view name);

} // namespace sinter::jit
