// The generator's own source of chance: the same numbers on every machine and in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::generate {

/// SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixing function.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// A number below `bound`, which is not zero.  (The slight bias of a remainder does no harm.)
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

private:
  std::uint64_t state_;
};

} // namespace sinter::generate
