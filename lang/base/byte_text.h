// Amounts of memory, for people and by people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// "17 B", "1.5 GiB".
std::string byte_text(std::size_t bytes);

/// "512M", "4G", "1.5GiB", a plain number of bytes.  Nothing if the text is no amount of memory.
std::optional<std::size_t> parse_byte_text(std::string_view text);
/// Such that `parse_byte_text` gives the same again: "4G", "512M", "123".
std::string exact_byte_text(std::size_t bytes);

} // namespace sinter
