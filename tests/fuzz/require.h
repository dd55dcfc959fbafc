// What fuzz targets demand.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace sinter {

/// Ends the process, which is a finding, if that is not so.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

} // namespace sinter
