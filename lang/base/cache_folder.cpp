#include "lang/base/cache_folder.h"

#include <cstdlib>
#include <string_view>

namespace sinter {

namespace fs = std::filesystem;

std::optional<fs::path> cache_folder() {
  if (const char* chosen = std::getenv("SINTER_CACHE")) {
    if (std::string_view(chosen) == "off") return std::nullopt;
    return fs::path(chosen);
  }
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return fs::path(base) / "sinter";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return fs::path(home) / ".cache" / "sinter";
  return std::nullopt;
}

} // namespace sinter
