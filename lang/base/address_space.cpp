#include "lang/base/address_space.h"

#include <algorithm>
#include <climits>
#include <fstream>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sinter {

std::optional<std::size_t> address_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::optional<std::size_t> addresses_left() {
  const std::optional<std::size_t> limit = address_limit();
  std::size_t pages = 0;
  if (!limit || !(std::ifstream("/proc/self/statm") >> pages)) return limit;
  const std::size_t taken = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return *limit - std::min(*limit, taken);
}

std::optional<std::size_t> threads_with_addresses() {
  constexpr std::size_t of_a_thread = std::size_t{1} << 30;
  const std::optional<std::size_t> limit = address_limit();
  return limit ? std::optional(std::max<std::size_t>(*limit / of_a_thread, 1)) : std::nullopt;
}

void share_heaps() {
  if (const std::optional<std::size_t> threads = threads_with_addresses())
    mallopt(M_ARENA_MAX, static_cast<int>(std::min<std::size_t>(*threads, INT_MAX)));
}

} // namespace sinter
