// Linear forms over values that are not understood further ("atoms"):
//
//   3 + 2*n - i
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::jit {

struct LinearForm {
  std::int64_t constant = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms; ///< atoms ascending, no zeros

  friend bool operator==(const LinearForm&, const LinearForm&) = default;
  /// How often the atom is in it.
  std::int64_t coefficient(std::uint32_t atom) const;
  /// The rest of it.
  LinearForm without(std::uint32_t atom) const;
};

/// `a + factor * b`, unless one of its numbers does not fit.
std::optional<LinearForm> combine(const LinearForm& a, const LinearForm& b, std::int64_t factor);

} // namespace sinter::jit
