// Memory that is written once and is larger than the caches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::jit {

/// More than a core's share of the last-level cache on machines of today.  (What the system says of
/// caches is no guide: virtual machines speak of those of all sockets together.)
inline constexpr std::size_t beyond_caches_bytes = 32 << 20;

/// Copies bytes between blocks that do not overlap.  The target goes past the caches: its old
/// contents are not read, and what the caches hold stays there.  The source should be in a cache or
/// read in order.
void copy_past_caches(std::byte* target, const std::byte* source, std::size_t bytes);

/// Fills a block with copies of the pattern, in the same way.  The block is aligned to, and as long
/// as, a multiple of what the pattern repeats.
void fill_past_caches(std::byte* target, std::uint64_t pattern, std::size_t bytes);

/// Stores past the caches, which are in no order with others, come before all stores of this thread
/// that follow.
void order_stores_past_caches();

} // namespace sinter::jit
