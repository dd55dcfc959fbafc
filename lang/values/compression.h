// Compressed contents of files; reading them is `read_file_bytes` (format.h).
#pragma once

#include <string>
#include <string_view>

namespace sinter {

/// The contents of a .gz file.  Throws std::bad_alloc.
std::string compress(std::string_view bytes);

} // namespace sinter
