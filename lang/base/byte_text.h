// Amounts of memory in messages.
#pragma once

#include <cstddef>
#include <string>

namespace sinter {

/// "17 B", "1.5 GiB".
std::string byte_text(std::size_t bytes);

} // namespace sinter
