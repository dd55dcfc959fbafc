// Amounts of memory and lengths of time as people write them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

/// "512M", "4G", "1.5GiB", a plain number of bytes.  Nothing if the text is no amount of memory.
std::optional<std::size_t> parse_memory(std::string_view text);
/// "500ms", "10s", "2m", "1h"; a plain number counts seconds.  At least a millisecond.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Such that the parsers above give the same again: "4G", "512M", "123"; "500ms", "10s", "2m".
std::string memory_text(std::size_t bytes);
std::string duration_text(std::chrono::milliseconds duration);

/// For people: "1.5 GiB", "12 KiB", "7 bytes".
std::string bytes_text(std::size_t bytes);

} // namespace sinter::repl
