// Fewer cases where the address sanitizer makes each take several times as long.  (What threads do
// is looked at with all of them.)
#pragma once

#include <algorithm>
#include <cstdint>

namespace sinter {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// How many of `count` cases of a kind are tried: all of them; with sanitizers, which look for what
/// any of them would show, one of `part`, at least one.
constexpr std::uint64_t some_of(std::uint64_t count, std::uint64_t part = 8) {
  return is_sanitized ? std::max<std::uint64_t>(count / part, 1) : count;
}

/// Whether case `i` of a kind is tried: each; with sanitizers the first one and each `part`th.
constexpr bool is_tried(std::uint64_t i, std::uint64_t part = 8) {
  return !is_sanitized || i % part == 0;
}

} // namespace sinter
