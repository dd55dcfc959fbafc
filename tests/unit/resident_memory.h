// How much memory tests hold.
#pragma once

#include <cstddef>
#include <fstream>

#include <unistd.h>

namespace sinter::tests {

/// Bytes of this process that lie in memory now.
inline std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0; // in pages
  file >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace sinter::tests
