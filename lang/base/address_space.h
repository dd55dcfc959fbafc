// How many addresses the process may still take, where that is limited (`ulimit -v`).
#pragma once

#include <cstddef>
#include <optional>

namespace sinter {

/// The limit of the whole process; nothing if there is none.
std::optional<std::size_t> address_limit();
/// How many are left below the limit; nothing if there is none.
std::optional<std::size_t> addresses_left();
/// For so many threads there are enough addresses, at least for one; nothing if there is no limit.
/// (Each takes a stack, and a heap of its own.)
std::optional<std::size_t> threads_with_addresses();
/// Lets threads share their heaps where there are too few addresses for each to have one: a heap
/// takes 64 MiB of them, or none, as they happen to lie.  To be called before there are threads.
void share_heaps();

} // namespace sinter
