#include "lang/base/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

namespace sinter {

std::optional<std::size_t> address_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

bool has_addresses(std::size_t bytes) {
  if (!address_limit()) return true;
  void* const range =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return false;
  munmap(range, bytes);
  return true;
}

} // namespace sinter
