// What the checks find, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::gpu {

enum class ViolationKind : std::uint8_t {
  OutOfBounds,
  Misaligned,
  Released,
  Uninitialised,
  Race,
  Divergence,
  Limit,
  NoProgress,
};

/// "out of bounds", "misaligned", …
std::string_view name(ViolationKind kind);

enum class Access : std::uint8_t { Read, Write, AtomicRead, AtomicWrite, AtomicUpdate };

/// What is to the right of the dot is a thread's index, from 10 bits; the rest is its block's, plus
/// 1; so 0 is nobody.
using ThreadName = std::uint32_t;
inline constexpr ThreadName thread_bits = 10;
inline constexpr std::uint32_t most_checked_blocks = (1u << 22) - 2;
constexpr ThreadName thread_name(std::uint32_t block, std::uint32_t thread) {
  return ((block + 1) << thread_bits) | thread;
}
constexpr std::uint32_t block_of(ThreadName name) {
  return (name >> thread_bits) - 1;
}
constexpr std::uint32_t thread_of(ThreadName name) {
  return name & ((1u << thread_bits) - 1);
}

/// Plain data: it is filled in on a stack that is left at once.
struct Violation {
  ViolationKind kind = ViolationKind::OutOfBounds;
  ThreadName thread = 0;
  std::uint32_t site = 0; ///< the instruction's number in its module
  /// Of memory: what was accessed; `bytes` is 0 otherwise.
  Access access = Access::Read;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  ThreadName other = 0; ///< of a race
  bool other_wrote = false;
  std::uint32_t other_site = 0; ///< of a divergence, if there is one
  bool has_other_site = false;
  const char* what = ""; ///< more about it
};

} // namespace sinter::gpu
