// What the checker of consumption and the inserter of copies follow: whose memory an array may be.
#pragma once

#include "jit/ir/ir.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace sinter::ir {

/// The values whose memory an array may be, sorted (see consumption.h).
using RootSet = std::vector<ValueId>;

inline bool overlap(const RootSet& a, const RootSet& b) {
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();)
    if (*left == *right)
      return true;
    else if (*left < *right)
      ++left;
    else
      ++right;
  return false;
}
/// Adds to a set; whether it grew.
inline bool merge(RootSet& into, const RootSet& from) {
  RootSet both;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(both));
  const bool grew = both.size() > into.size();
  into = std::move(both);
  return grew;
}

/// Who may consume what in a body.
enum class BodyKind : std::uint8_t {
  Owner,  ///< a function or a loop's body: its parameters and what it makes
  Branch, ///< what the body around may
  Guest,  ///< a SOAC's body, an operator, a loop's condition: only what it makes
};

} // namespace sinter::ir
