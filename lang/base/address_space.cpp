#include "lang/base/address_space.h"

#include <sys/resource.h>

namespace sinter {

std::optional<std::size_t> address_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

} // namespace sinter
