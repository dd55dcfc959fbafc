// Where the user's things lie that can be made again.
#pragma once

#include <filesystem>
#include <optional>

namespace sinter {

/// Where compiled code is kept, and what is known of it (`$XDG_CACHE_HOME/sinter`, else
/// `~/.cache/sinter`); nothing if there is no such place, or if SINTER_CACHE is "off" (else it
/// names the folder).
std::optional<std::filesystem::path> cache_folder();

} // namespace sinter
