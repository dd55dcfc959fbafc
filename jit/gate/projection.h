// What is still to come of work that is being done.
#pragma once

#include <cstdint>

namespace sinter::jit {

/// So many nanoseconds of work say how long the rest takes; less is mostly the first touch of
/// memory and code.
inline constexpr std::int64_t enough_to_project = 200'000;

/// Nanoseconds for `to_do` parts of some work, where those that are done took `elapsed`.
inline std::int64_t projected(std::int64_t elapsed, double done, double to_do) {
  constexpr double longest = 1e15;
  const double rest = static_cast<double>(elapsed) * to_do / (done > 0 ? done : 1);
  return static_cast<std::int64_t>(rest < longest ? rest : longest);
}

} // namespace sinter::jit
