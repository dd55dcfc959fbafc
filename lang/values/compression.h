// Compressed contents of files: gzip, bzip2, xz and Zstandard.  Reading them is `read_file_bytes`
// (format.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

enum class Compression : std::uint8_t { None, Gzip, Bzip2, Xz, Zstandard };

/// Told by the first bytes.
Compression compression_of(std::string_view contents);
/// Told by the end of a file's name: .gz, .bz2, .xz, .zst or .zstd, in capitals or not.
Compression compression_named(std::string_view path);
/// The name without that end.
std::string_view without_compression(std::string_view path);

/// Throws std::bad_alloc, FormatError if there is no library for that.
std::string compress(std::string_view bytes, Compression compression);
/// All members, one behind the other.  Throws FormatError that names `path` for damaged contents,
/// RuntimeError{OutOfMemory} before it takes more than the thread's HeapWatch allows.
std::string decompress(std::string_view bytes, Compression compression, const std::string& path);

} // namespace sinter
